# The integrators beside generalized-alpha: studies have the same bits over threads and when resumed, replays give their
# numbers, what is not offered is refused, and starts, beams and redundant joints work with all.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$(dirname "${BASH_SOURCE[0]}")/_study.sh"

for method in baumgarte multistep radau; do
  with=(--set simulation.integrator=$method --set study.store=all)
  expect 0 run swing.yaml -n 70 -o one-$method --threads 1 "${with[@]}"
  expect 0 run swing.yaml -n 70 -o two-$method --threads 2 "${with[@]}"
  expect 0 run swing.yaml -n 10 -o more-$method "${with[@]}"
  expect 0 run swing.yaml -n 70 -o more-$method --resume "${with[@]}"
  [ "$(hash_of one-$method)" = "$(hash_of two-$method)" ] || fail "$method: results depend on threads"
  [ "$(hash_of one-$method)" = "$(hash_of more-$method)" ] || fail "$method: results depend on how a study was extended"
  expect 0 replay one-$method 17
  /usr/bin/python3 - one-$method <<'PYTHON' || fail "$method: a replay differs from the study"
import netCDF4, sys
with netCDF4.Dataset(f"{sys.argv[1]}/results.nc") as study, netCDF4.Dataset(f"{sys.argv[1]}/replay-17/results.nc") as one:
    assert (study["tip_acceleration"][17] == one["tip_acceleration_nominal"][:]).all()
PYTHON
done
expect 0 run swing.yaml -n 70 -o alpha
/usr/bin/python3 - <<'PYTHON' || fail "the integrators do not agree"
import netCDF4
def mean(name):
    with netCDF4.Dataset(f"{name}/results.nc") as file:
        return file["tip_position_mean"][:].data
for other in ("one-baumgarte", "one-multistep", "one-radau"):
    error = abs(mean("alpha") - mean(other)).max()
    assert 0 < error < 1e-5, (other, error)
PYTHON

# Redundant hinges, a start in equilibrium, and a beam.
cat >machines.yaml <<'YAML'
gravity: [0, 2, -9.81]
bodies:
  door: {mass: 10, position: [0.4, 0, 1], inertia: [3, 3.5, 0.6]}
  weight: {mass: 1, position: [3.2, 0, 0], inertia: [0.01, 0.01, 0.01]}
beams:
  arm: {dimension: spatial, elements: 2, section: {rectangle: {height: 0.03, width: 0.02}}, youngs_modulus: 5e8,
    poisson_ratio: 0.3, density: 2000, line: [[0, 1, 0], [0.5, 1, 0]]}
joints:
  upper: {type: revolute, between: [ground, door], point: [0, 0, 1.8], axis: [0.1, 0, 1]}
  lower: {type: revolute, between: [ground, door], point: [-0.16, 0, 0.2], axis: [0.1, 0, 1]}
  pin: {type: revolute, between: [ground, weight], point: [3, 0, 0], axis: [0, 1, 0]}
  clamp: {type: fixed, between: [ground, arm.start], point: [0, 1, 0]}
forces:
  coil: {type: torsion_spring, between: [ground, weight], axis: [0, 1, 0], stiffness: 8, damping: 0.5}
  closer: {type: torsion_spring, between: [ground, door], axis: [0.1, 0, 1], stiffness: 30, damping: 2}
probes:
  edge: {body: door, point: [0.8, 0, 1], quantities: [position]}
  bob: {body: weight, quantities: [position]}
  tip: {beam: arm, at: 1, quantities: [position]}
simulation: {duration: 0.2, step: 5e-4, output_step: 0.01}
YAML
for start in described equilibrium; do
  for method in generalized-alpha baumgarte multistep radau; do
    expect 0 run machines.yaml -o $start-$method --set simulation.start=$start --set simulation.integrator=$method
  done
  /usr/bin/python3 - $start <<'PYTHON' || fail "the integrators do not agree on machines.yaml"
import netCDF4, sys
def values(method, name):
    with netCDF4.Dataset(f"{sys.argv[1]}-{method}/results.nc") as file:
        return file[name + "_position_nominal"][:].data
for name in ("edge", "bob", "tip"):
    for other in ("baumgarte", "multistep", "radau"):
        error = abs(values("generalized-alpha", name) - values(other, name)).max()
        assert error < 2e-5, (name, other, error)
PYTHON
done

expect 2 run pendulum.yaml -o no --set simulation.integrator=multistep --set simulation.step= --set simulation.accuracy=1e-3
says stderr.txt "steps are found for \`integrator: generalized-alpha\` and \`radau\` only"
expect 2 run pendulum.yaml -o no --set simulation.baumgarte_beta=10
says stderr.txt "baumgarte_beta = 10 1/s, is a number of \`integrator: baumgarte\`"
expect 2 run pendulum.yaml -o no --set simulation.integrator=multi-step
says stderr.txt "multistep"
expect 2 run pendulum.yaml -o no --set simulation.integrator=baumgarte --set simulation.baumgarte_alpha=-1
absent no

# A joint that drifts beyond what other methods allow is a warning, beyond what makes sense a failure.
long=(--set simulation.integrator=baumgarte --set simulation.duration=4 --set simulation.step=0.01
  --set simulation.output_step=0.5 --set simulation.baumgarte_alpha=0 --set simulation.baumgarte_beta=0)
expect 0 run pendulum.yaml -o drifted "${long[@]}" --set simulation.step=2e-3
says stderr.txt "joints have drifted apart"
