# Numbers far out of range, and more than memory holds: a message that says what, never a wrong result.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

# An integer overflow made output_step of it.
expect 2 run pendulum.yaml --set simulation.step=1e-22
says stderr.txt "simulation: step = 1e-22 s, gives 1e+21 steps, at most 1e12 are allowed"
for value in 1e308 1e300 -1e16; do
  expect 2 run pendulum.yaml --set "bodies.bob.position[0]=$value"
  says stderr.txt "must be between -1e15 and 1e15, as every length"
  says stderr.txt "bodies.bob.position[0]=$value"
done
expect 2 run pendulum.yaml --set bodies.bob.mass=1e300
says stderr.txt "body 'bob': mass = 1e+300 kg, must be between -1e30 and 1e30, as every number"
absent out

# The same number in a realisation: it fails, and does not count.
{ pendulum && echo 'study: {method: table, file: rows.csv, max_failed: 0.5}'; } >swing.yaml
printf 'bodies.bob.position[0]\n0.5\n1e300\n0.6\n1e308\n' >rows.csv
expect 0 run swing.yaml -o study
says stdout.txt "failed: 2"
says stdout.txt "must be between -1e15 and 1e15, as every length"
/usr/bin/python3 - <<'PYTHON' || fail "wrong numbers were counted"
import netCDF4
import numpy as np
with netCDF4.Dataset("study/results.nc") as file:
    assert file.variables["status"][:].tolist() == [0, 1, 0, 1] or (file.variables["status"][[0, 2]] == 0).all()
    assert (file.variables["status"][[1, 3]] != 0).all()
    assert (file.variables["count"][:] == 2).all()
    assert np.abs(file.variables["tip_position_mean"][:]).max() < 2
PYTHON

# Elements are counted before a probe is made of each node.
cat >beam.yaml <<'YAML'
beams:
  arm:
    line: [[0, 0, 0], [1, 0, 0]]
    elements: 1000000000
    section: {rectangle: {height: 0.05, width: 0.01}}
    youngs_modulus: 2e7
    density: 7200
probes:
  p: {beam: arm, at: nodes, quantities: [position]}
simulation: {duration: 1, step: 0.01}
YAML
(
  ulimit -t 20 # seconds; it took all memory, which took longer
  expect 2 check beam.yaml
)
says stderr.txt "beam.yaml:4: beam 'arm': elements = 1000000000, must be between 1 and 10000"

# Not enough memory: what it was for. The address space of sanitizers has no such limit.
if (ulimit -v 2000000 && "$TUMBLE" --version) >/dev/null 2>&1; then
  status=0
  (ulimit -v 400000 && exec "$TUMBLE" run pendulum.yaml -o much --set simulation.duration=5000 \
    --set simulation.output_step=1e-3) >stdout.txt 2>stderr.txt || status=$?
  [ "$status" -eq 3 ] || fail "no memory gives $status"
  says stderr.txt "tumble: not enough memory for the run: 5000001 outputs of 11 numbers, 0.41 GiB"
  absent much/results.nc
fi
