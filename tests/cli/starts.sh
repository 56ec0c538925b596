# Starts: half turns, starts of joints, velocities that are given, and what is said of changes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the source tree}"
classics=$TUMBLE_SOURCE_DIR/examples/classics

# last VARIABLE FILE, first VARIABLE FILE: a number of a scalar's series.
values() { ncdump -p 9,12 -v "$1" "$2" | sed -n "/^ $1 =/,/;/p" | tr -d ' ;}\n' | sed 's/.*=//' | tr ',' '\n'; }
first() { values "$1" "$2" | head -n 1; }
last() { values "$1" "$2" | tail -n 1; }
near() { python3 -c "import sys; sys.exit(abs($1 - ($2)) > 1e-6)" || fail "$3: $1, not $2"; }

cat >readme.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2.5, position: [0.5, 0, 0], inertia: [0.001, 0.21, 0.21]}
joints:
  hinge: {type: revolute, between: [ground, rod], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  hinge: {joint: hinge, quantities: [angle, angle_rate]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
YAML

# An angular velocity alone holds, and nothing is said.
expect 0 run readme.yaml -o spin --no-report --set bodies.rod.angular_velocity='[0, 5, 0]'
near "$(first hinge_angle_rate_nominal spin/results.nc)" 5 "rate at the start"
[ ! -s stderr.txt ] || fail "a start that holds is warned of"

# A velocity across the hinge vanishes, and that is said, kept, and can be refused.
across=(--set bodies.rod.velocity='[0, 3, 0]')
expect 0 run readme.yaml -o across --no-report "${across[@]}"
says stderr.txt "body 'rod' has the velocity"
says stderr.txt "joint 'hinge'"
ncdump -h across/results.nc >header.txt
says header.txt "start_velocity_change(changed_body)"
says header.txt "warnings"
near "$(first start_velocity_change across/results.nc)" 3 "change of the velocity"
expect 0 check readme.yaml "${across[@]}"
says stderr.txt "body 'rod' has the velocity"
expect 2 run readme.yaml -o refused "${across[@]}" --set simulation.on_changed_start=refuse
says stderr.txt "readme.yaml:3"
says stderr.txt "joint 'hinge'"
absent refused

# A start of a joint turns the machine; its values are parameters.
start=(--set joints.hinge.start='{angle: 8, rate: 5}')
expect 0 run readme.yaml -o start --no-report "${start[@]}"
near "$(first hinge_angle_nominal start/results.nc)" 8 "angle at the start"
near "$(first hinge_angle_rate_nominal start/results.nc)" 5 "rate at the start"
[ ! -s stderr.txt ] || fail "a start that was asked for is warned of"
expect 0 parameters readme.yaml "${start[@]}"
says stdout.txt "joints.hinge.start.angle"
expect 2 check readme.yaml "${start[@]}" --set bodies.rod.angular_velocity='[0, 4, 0]'
says stderr.txt "joint 'hinge'"
says stderr.txt "start.rate"

# Random starts: the same bits whatever the lanes.
cat >>readme.yaml <<'YAML'
uncertainty:
  joints.hinge.start.angle: {law: uniform, min: -9, max: 9}
  joints.hinge.start.rate: {law: normal, mean: 5, std: 1}
study: {method: monte-carlo, realizations: 20, seed: 1, store: all}
YAML
sed -i 's/axis: \[0, 1, 0\]}/axis: [0, 1, 0], start: {angle: 8, rate: 5}}/' readme.yaml
variables() { ncdump -p 9,17 "$1" | sed -n '/^data:/,$p'; }
for lanes in 1 4; do expect 0 run readme.yaml -o lanes$lanes --lanes $lanes --no-report; done
diff <(variables lanes1/results.nc) <(variables lanes4/results.nc) >difference.txt ||
  fail "lanes differ"
says stdout.txt "failed"

# A length that does not fit the drawing.
cat >link.yaml <<'YAML'
bodies:
  bob: {mass: 1, position: [0, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  link: {type: distance, between: [ground, bob], points: [[0, 0, 1], [0, 0, 0]], length: 1.25}
simulation: {duration: 0.01, step: 1e-3}
YAML
expect 0 check link.yaml
says stderr.txt "body 'bob' is moved by 0.25 m, because joint 'link' does not fit"

# Half turns.
cat >motor.yaml <<'YAML'
bodies:
  arm: {mass: 1, position: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}
drives:
  angle: {type: polynomial, coefficients: [0]}
joints:
  motor: {type: revolute, between: [ground, arm], point: [0, 0, 0], axis: [0, 0, 1], motion: {rz: angle}}
probes:
  motor: {joint: motor, quantities: [angle]}
simulation: {duration: 0.01, step: 1e-3}
YAML
for degrees in 91 200 -725; do
  expect 0 run motor.yaml -o motor --overwrite --no-report \
    --set "drives.angle.coefficients=[$degrees*deg]"
  near "$(last motor_angle_nominal motor/results.nc)" "$degrees*3.141592653589793/180" "motor"
done
expect 0 run "$classics/slider-crank.yaml" -o crank --no-report \
  --set 'drives.motor.coefficients=[2.5, 50]'
near "$(last main_angle_nominal crank/results.nc)" 22.5 "slider-crank"

sed 's/motor: {type.*/clamp: {type: fixed, between: [ground.a, arm.b]}/; /^drives/,/polynomial/d; /^probes/,/quantities/d' \
  motor.yaml >fixed.yaml
cat >>fixed.yaml <<'YAML'
ground: {markers: {a: {position: [0, 0, 0], orientation: {rotation_vector: [0, 0, 170*deg]}}}}
probes:
  arm: {body: arm, quantities: [rotation_vector]}
YAML
sed -i 's/inertia: \[0.01, 0.02, 0.02\]}/inertia: [0.01, 0.02, 0.02], markers: {b: {position: [0, 0, 0]}}}/' fixed.yaml
expect 0 run fixed.yaml -o fixed --no-report
near "$(last arm_rotation_vector_nominal fixed/results.nc)" "170*3.141592653589793/180" "fixed joint"
says stderr.txt "turned by 2.97 rad"
