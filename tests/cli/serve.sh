# tumble serve: a client of the UM-Bridge protocol gets the bits of a study, and whatever it sends is answered.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

# A rod of 2 m that grows: with `growth` the run fails once the tip, 1 m from the hinge, cannot follow.
pendulum | sed 's/duration: 0.1/duration: 0.4/;
s/^probes:/  rod: {type: distance, between: [ground, bob], points: [[1, 0, 2], [1, 0, 0]], motion: growth}\n&/' >stretched.yaml
cat >>stretched.yaml <<'YAML'
drives: {growth: {type: polynomial, coefficients: [0, 0.5]}}
quantities: {height: {of: tip.position.z, kind: final}}
YAML

sed 's/type: polynomial, coefficients: .*/type: piecewise_linear, times: [0, 0.2], values: [0, 0.1]}}/' stretched.yaml >kinked.yaml

cat >swing.yaml <<'YAML'
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
forces:
  friction: {type: torsion_spring, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0], damping: 0.1}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position, acceleration]}
quantities:
  low: {of: tip.position.z, kind: minimum}
  effort: {of: norm(tip.acceleration), kind: rms}
  end: {of: tip.position.x, kind: final}
simulation: {duration: 0.5, step: 1e-3, output_step: 0.01}
uncertainty:
  bodies.bob.mass: {law: uniform, min: 1, max: 3}
  bodies.bob.position[0]: {law: uniform, min: 0.4, max: 0.6}
  forces.friction.damping: {law: uniform, min: 0, max: 0.5}
study: {method: monte-carlo, realizations: 64, seed: 5, store: all}
YAML
expect 0 run swing.yaml -o study --no-report

/usr/bin/python3 "$TUMBLE_SOURCE_DIR/tests/cli/_umbridge_client.py" || fail "the client found a mistake"

# What cannot be served.
expect 2 serve pendulum.yaml --port 0
says stderr.txt "name the inputs"
expect 2 serve pendulum.yaml --port 0 --input bodies.bob.mass
says stderr.txt 'the model has no section `quantities`: name outputs'
expect 2 serve swing.yaml --port 0 --input bodies.bob.masss
says stderr.txt "input bodies.bob.masss is no number of the model"
says stderr.txt "did you mean bodies.bob.mass?"
expect 2 serve swing.yaml --port 0 --input bodies.bob.mass bodies.bob.mass
says stderr.txt "is named twice"
expect 2 serve swing.yaml --port 0 --output tip.speed
says stderr.txt "output tip.speed is neither a quantity of interest nor PROBE.QUANTITY"
expect 2 serve swing.yaml --port 0 --host 203.0.113.7
says stderr.txt "cannot listen on port"
expect 2 serve "$TUMBLE_SOURCE_DIR/examples/random-excitation/oscillator.yaml" --port 0
says stderr.txt "the model has random drives"
