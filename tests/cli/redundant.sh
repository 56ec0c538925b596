# Joints that repeat each other: what is said of them, marked in results, and refused; and starts in singular positions.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
python=${TUMBLE_PYTHON:-/usr/bin/python3}

# A parallelogram of four hinges in space, its cranks upright and 1 m long.
cat >four.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  left: {mass: 1, position: [0, 0, 0.5], inertia: [0.0834, 0.0834, 0.001]}
  coupler: {mass: 2, position: [1, 0, 1], inertia: [0.001, 0.667, 0.667]}
  right: {mass: 1, position: [2, 0, 0.5], inertia: [0.0834, 0.0834, 0.001]}
joints:
  left_foot: {type: revolute, between: [ground, left], point: [0, 0, 0], axis: [0, 1, 0]}
  left_top: {type: revolute, between: [left, coupler], point: [0, 0, 1], axis: [0, 1, 0]}
  right_foot: {type: revolute, between: [ground, right], point: [2, 0, 0], axis: [0, 1, 0]}
  right_top: {type: revolute, between: [right, coupler], point: [2, 0, 1], axis: [0, 1, 0]}
forces:
  spring: {type: torsion_spring, between: [ground, left], axis: [0, 1, 0], stiffness: 60}
probes:
  coupler: {body: coupler, quantities: [position]}
  foot: {joint: left_foot, quantities: [force, torque]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
YAML
expect 0 check four.yaml
says stdout.txt "3 of 20 conditions are redundant"
expect 0 run four.yaml -o single
says stderr.txt "3 of 20 conditions are redundant"
expect 0 run four.yaml -o study -n 8 --set 'uncertainty={bodies.coupler.mass: {law: uniform, min: 1, max: 3}}' \
  --set study.method=monte-carlo
"$python" - <<'PYTHON' || fail "reactions are not marked"
import netCDF4
for directory, statistics in ("single", ["nominal"]), ("study", ["nominal", "mean", "std"]):
    with netCDF4.Dataset(directory + "/results.nc") as data:
        assert "3 of 20 conditions" in data.redundancy, directory
        for statistic in statistics:
            assert data["foot_force_" + statistic].undetermined == "y", (directory, statistic)
            assert data["foot_torque_" + statistic].undetermined == "x z", (directory, statistic)
            assert "undetermined" not in data["coupler_position_" + statistic].ncattrs(), (directory, statistic)
PYTHON
says single/report.html "not determined by the motion, least-norm values: x z"

# Refused, with a change that works as it is printed.
expect 2 run four.yaml -o none --set simulation.redundancy=refuse
absent none
says stderr.txt "make joint 'right_top' one of"
remedy=$(grep -o '`type: general[^`]*`' stderr.txt | tr -d '`')
sed "s/^  right_top: .*/  right_top: {$remedy, between: [right, coupler], point: [2, 0, 1]}/" four.yaml >planar.yaml
expect 0 check planar.yaml --set simulation.redundancy=refuse

# At rest the feet stand on their springs; one angle vibrates: (60 - g (1 + 2)) / (2 (0.0834 + 0.25) + 2).
expect 0 equilibrium four.yaml
says stderr.txt "3 of 20 conditions are redundant"
says stdout.txt "N  (not determined: y)"
says stdout.txt "N m  (not determined: x, z)"
expect 0 equilibrium four.yaml --json
"$python" -c 'import json, sys; foot = json.load(open("stdout.txt"))[0]["foot"]
assert foot["torque_undetermined"] == ["x", "z"] and abs(foot["force"][2] - 2 * 9.81) < 1e-8, foot' ||
  fail "the equilibrium in JSON"
expect 0 modes four.yaml --json
"$python" -c 'import json, math; modes = json.load(open("stdout.txt"))
assert len(modes) == 1, modes
assert abs(2 * math.pi * modes[0]["frequency"] - math.sqrt((60 - 3 * 9.81) / (2 * 0.3334 + 2))) < 1e-8, modes' ||
  fail "the frequency"

# Lying flat it could go on as a parallelogram or folded: redundant and singular at once.
cat >flat.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  left: {mass: 1, position: [0.5, 0, 0], inertia: [0.001, 0.0834, 0.0834]}
  coupler: {mass: 2, position: [2, 0, 0], inertia: [0.001, 0.667, 0.667]}
  right: {mass: 1, position: [2.5, 0, 0], inertia: [0.001, 0.0834, 0.0834]}
joints:
  left_foot: {type: revolute, between: [ground, left], point: [0, 0, 0], axis: [0, 1, 0]}
  left_top: {type: revolute, between: [left, coupler], point: [1, 0, 0], axis: [0, 1, 0]}
  right_foot: {type: revolute, between: [ground, right], point: [2, 0, 0], axis: [0, 1, 0]}
  right_top: {type: revolute, between: [right, coupler], point: [3, 0, 0], axis: [0, 1, 0]}
probes:
  coupler: {body: coupler, quantities: [position]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
YAML
expect 2 run flat.yaml -o none
absent none
says stderr.txt "the mechanism starts in a singular position, from which it can go on in more than one way"
says stderr.txt "turn it by a small angle (0.01 rad) to the side it shall move to"
