# Bodies made of parts: against the body that they are, in studies, with laws of bodies, and what is refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the source tree}"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# A pendulum of a turned box, a rod with a bore, a point and a motor, in axes that fit none of them.
parts() {
  cat <<'YAML'
gravity: [0, 0.5, -9.81]
bodies:
  hammer:
    orientation: {rotation_vector: [0.3, -0.8, 0.4]}
    parts:
      head: {box: {size: [0.1, 0.3, 0.12]}, density: 7800, position: [0.1, 0, -0.9], orientation: {rotation_vector: [0.2, 0.5, -1]}}
      rod: {cylinder: {radius: 0.02, length: 0.9, axis: z}, density: 2700, position: [0.05, 0, -0.45], orientation: {rotation_vector: [0, 0, 0]}}
      bore: {cylinder: {radius: 0.01, length: 0.9, axis: z}, density: 2700, hole: true, position: [0.05, 0, -0.45], orientation: {rotation_vector: [0, 0, 0]}}
      screw: {mass: 0.3, position: [0.2, 0.1, -0.8]}
      motor: {mass: 1.5, inertia: [0.004, 0.006, 0.005, 0.001, 0, -0.0005], position: [0, -0.1, -0.3], orientation: {rotation_vector: [1, 0, 0]}}
joints:
  ball: {type: spherical, between: [ground, hammer], point: [0, 0, 0]}
probes:
  tip: {body: hammer, point: [0, 0, -1], quantities: [position, acceleration]}
  ball: {joint: ball, quantities: [force]}
simulation: {duration: 0.5, step: 1e-3, output_step: 0.01, newton_tolerance: 1e-12}
YAML
}
parts >parts.yaml

# The body that they are, by NumPy; and forty of them that differ in six numbers of the parts.
cat >bodies.py <<'PYTHON'
import numpy as np

def turn(v):
    v = np.array(v, float)
    a = np.linalg.norm(v)
    if a == 0:
        return np.eye(3)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]]) / a
    return np.eye(3) + np.sin(a) * k + (1 - np.cos(a)) * k @ k

