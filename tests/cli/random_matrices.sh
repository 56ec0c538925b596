# Bushings that are random as a whole: the matrices behind a study's numbers, every method, and what is refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the source tree}"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# A mount that is pushed by 1 mm: its force and moment are a column of its stiffness matrix.
mount() {
  cat <<'YAML'
bodies:
  plate: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [ground, plate], point: [0, 0, 0], axis: [0, 0, 1], motion: {z: push}}
drives:
  push: {type: polynomial, coefficients: [0, 0, 0.1]}
forces:
  mount:
    type: bushing
    between: [ground, plate]
    point: [0, 0, 0]
    stiffness: [[2e5, 0, 4e4, 0, 0, 0], [0, 1.5e5, 0, 0, 0, 0], [4e4, 0, 3e5, 0, -1200, 0], [0, 0, 0, 250, 0, 0], [0, 0, -1200, 0, 300, 0], [0, 0, 0, 0, 0, 0]]
probes:
  mount: {force: mount, quantities: [force, torque]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.1}
uncertainty: {mount: {stiffness: {delta: 0.3}}}
YAML
}
{ mount && echo 'study: {method: monte-carlo, realizations: 400, seed: 2, store: all}'; } >mount.yaml
expect 0 check mount.yaml
expect 0 laws mount.yaml
says stdout.txt "matrices.mount.stiffness.germ[0]"
expect 0 run mount.yaml -o mount --no-report
says stderr.txt "matrix mount.stiffness: 5 rows, dispersion 0.3, made of 15 independent numbers"

# The matrix from the numbers, by NumPy: R L^T L R^T of the five rows that are not zero.
/usr/bin/python3 - <<'PYTHON' || fail "not the matrix of the numbers"
import netCDF4
import numpy as np
data = netCDF4.Dataset("mount/results.nc")
K = np.array([[2e5, 0, 4e4, 0, 0], [0, 1.5e5, 0, 0, 0], [4e4, 0, 3e5, 0, -1200], [0, 0, 0, 250, 0], [0, 0, -1200, 0, 300]])
R = np.linalg.cholesky(K)
names = [str(n) for n in data["input"][:]]
assert names == [f"matrices.mount.stiffness.germ[{i}]" for i in range(15)], names
germs = np.array(data["inputs"][:])
force, torque = np.array(data["mount_force"][:, -1]), np.array(data["mount_torque"][:, -1])
G = []
for germ, f, t in zip(germs, force, torque):
    L = np.diag(np.sqrt(germ[:5]))
    L[np.triu_indices(5, 1)] = germ[5:]
    G.append(L.T @ L)
    column = (R @ G[-1] @ R.T)[:, 2] * 1e-3
    # What acts on the plate.
    assert np.allclose(f, -column[:3], rtol=1e-9, atol=1e-9), (f, column)
    assert np.allclose(t, [*-column[3:], 0], rtol=1e-9, atol=1e-9), (t, column)
G = np.array(G)
assert (np.linalg.eigvalsh(G) > 0).all()
# Mean and dispersion within five standard errors.
assert (abs(G.mean(axis=0) - np.eye(5)) < 5 * np.sqrt(2 * 0.09 / 6 / 400)).all()
d = ((G - np.eye(5)) ** 2).sum(axis=(1, 2)) / 5
assert abs(d.mean() - 0.09) < 5 * d.std() / 20, d.mean()
nominal = np.array(data["mount_force_nominal"][-1])
assert np.allclose(nominal, [-40, 0, -300], rtol=1e-9), nominal
PYTHON
whole=$(hash_of mount)
for settings in "--threads 1 --lanes 1" "--threads 2 --lanes 4" "--threads 1 --lanes 8"; do
  expect 0 run mount.yaml -o other --no-report $settings --overwrite
  [ "$(hash_of other)" = "$whole" ] || fail "$settings: other bits"
done
expect 0 sample mount.yaml -n 400 -o draws.csv
sed 's/^uncertainty.*//; s/^study.*/study: {method: table, file: draws.csv}/' mount.yaml >table.yaml
expect 2 check table.yaml
says stderr.txt "matrices.mount.stiffness.germ[0]"

# Every method that knows scalars.
for study in "method: sobol, realizations: 128" "method: latin-hypercube, realizations: 128" \
  "method: chaos, chaos: {points: regression, degree: 2, runs: 300}" \
  "method: sensitivity, realizations: 96"; do
  sed "s/^study.*/study: {$study, seed: 1}/" mount.yaml >method.yaml
  expect 0 run method.yaml -o method --no-report --overwrite
done

# Two mounts of one batch have the same draw; the same matrix twice is the same force twice.
sed 's/^probes:/  twin:\n    type: bushing\n    between: [ground, plate]\n    point: [0, 0, 0]\n    stiffness: [1e5, 1e5, 2e5, 100, 100, 0]\nprobes:\n  twin: {force: twin, quantities: [force]}/' mount.yaml |
  sed 's/^uncertainty.*/uncertainty: {mount: {stiffness: {delta: 0.3, variable: batch}}, twin: {stiffness: {delta: 0.3, variable: batch}}}/' >batch.yaml
expect 0 run batch.yaml -o batch --no-report
/usr/bin/python3 - <<'PYTHON' || fail "mounts of one batch"
import netCDF4
data = netCDF4.Dataset("batch/results.nc")
names = [str(n) for n in data["input"][:]]
a, b = names.index("matrices.mount.stiffness.germ[3]"), names.index("matrices.twin.stiffness.germ[3]")
assert (data["inputs"][:, a] == data["inputs"][:, b]).all() and data["inputs"][:, a].std() > 0
PYTHON

# refused FIELDS TEXT: as the law of the mount.
refused() {
  sed "s/^uncertainty.*/uncertainty: $1/" mount.yaml >refused.yaml
  expect 2 check refused.yaml
  says stderr.txt "$2"
}
refused '{mount: {stiffness: {delta: 0.9}}}' "delta = 0.9 must be above 0 and below sqrt((n+1)/(n+5)) = 0.7746 for n = 5 rows"
refused '{mount: {stiffness: {delta: -1}}}' "must be > 0"
refused '{mount: {damping: {delta: 0.1}}}' "the nominal matrix is zero"
refused '{mount: {}}' "must have stiffness or damping"
refused '{mount: {stifness: {delta: 0.1}}}' "did you mean 'stiffness'"
refused '{mount: {stiffness: {delta: 0.1}}, "forces.mount.stiffness[7]": {law: uniform, min: 1, max: 2}}' "varies already"
sed 's/4e4, 0, 0, 0\], \[0, 1.5e5/3e4, 0, 0, 0], [0, 1.5e5/' mount.yaml >skew.yaml
expect 2 check skew.yaml
says stderr.txt "the nominal matrix must be symmetric, but [2][0] = 40000 and [0][2] = 30000"
sed 's/2e5, 0, 4e4/100, 0, 4e4/' mount.yaml >indefinite.yaml
expect 2 check indefinite.yaml
says stderr.txt "must be positive definite"
sed 's/^study.*/study: {method: worst-case}/' mount.yaml >worst.yaml
expect 2 run worst.yaml -o worst
says stderr.txt "a random matrix has no bounds"
