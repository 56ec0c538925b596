# Flexible bodies: from matrices of finite elements to studies with a random modal stiffness, and what is refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the source tree}"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
examples=$TUMBLE_SOURCE_DIR/examples/flexible

# The shipped matrices are those of the script, the shipped body is that of the matrices.
/usr/bin/python3 "$examples/make_arm.py" .
for file in arm.M.mtx arm.K.mtx arm.nodes.csv arm.lines.csv; do
  cmp "$file" "$examples/$file" || fail "$file is not what make_arm.py makes"
done
reduce() {
  expect "$1" modal-body --mass arm.M.mtx --stiffness arm.K.mtx --nodes arm.nodes.csv --lines arm.lines.csv "${@:2}"
}
reduce 0 --interface 0,20 --modes 6 -o arm.nc
says stdout.txt "12 modes of the free body, 2 interfaces, 6 fixed-interface modes: arm.nc"
reduce 2 --interface 0,20 -o arm.nc
reduce 0 --interface 0,20 --modes 6 -o arm.nc --overwrite
reduce 0 --interface 0,20 --modes 40 -o many.nc
/usr/bin/python3 - "$examples" <<'PYTHON' || fail "not the body of its matrices"
import sys
import netCDF4
import numpy as np
made, shipped = netCDF4.Dataset("arm.nc"), netCDF4.Dataset(sys.argv[1] + "/arm.nc")
for name in ("mass", "centre_of_mass", "inertia", "modal_stiffness", "node_position"):
    assert np.allclose(made[name][...], shipped[name][...], rtol=1e-9, atol=1e-12), name
# The lowest frequencies of the free arm against all of its unknowns, without reduction.
def matrix(path):
    rows = [line.split() for line in open(path) if not line.startswith("%")]
    a = np.zeros((int(rows[0][0]),) * 2)
    for i, j, x in rows[1:]:
        a[int(i) - 1, int(j) - 1] = a[int(j) - 1, int(i) - 1] = float(x)
    return a
M, K = matrix("arm.M.mtx"), matrix("arm.K.mtx")
L = np.linalg.cholesky(M)
A = np.linalg.solve(L, np.linalg.solve(L, K).T)
square = np.sort(np.linalg.eigvalsh((A + A.T) / 2))[6:]
found = made["modal_stiffness"][:] / made["modal_mass"][:]
# Vibrations held at both ends are a good basis for the lowest ones; their frequencies are bounds from above.
assert (found[:6] > square[:6] * (1 - 1e-6)).all() and (found[:4] < square[:4] * 1.01).all(), (found[:6], square[:6])
many = netCDF4.Dataset("many.nc")["modal_stiffness"][:]
assert np.allclose(many[:6], square[:6], rtol=2e-4), (many[:6], square[:6])
PYTHON

# A free arm: its vibrations are those of the matrix that the study's numbers make, its stiffness positive definite in every draw.
cat >free.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  arm: {modal: {file: arm.nc, origin: [0, 0, 0], modes: 5, rates: [0.2, -0.1]}}
  tip: {node: {of: arm, number: 20}}
probes:
  tip: {body: tip, quantities: [position]}
  all: {system: true, quantities: [total_energy]}
simulation: {duration: 0.05, step: 1e-3, output_step: 0.01}
quantities:
  lowest: {kind: eigenfrequency, mode: 7, about: start}
  highest: {kind: eigenfrequency, mode: 11, about: start}
uncertainty: {arm: {modal_stiffness: {delta: 0.3}}}
study: {method: monte-carlo, realizations: 200, seed: 4, store: all}
YAML
expect 0 check free.yaml
expect 0 modes free.yaml --at-start -n 12
expect 0 run free.yaml -o free --no-report
says stderr.txt "matrix arm.modal_stiffness: 5 rows, dispersion 0.3, made of 15 independent numbers"
/usr/bin/python3 - <<'PYTHON' || fail "not the vibrations of the random matrix"
import netCDF4
import numpy as np
data, body = netCDF4.Dataset("free/results.nc"), netCDF4.Dataset("arm.nc")
k = np.array(body["modal_stiffness"][:5])
names = [str(n) for n in data["input"][:]]
assert names == [f"matrices.arm.modal_stiffness.germ[{i}]" for i in range(15)], names
mean, squares = np.zeros((5, 5)), []
for germ, low, high in zip(np.array(data["inputs"][:]), data["quantity_lowest"][:], data["quantity_highest"][:]):
    L = np.diag(np.sqrt(germ[:5]))
    L[np.triu_indices(5, 1)] = germ[5:]
    G = L.T @ L
    mean += G / 200
    R = np.diag(np.sqrt(k))
    values = np.linalg.eigvalsh(R @ G @ R)
    squares.append(values)
    assert values[0] > 0
    assert np.allclose([low, high], np.sqrt(values[[0, -1]]) / 2 / np.pi, rtol=1e-6), (low, high, values)