def body(density=7800, width=0.1, radius=0.01, screw=0.3, y=0.1, xy=0.001):
    box = np.array([width, 0.3, 0.12])
    def cylinder(r, rho):
        m = rho * np.pi * r * r * 0.9
        return m, np.diag([m * (3 * r * r + 0.81) / 12] * 2 + [m * r * r / 2])
    m = density * box.prod()
    rod, bore = cylinder(0.02, 2700), cylinder(radius, -2700)
    motor = np.array([[0.004, xy, 0], [xy, 0.006, -0.0005], [0, -0.0005, 0.005]])
    parts = [(m, m / 12 * np.diag((box @ box) - box**2), [0.1, 0, -0.9], turn([0.2, 0.5, -1])),
             (*rod, [0.05, 0, -0.45], np.eye(3)), (*bore, [0.05, 0, -0.45], np.eye(3)),
             (screw, np.zeros((3, 3)), [0.2, y, -0.8], np.eye(3)), (1.5, motor, [0, -0.1, -0.3], turn([1, 0, 0]))]
    mass = sum(p[0] for p in parts)
    centre = sum(p[0] * np.array(p[2]) for p in parts) / mass
    J = np.zeros((3, 3))
    for m, own, at, R in parts:
        d = np.array(at) - centre
        J += R @ own @ R.T + m * (d @ d * np.eye(3) - np.outer(d, d))
    R = turn([0.3, -0.8, 0.4])
    J = R.T @ J @ R
    return [mass, *centre, J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
PYTHON
/usr/bin/python3 - <<'PYTHON'
import numpy as np
from bodies import body
text = open("parts.yaml").read()
begin, end = text.index("    parts:"), text.index("joints:")
b = [repr(float(x)) for x in body()]
twin = f"    mass: {b[0]}\n    position: [{', '.join(b[1:4])}]\n    inertia: [{', '.join(b[4:])}]\n"
open("twin.yaml", "w").write(text[:begin] + twin + text[end:])
rng = np.random.default_rng(5)
paths = ["head.density", '"head.box.size[0]"', "bore.cylinder.radius", "screw.mass", '"screw.position[1]"', '"motor.inertia[3]"']
own = ["mass"] + [f"position[{i}]" for i in range(3)] + [f"inertia[{i}]" for i in range(6)]
with open("parts.csv", "w") as a, open("twin.csv", "w") as c:
    a.write(",".join("bodies.hammer.parts." + p.strip('"') for p in paths) + "\n")
    c.write(",".join("bodies.hammer." + p for p in own) + "\n")
    for _ in range(40):
        x = np.array([7800, 0.1, 0.01, 0.3, 0.1, 0.001]) * (1 + 0.3 * rng.uniform(-1, 1, 6))
        a.write(",".join(repr(float(v)) for v in x) + "\n")
        c.write(",".join(repr(float(v)) for v in body(*x)) + "\n")
for name in ("parts", "twin"):
    text = open(name + ".yaml").read()
    open(f"{name}-study.yaml", "w").write(text + f"study: {{method: table, file: {name}.csv, store: all}}\n")
PYTHON
for model in parts twin parts-study twin-study; do
  expect 0 run "$model.yaml" -o "$model" --no-report
done
/usr/bin/python3 - <<'PYTHON' || fail "parts move otherwise than the body that they are"
import netCDF4
import numpy as np
for pair, suffix in ((("parts", "twin"), "_nominal"), (("parts-study", "twin-study"), "")):
    a, b = (netCDF4.Dataset(f"{x}/results.nc") for x in pair)
    # Accelerations and forces have what rounding of positions, 1e-16 m, makes of them at a step of 1 ms.
    for name, bar in (("tip_position", 1e-11), ("tip_acceleration", 1e-7), ("ball_force", 1e-7)):
        x, y = (np.ma.filled(d[name + suffix][:].astype(float)) for d in (a, b))
        assert x.shape == y.shape and x.size > 100
        error = abs(x - y).max() / abs(y).max()
        assert error < bar, (name + suffix, error)
PYTHON

# The same bits whatever the threads and lanes; a replay has those of the study.
whole=$(hash_of parts-study)
for settings in "--threads 1 --lanes 1" "--threads 1 --lanes 4" "--threads 2 --lanes 8"; do
  expect 0 run parts-study.yaml -o other --no-report $settings --overwrite
  [ "$(hash_of other)" = "$whole" ] || fail "$settings: other bits"
done
expect 0 replay parts-study 17
diff <(values parts-study/results.nc tip_position 17) <(values parts-study/replay-17/results.nc tip_position_nominal) || fail "replay"

# Numbers of parts are parameters; what follows from them is none.
expect 0 parameters parts.yaml
says stdout.txt "bodies.hammer.parts.bore.cylinder.radius"
! grep -q "bodies.hammer.mass\|bodies.hammer.inertia" stdout.txt || fail "mass is a parameter"
expect 0 check parts.yaml --set bodies.hammer.parts.screw.position[1]=0.2
expect 2 check parts.yaml --set bodies.hammer.mass=3
says stderr.txt "body 'hammer': mass [kg], must be left out: it follows from the parts"
expect 2 check parts.yaml --set bodies.hammer.parts.scrw.mass=3
says stderr.txt "screw"
expect 2 check parts.yaml --set bodies.hammer.parts.screw.mass=-3
says stderr.txt "part 'hammer.screw': mass = -3 kg, must be >= 0"

# A law of a part's number, for other simulators too.
{ parts && echo 'uncertainty: {bodies.hammer.parts.screw.mass: {law: gamma, mean: 0.3, cv: 0.2}}'; } >random.yaml
expect 0 sample random.yaml -n 3 -o draws.csv
expect 0 sample random.yaml -n 3 --format urdf -o bodies.xml
/usr/bin/python3 - <<'PYTHON' || fail "sample in URDF"
import csv
import xml.etree.ElementTree as xml
from bodies import body
masses = [float(e.get("value")) for e in xml.parse("bodies.xml").iter("mass")]
rows = [float(r["bodies.hammer.parts.screw.mass"]) for r in csv.DictReader(open("draws.csv"))]
assert len(masses) == 3 and len(set(masses)) == 3
assert all(abs(m - body(screw=s)[0]) < 1e-12 for m, s in zip(masses, rows)), (masses, rows)
PYTHON

# Laws of the body take what the parts give for the mean, z_max what they fill; nothing varies twice.
{ parts && echo 'uncertainty: {hammer: {mass: {cv: 0.2}, center_of_mass: {ball: {center: [0.09, 0, -0.8], radius: 0.15}}}}'; } >law.yaml
expect 0 laws law.yaml --json
expect 0 run law.yaml --set 'study={method: sobol, realizations: 64, seed: 1}' -o law --no-report
{ parts && echo 'uncertainty: {hammer: {inertia: {delta: 0.2, z_max: shape}}}'; } >shape.yaml
expect 2 laws shape.yaml
says stderr.txt "the part 'motor' is an inertia without a shape"
sed -i '/motor:/d' shape.yaml
expect 0 laws shape.yaml
sed 's/^uncertainty: {/uncertainty: {bodies.hammer.parts.screw.mass: {law: gamma, mean: 0.3, cv: 0.2}, /' law.yaml >both.yaml
expect 2 check both.yaml
says stderr.txt "cannot vary beside the law of the body 'hammer'"
{ parts && echo 'uncertainty: {bodies.hammer.mass: {law: gamma, mean: 20, cv: 0.2}}'; } >mass.yaml
expect 2 check mass.yaml
says stderr.txt "follows from the parts of the body: give laws to numbers of theirs, such as bodies.hammer.parts.head.density"

# Derivatives by numbers of parts, against differences.
expect 0 derivatives parts.yaml --of 'bodies.hammer.parts.screw.position[1]' -o d.nc
# The nominal body stays, as in a realisation: a study of two rows.
printf 'bodies.hammer.parts.screw.position[1]\n0.0999\n0.1001\n' >sides.csv
sed 's/parts.csv/sides.csv/' parts-study.yaml >sides.yaml
expect 0 run sides.yaml -o sides --no-report
/usr/bin/python3 - <<'PYTHON' || fail "derivatives by a number of a part"
import netCDF4
import numpy as np
d = np.array(netCDF4.Dataset("d.nc")["tip_position_derivative"][0])
left, right = np.array(netCDF4.Dataset("sides/results.nc")["tip_position"][:])
difference = (right - left) / 0.0002
assert abs(d).max() > 1e-4 and abs(d - difference).max() < 1e-4 * abs(difference).max(), abs(d - difference).max()
PYTHON

# The example runs, and the page shows its parts.
expect 0 run "$TUMBLE_SOURCE_DIR/examples/bodies/rotor.yaml" -o rotor
