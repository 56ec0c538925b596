# The pages of real studies in a browser, compared with the results they were made from.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../cli/_common.sh"
: "${TUMBLE_VIEWER:?the folder that the page was built in}" "${TUMBLE_SOURCE_DIR:?}"
command -v "${TUMBLE_CHROMIUM:-chromium}" >/dev/null || { echo "no chromium" && exit 77; }

examples=$TUMBLE_SOURCE_DIR/examples
for case in 1 2 3 4; do
  expect 0 run "$examples/batou-soize-2012/case$case.yaml" -o "reports/case$case" -n 48
done
expect 0 run "$examples/wu-2016/planar-pendulum.yaml" -o reports/planar
expect 0 run "$examples/wu-2016/double-pendulum.yaml" -o reports/double

# A rod that can only be as long as the pendulum allows: with a high speed it tears in some runs.
cat >torn.yaml <<'YAML'
title: A pendulum pulled by a rod, which fails in some realisations
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 1, position: [1, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
  rod: {type: distance, between: [ground, bob], points: [[1, 0, 2], [1, 0, 0]], motion: growth}
drives: {growth: {type: polynomial, coefficients: [0, 10]}}
probes:
  bob: {body: bob, point: [1, 0, 0], quantities: [position, velocity]}
simulation: {duration: 0.12, step: 1e-3, output_step: 2e-3}
uncertainty:
  drives.growth.coefficients[1]: {law: uniform, min: 8, max: 10.5}
  bodies.bob.mass: {law: normal, mean: 1, std: 0.1}
study: {method: monte-carlo, realizations: 64, max_failed: 0.5}
YAML
expect 0 run torn.yaml -o reports/torn
says stdout.txt "failed"
cat >pendulum.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2.5, position: [0.5, 0, 0], inertia: [0.001, 0.21, 0.21]}
joints:
  hinge: {type: revolute, between: [ground, rod], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: rod, point: [1, 0, 0], quantities: [position, acceleration]}
simulation: {duration: 0.2, step: 1e-3, output_step: 0.01}
YAML
expect 0 run pendulum.yaml -o reports/pendulum
expect 0 run "$examples/ensembles/spring-peaks.yaml" -o reports/peaks -n 64
# For the types of what pages hold only: a worst case, a sweep, and a page of two studies.
expect 0 run "$examples/worst-case/double-pendulum.yaml" -o worst
expect 0 report worst -o reports/worst.html
expect 0 sweep "$examples/ensembles/pendulum-table.yaml" --vary gravity[2]=-9.81,-1.62 -n 64 -o sweep
expect 0 report sweep -o reports/sweep.html
expect 0 report reports/planar reports/double -o reports/compared.html

# The tests find playwright-core beside them, in the folder where npm has put it.
cp -r "$TUMBLE_SOURCE_DIR/viewer/test" tests
ln -s "$TUMBLE_VIEWER/node_modules" node_modules
mkdir dist
cp "$TUMBLE_VIEWER/dist/report.html" dist/
cp -r "$TUMBLE_SOURCE_DIR/viewer/src" src
TUMBLE_REPORTS=$work/reports node --test tests/*.test.mjs
