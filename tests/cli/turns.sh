# Turns, signs and point masses as a user meets them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

# value FILE COLUMN: of the last row.
value() { tail -n 1 "$1" | cut -d, -f"$2"; }
# near WHAT VALUE EXPECTED TOLERANCE
near() {
  awk -v x="$2" -v y="$3" -v e="$4" 'BEGIN { d = x - y; exit !(d <= e && -d <= e) }' ||
    fail "$1: $2, not $3"
}

# A rotational bushing with 12.5 J runs to 5 rad.
cat >bushing.yaml <<'YAML'
bodies:
  b: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], angular_velocity: [0, 0, 5]}
joints:
  h: {type: revolute, between: [ground, b], point: [0, 0, 0], axis: [0, 0, 1]}
forces:
  r: {type: bushing, between: [ground, b], point: [0, 0, 0], stiffness: [0, 0, 0, 0, 0, 1]}
probes:
  h: {joint: h, quantities: [angle]}
  all: {system: true, quantities: [total_energy]}
simulation: {duration: 10, step: 0.005, output_step: 0.05}
YAML
expect 0 run bushing.yaml -o bushing --csv
near "angle at 10 s" "$(value bushing/h.csv 2)" "$(awk 'BEGIN { print 5 * sin(10) }')" 1e-3
near "energy at 10 s" "$(value bushing/all.csv 2)" 12.5 1e-3

# A driven hinge that turns by 2.4 turns a step has the angle of its drive.
cat >driven.yaml <<'YAML'
bodies:
  b: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
  free: {mass: 1, position: [0, 0, 0], inertia: none}
joints:
  h: {type: revolute, between: [ground, b], point: [0, 0, 0], axis: [0, 0, 1], motion: {rz: w}}
drives:
  w: {type: polynomial, coefficients: [0, 1500]}
probes:
  h: {joint: h, quantities: [angle]}
simulation: {duration: 1, step: 0.01}
YAML
expect 0 run driven.yaml -o driven --csv
near "driven angle" "$(value driven/h.csv 2)" 1500 1e-6

# A positive motor increases the angle, and the summary shows signs.
cat >motor.yaml <<'YAML'
bodies:
  b: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  h: {type: revolute, between: [ground, b], point: [0, 0, 0], axis: [0, 1, 0]}
forces:
  m: {type: torsion_spring, between: [ground, b], axis: [0, 1, 0], actuator: u}
drives:
  u: {type: constant, value: 3}
probes:
  h: {joint: h, quantities: [angle]}
  m: {force: m, quantities: [moment]}
simulation: {duration: 2, step: 0.01}
YAML
expect 0 run motor.yaml -o motor --csv
near "angle of the motor" "$(value motor/h.csv 2)" 6 1e-9
near "moment of the motor" "$(value motor/m.csv 2)" 3 1e-12
expect 0 run motor.yaml -o back --set drives.u.value=-3
says stdout.txt "peak of      value or x            y            z"
grep -Eq '^h angle +-6 +rad$' stdout.txt || fail "the peak has lost its sign"
grep -Eq '^m moment +-3 +N m$' stdout.txt || fail "the peak has lost its sign"

# Euler angles do not wrap inside statistics: with rates N(3, 0.5) the spread after 4 s is 2 rad about any axis.
cat >spin.yaml <<'YAML'
bodies:
  b: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], angular_velocity: [0, 0, 3]}
probes:
  b: {body: b, quantities: [euler_123]}
simulation: {duration: 4, step: 0.01, output_step: 0.5}
uncertainty:
  bodies.b.angular_velocity[2]: {law: normal, mean: 3, std: 0.5}
study: {method: monte-carlo, realizations: 500, seed: 3}
YAML
expect 0 run spin.yaml -o spin
last() { ncdump -v "b_euler_123_$1" spin/results.nc | tr -d '\n' | sed 's/.*'"b_euler_123_$1"' =//; s/;.*//; s/.*, //; s/ //g; s/}//'; }
near "mean of the angle" "$(last mean)" 12 0.3
near "spread of the angle" "$(last std)" 2 0.2

# A point mass: random mass and report like any body.
cat >bead.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  bead: {mass: 2, position: [1, 0, 0], inertia: none}
joints:
  string: {type: distance, between: [ground, bead], points: [[0, 0, 0], [1, 0, 0]]}
probes:
  bead: {body: bead, quantities: [position, acceleration]}
  string: {joint: string, quantities: [force]}
simulation: {duration: 0.5, step: 1e-3, output_step: 0.05}
uncertainty:
  bead: {mass: {cv: 0.2}}
study: {method: monte-carlo, realizations: 64, seed: 1, store: all}
YAML
expect 0 check bead.yaml
says stdout.txt "coordinates                3"
expect 0 parameters bead.yaml
says stdout.txt "bodies.bead.mass"
! grep -q "inertia" stdout.txt || fail "a point mass has no inertia to set"
expect 0 run bead.yaml -o bead
[ -s bead/report.html ] || fail "no page"
expect 0 replay bead 5
ncdump -v input bead/results.nc | sed -n '/^data:/,$p' >inputs.txt
says inputs.txt bodies.bead.mass
! grep -q "inertia" inputs.txt || fail "a point mass has no inertia to scale"
expect 2 check bead.yaml --set bodies.bead.inertia=zero
