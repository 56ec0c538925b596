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
for lanes in 1 4; do expect 0 run readme.yaml -o simple$lanes --lanes $lanes --no-report; done
diff <(variables simple1/results.nc) <(variables simple4/results.nc) >difference.txt ||
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
expect 2 check link.yaml --set joints.link.start='{length: 1.25, length_rate: 0.1}'
says stderr.txt "start.length_rate"
# The drawing still says 1 m: a start moves the machine from a description that fits.
expect 0 check link.yaml --set joints.link.start='{length: 1.25, length_rate: 0}'
says stderr.txt "body 'bob' is moved by 0.25 m"
expect 0 check link.yaml --set joints.link.length=1 --set joints.link.start='{length: 1, length_rate: 0}'
[ ! -s stderr.txt ] || fail "a start that fits is warned of"

# Starts of every kind, at random: what each realisation changes is counted, and lanes, resumption and ranks give the
# same bits.
cat >shaft.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  drum: {mass: 2, position: [0, 0, 0.1], inertia: [0.02, 0.02, 0.03]}
  arm: {mass: 1, position: [0.3, 0, 0.2], inertia: [0.001, 0.02, 0.02]}
  bob: {mass: 1, position: [0.6, 0, 0], inertia: [0.01, 0.01, 0.01]}
  ball: {mass: 1, position: [1, 0, 0.3], inertia: [0.01, 0.01, 0.01]}
  slide: {mass: 1, position: [2, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  bearing: {type: revolute, between: [ground, drum], point: [0, 0, 0], axis: [0, 0, 1], start: {angle: 200*deg, rate: 1}}
  cardan:
    {type: universal, between: [drum, arm], point: [0, 0, 0.2], axis_first: [1, 0, 0], axis_second: [0, 1, 0],
     start: {angle_first: 0.1, rate_first: 1, angle_second: 0.2, rate_second: -1}}
  link: {type: distance, between: [ground, bob], points: [[0.6, 0, 1], [0.6, 0, 0]], length: 1}
  socket: {type: spherical, between: [ground, ball], point: [1, 0, 0],
     start: {rotation_vector: [0, 3, 1], angular_velocity: [1, 0, 2]}}
  table: {type: general, between: [ground, slide], point: [2, 0, 0], locked: [z, rx, ry],
     start: {x: 0.1, y_rate: 2, rz: 4, rz_rate: -1}}
forces:
  coil: {type: bushing, between: [ground, drum], point: [0, 0, 0], stiffness: [0, 0, 0, 0, 0, 0.1]}
probes:
  bearing: {joint: bearing, quantities: [angle, angle_rate]}
  drum: {body: drum, quantities: [euler_123]}
  coil: {force: coil, quantities: [torque]}
  arm: {body: arm, quantities: [angular_velocity, orientation]}
  bob: {body: bob, quantities: [position]}
  ball: {body: ball, quantities: [position, angular_velocity]}
  slide: {body: slide, quantities: [position, euler_123]}
simulation: {duration: 0.02, step: 1e-3, output_step: 0.01, time_error: false}
uncertainty:
  joints.bearing.start.angle: {law: uniform, min: -13, max: 13}
  joints.cardan.start.angle_first: {law: uniform, min: -13, max: 13}
  joints.cardan.start.rate_second: {law: uniform, min: -3, max: 3}
  joints.socket.start.rotation_vector[1]: {law: uniform, min: -7, max: 7}
  joints.socket.start.angular_velocity[2]: {law: uniform, min: -3, max: 3}
  joints.table.start.rz: {law: uniform, min: -7, max: 7}
  joints.table.start.x: {law: uniform, min: -1, max: 1}
  joints.link.length: {law: discrete, values: [1, 1.25], weights: [0.5, 0.5]}
study: {method: monte-carlo, realizations: 130, seed: 1, store: all}
YAML
expect 0 parameters shaft.yaml
for path in cardan.start.angle_second socket.start.angular_velocity[2] table.start.y_rate; do
  says stdout.txt "joints.$path"
done
expect 0 run shaft.yaml -o whole --lanes 8 --no-report
says stdout.txt "failed: 0"
/usr/bin/python3 - whole/results.nc "$(cat stderr.txt)" <<'PYTHON' || fail "starts of realisations"
import sys
import netCDF4
import numpy as np
with netCDF4.Dataset(sys.argv[1]) as file:
    inputs = dict(zip(file["input"][:], np.asarray(file["inputs"][:]).T))
    drum, first = inputs["joints.bearing.start.angle"], inputs["joints.cardan.start.angle_first"]
    def at_start(name):
        return np.asarray(file[name][:])[:, 0]
    def close(a, b):
        assert np.max(np.abs(a - b)) < 1e-9, (a, b)
    close(at_start("bearing_angle"), drum)
    close(at_start("drum_euler_123")[:, 2], drum)
    close(at_start("coil_torque")[:, 2], -0.1 * drum)  # on the drum, against its turn
    close(at_start("slide_euler_123")[:, 2], inputs["joints.table.start.rz"])
    close(at_start("slide_position")[:, 0], 2 + inputs["joints.table.start.x"])
    close(at_start("ball_angular_velocity")[:, 2], inputs["joints.socket.start.angular_velocity[2]"])
    # The arm's own rate: that of the drum, of the cross and of the arm on it, added up.
    c, s = np.cos, np.sin
    x = np.stack([c(drum), s(drum), 0 * drum], 1)
    y = np.stack([-s(drum) * c(first), c(drum) * c(first), s(first)], 1)
    w = np.array([[0, 0, 1.0]]) + x + inputs["joints.cardan.start.rate_second"][:, None] * y
    close(at_start("arm_angular_velocity"), w)
    changed = int(np.sum(inputs["joints.link.length"] == 1.25))
    assert 40 < changed < 90
    sentence = f"the start differs from the description in {changed} of 130 realisations"
    assert sys.argv[2].count("differs") == 1 and sentence in sys.argv[2], sys.argv[2]
    assert sentence in file.warnings
PYTHON
for lanes in 1 4; do
  expect 0 run shaft.yaml -o lanes$lanes --lanes $lanes --threads 1 --no-report
  diff <(variables whole/results.nc) <(variables lanes$lanes/results.nc) >difference.txt || fail "$lanes lanes"
done
cp stderr.txt warned.txt
expect 0 run shaft.yaml -o part -n 70 --no-report --keep-journal
expect 0 run shaft.yaml -o part --resume --no-report
diff warned.txt stderr.txt >difference.txt || fail "resumption counts other starts"
diff <(variables whole/results.nc) <(variables part/results.nc) >difference.txt || fail "resumption: other bits"
if [[ $(ldd "$TUMBLE") == *libmpi* ]]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl=self,vader
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_odls_base_sigkill_timeout=0 TMPDIR=$work
  timeout 120 mpirun -n 2 "$TUMBLE" run shaft.yaml -o ranks --threads 1 --no-report >stdout.txt 2>stderr.txt ||
    fail "two ranks"
  diff warned.txt stderr.txt >difference.txt || fail "ranks count other starts"
  diff <(variables whole/results.nc) <(variables ranks/results.nc) >difference.txt || fail "ranks: other bits"
else
  echo "built without MPI: ranks were left out"
fi

# With refuse a realisation whose start differs fails, and says why.
expect 1 run shaft.yaml -o refused --no-report --set simulation.on_changed_start=refuse
says stdout.txt "because joint 'link' does not fit"
says stderr.txt "realisations failed"
expect 0 run shaft.yaml -o allowed --no-report --set simulation.on_changed_start=refuse --set study.max_failed=1
/usr/bin/python3 - allowed/results.nc <<'PYTHON' || fail "refused starts"
import sys
import netCDF4
import numpy as np
with netCDF4.Dataset(sys.argv[1]) as file:
    inputs = dict(zip(file["input"][:], np.asarray(file["inputs"][:]).T))
    failed = np.asarray(file["status"][:]) != 0
    assert np.array_equal(failed, inputs["joints.link.length"] == 1.25)
    assert all("is moved by 0.25 m" in reason for reason in file["failure_reason"][:])
PYTHON

# Studies of what cannot change a start say nothing of it.
expect 0 run link.yaml -o masses --no-report --set joints.link.length=1 \
  --set probes='{bob: {body: bob, quantities: [position]}}' \
  --set uncertainty='{bodies.bob.mass: {law: uniform, min: 1, max: 2}}' \
  --set study='{method: monte-carlo, realizations: 8, seed: 1}'
! grep -q "differs" stderr.txt || fail "masses change starts"

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