# E tr(K) = tr of the mean; five standard errors of entries of G, var = 2 delta^2/(n+1) at most.
assert (abs(mean - np.eye(5)) < 5 * np.sqrt(2 * 0.09 / 6 / 200)).all(), mean
PYTHON
whole=$(hash_of free)
for settings in "--threads 1 --lanes 1" "--threads 2 --lanes 4" "--threads 1 --lanes 8"; do
  expect 0 run free.yaml -o other --no-report $settings --overwrite
  [ "$(hash_of other)" = "$whole" ] || fail "$settings: other bits"
done

# Every number is a parameter.
cp "$examples/arm.yaml" .
expect 0 parameters arm.yaml
for path in bodies.arm.mass bodies.arm.modal.mass_factor bodies.arm.modal.stiffness_factor "bodies.arm.modal.rayleigh[1]"; do
  says stdout.txt "$path"
done
! grep -q "bodies.tip\|modal.origin" stdout.txt || fail "a node has parameters"
expect 0 modes arm.yaml -n 3
expect 0 equilibrium arm.yaml
expect 0 linearize arm.yaml
says stdout.txt "arm.mode_"
expect 2 fmu arm.yaml -o arm.fmu

# The three integrators, which have little in common, agree; derivatives are those of differences. Steps of 0.25 ms leave 1e-6 of a
# tip that moves by a metre, differences of 0.1 % leave (1e-3)^2 times the third derivative, which grows with the number of vibrations.
run_one() {
  expect 0 run arm.yaml -o "$1" --no-report --set study='{method: monte-carlo, realizations: 1}' --set simulation.newton_tolerance=1e-12 "${@:2}"
}
for integrator in generalized-alpha baumgarte multistep; do
  run_one "$integrator" --set simulation.integrator=$integrator --set simulation.step=2.5e-4
done
run_one more --set bodies.arm.modal.stiffness_factor=1.001
run_one less --set bodies.arm.modal.stiffness_factor=0.999
expect 0 derivatives arm.yaml -o by.nc --set simulation.newton_tolerance=1e-12 --of bodies.arm.modal.stiffness_factor
/usr/bin/python3 - <<'PYTHON' || fail "other motions"
import netCDF4
tip = lambda name: netCDF4.Dataset(name + "/results.nc")["tip_position_nominal"][:]
for name in ("baumgarte", "multistep"):
    assert abs(tip(name) - tip("generalized-alpha")).max() < 1e-6, name
slope = (tip("more") - tip("less")) / 0.002
exact = netCDF4.Dataset("by.nc")["tip_position_derivative"][0]
assert abs(slope - exact).max() < 1e-3 * abs(exact).max()
PYTHON

# In steady rotation: a flexible body stands still in the frame that turns with its node.
sed 's/turn: {type: smooth_step.*/turn: {type: polynomial, coefficients: [0, 20]}/' arm.yaml >spin.yaml
expect 0 modes spin.yaml -n 2
says stderr.txt "in steady motion with the drives; seen from a frame that turns at 20 rad/s"

# What is refused.
refused() {
  expect 2 check arm.yaml "${@:2}"
  says stderr.txt "$1"
}
refused "body 'tip': node.number = 99, must be a node of the file: 0, 20" --set bodies.tip.node.number=99
refused "mass [kg], must be left out: the file of a flexible body has it" --set bodies.arm.mass=3
refused "position [m], must be left out: a node follows its flexible body" --set bodies.tip.position='[0, 0, 0]'
refused "must be a flexible body" --set bodies.tip.node.of=sensor
refused "must be between 0 and 12" --set bodies.arm.modal.modes=13
refused "must be > 0" --set bodies.arm.modal.stiffness_factor=0
refused "body 'arm'" --set bodies.arm.modal.file=nowhere.nc
refused "is no netCDF file" --set bodies.arm.modal.file=arm.yaml
refused "has no \`modal\`" --set uncertainty='{sensor: {modal_stiffness: {delta: 0.1}}}'
refused "must have one value, or one of each mode, 8" --set bodies.arm.modal.damping='[0.1, 0.2]'
reduce 2 --interface 0,33 -o other.nc
says stderr.txt "there is no node 33"
reduce 2 --interface 0,x -o other.nc
says stderr.txt "must be the number of a node"
sed '3s/.*/1 9 7/' arm.K.mtx >bad.mtx
expect 2 modal-body --mass arm.M.mtx --stiffness bad.mtx --nodes arm.nodes.csv --interface 0 -o other.nc
says stderr.txt "bad.mtx:3:"
absent other.nc
