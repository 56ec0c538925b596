# Equilibrium and modes from the command line: drives held, any start, steady rotation, spin, and runs that start there.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
: "${TUMBLE_SOURCE_DIR:?the source tree}"
classics=$TUMBLE_SOURCE_DIR/examples/classics

# number WHAT COLUMN: a number of the line of stdout.txt that begins with WHAT.
number() { grep "^$1 " stdout.txt | awk -v column="$2" '{print $column}'; }
near() {
  awk -v a="$1" -v b="$2" -v tolerance="$3" \
    'BEGIN {d = a - b; exit !(a != "" && d <= tolerance && d >= -tolerance)}' ||
    fail "$1 is not $2 within $3"
}

# Driven bodies at rest have no inertia forces: the crank's bearing carries weight alone.
expect 0 equilibrium "$classics/slider-crank.yaml"
near "$(number "main force" 3)" 0 1e-9
says stderr.txt "drives held at their values at t = 0"
expect 1 equilibrium "$classics/slider-crank.yaml" --steady
says stderr.txt "no steady motion"

# Starts that are no minimum.
cat >pendulum.yaml <<'MODEL'
gravity: [0, 0, -9.81]
bodies:
  rod: {mass: 2.5, position: [0.5, 0, 0], inertia: [0.001, 0.21, 0.21]}
joints:
  hinge: {type: revolute, between: [ground, rod], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: rod, point: [1, 0, 0], quantities: [position, acceleration]}
  hinge: {joint: hinge, quantities: [angle, force]}
simulation: {duration: 2, step: 1e-3, output_step: 0.01}
MODEL
expect 0 equilibrium pendulum.yaml
near "$(number "tip position" 5)" -1 1e-8
near "$(number "hinge force" 5)" 24.525 1e-6
expect 0 equilibrium "$classics/double-pendulum.yaml"
near "$(number "tip position" 5)" -1 1e-8
expect 0 equilibrium "$classics/heavy-top.yaml"
near "$(number "center position" 5)" -1 1e-8
says stderr.txt "neutral: nothing resists when body 'top' turns about (0, 0, 1)"

# A disc that spins: 145 and 1.75 Hz, not 15.9.
cat >disc.yaml <<'MODEL'
gravity: [0, 0, 0]
bodies:
  disc: {mass: 1, position: [0, 0, 0], inertia: [0.01, 0.01, 0.018], angular_velocity: [0, 0, 500]}
joints:
  ball: {type: spherical, between: [ground, disc], point: [0, 0, 0]}
forces:
  tilt: {type: bushing, between: [ground, disc], point: [0, 0, 0], stiffness: [0, 0, 0, 100, 100, 0]}
probes:
  disc: {body: disc, quantities: [position]}
simulation: {duration: 0.01, step: 1e-5}
MODEL
for option in "" --at-start; do
  expect 0 modes disc.yaml $option
  awk '$2 > 1.746 && $2 < 1.748 {slow = 1} $2 > 144.98 && $2 < 145 {fast = 1} END {exit !(slow && fast)}' \
    stdout.txt || fail "modes of the disc"
done

# A pendulum on a shaft at 6 rad/s stands at 59.6 degrees; a run that starts there stays there.
cat >shaft.yaml <<'MODEL'
gravity: [0, 0, -9.81]
bodies:
  shaft: {mass: 1, position: [0, 0, 0], inertia: [0.1, 0.1, 0.1]}
  rod: {mass: 1, position: [0, 0, -0.5], inertia: [0.02, 0.02, 0.001]}
drives:
  motor: {type: polynomial, coefficients: [0, 6]}
joints:
  bearing: {type: revolute, between: [ground, shaft], point: [0, 0, 0], axis: [0, 0, 1], motion: {rz: motor}}
  hinge: {type: revolute, between: [shaft, rod], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  hinge: {joint: hinge, quantities: [angle]}
simulation: {duration: 1, step: 1e-3, output_step: 0.1}
MODEL
expect 0 equilibrium shaft.yaml
says stderr.txt "in steady motion with the drives; seen from a frame that turns at 6 rad/s"
angle=$(number "hinge angle" 3)
near "${angle#-}" 1.039669 1e-6
expect 0 equilibrium shaft.yaml --at-rest
near "$(number "hinge angle" 3)" 0 1e-9
expect 0 run shaft.yaml -o there --set simulation.start=equilibrium --csv
tail -n +2 there/hinge.csv | awk -F, '{a = $2 < 0 ? -$2 : $2; if (a < 1.03965 || a > 1.03969) exit 1}' ||
  fail "the run left its equilibrium"
[ ! -s stderr.txt ] || fail "a start in a stable equilibrium is warned of"
expect 2 run shaft.yaml --set simulation.start=somewhere
says stderr.txt "equilibrium"

# Damping.
cat >oscillator.yaml <<'MODEL'
gravity: [0, 0, -9.81]
bodies:
  mass: {mass: 2, position: [0, 0, 1], inertia: [1, 1, 1]}
joints:
  guide: {type: prismatic, between: [ground, mass], point: [0, 0, 1], axis: [0, 0, 1]}
forces:
  spring: {type: spring, between: [ground, mass], points: [[0, 0, 0], [0, 0, 1]], stiffness: 500, damping: 6}
probes:
  mass: {body: mass, quantities: [position]}
simulation: {duration: 1, step: 1e-3}
MODEL
expect 0 modes oscillator.yaml --json
python3 - <<'PYTHON' || fail "the damped oscillator"
import json, math
mode, = json.load(open("stdout.txt"))
zeta = 6 / (2 * math.sqrt(1000))
assert abs(mode["damping_ratio"] - zeta) < 1e-10, mode
assert abs(mode["frequency"] - math.sqrt(250 * (1 - zeta**2)) / (2 * math.pi)) < 1e-9, mode
assert abs(mode["eigenvalue"][0] + 1.5) < 1e-9, mode
PYTHON

# In a study every realisation starts in its own equilibrium, with the same bits whatever the lanes; one that has none
# fails and says so.
cat >>oscillator.yaml <<'MODEL'
uncertainty:
  forces.spring.stiffness: {law: discrete, values: [0, 400, 500], weights: [0.2, 0.4, 0.4]}
study: {method: monte-carlo, realizations: 20, seed: 1, store: all, max_failed: 1}
MODEL
variables() { ncdump -p 9,17 "$1/results.nc" | sed -n '/^data:/,$p'; }
for lanes in 1 4; do
  expect 0 run oscillator.yaml -o "lanes$lanes" --lanes $lanes \
    --set 'simulation={duration: 0.1, step: 1e-3, output_step: 0.05, start: equilibrium}'
  says stdout.txt "no equilibrium found: body 'mass' moves along (0, 0, 1)"
done
diff <(variables lanes1) <(variables lanes4) || fail "lanes change where a study starts"
ncdump -v mass_position lanes4/results.nc | sed -n '/^ mass_position =/,$p' | tr -d ' ;}' | tr ',' '\n' |
  awk '/^0\.9/ {d5 = $1 - (1 - 19.62 / 500); d4 = $1 - (1 - 19.62 / 400); seen += 1
       if ((d5 > 1e-12 || d5 < -1e-12) && (d4 > 1e-12 || d4 < -1e-12)) exit 1} END {exit !seen}' ||
  fail "the realisations do not start at rest"
