# tumble laws: every random input with what was solved for.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
case4=${TUMBLE_SOURCE_DIR:?the top of the repository}/examples/batou-soize-2012/case4.yaml

# The values of an independent computation with 40 million importance draws; lambda_r and C0 exact.
expect 0 laws "$case4" --json
[ ! -s stderr.txt ] || fail "noise on standard error"
/usr/bin/python3 - <<'PYTHON' || fail "the laws of case 4"
import json
laws = json.load(open("stdout.txt"))
assert list(laws) == ["bodies.rb5.mass", "bodies.rb5.position", "bodies.rb5.inertia"], list(laws)
mass, centre, inertia = laws.values()
assert mass["law"] == "gamma" and mass["mean"] == 3000 and mass["cv"] == 0.5
assert any("E{M^-4} is infinite" in warning for warning in mass["warnings"])


def close(found, expected, error):
    return abs(found - expected) <= error


assert centre["law"] == "maxent-domain" and centre["domain"] == "box"
assert close(centre["lambda_r"][0], -2.45987, 1e-5 * 2.46) and centre["lambda_r"][1:] == [0, 0]
assert close(centre["C0"], 469.82, 1e-5 * 470)
assert inertia["law"] == "kummer-beta"
for i, row in enumerate(inertia["mu"]):
    for j, entry in enumerate(row):
        assert close(entry, (5.7656, 3.3480, -0.4926)[i] if i == j else 0, 0.003), (i, j, entry)
assert close(inertia["C_G"], 0.669, 0.0067) and close(inertia["delta_G"], 0.4568, 0.001)
assert close(inertia["E_log_det_G"], -0.3564, 0.001)
assert 0 <= inertia["accuracy"] <= 1e-3
assert inertia["lambda_l"] == inertia["lambda_u"] == -5
for i, bound in enumerate((5.883673, 2.727273, 1.875)):
    assert close(inertia["G_max"][i][i], bound, 1e-6)
PYTHON

# --set reaches the laws, and what is left of the law follows.
expect 0 laws "$case4" --json --set uncertainty.rb5.mass.cv=0.25 \
  --set uncertainty.rb5.inertia='{delta: 0.3, z_max: [9.61, 1.0, 0.0625]}' \
  --set uncertainty.rb5.center_of_mass.box.center='[0.6, 0, 0.5]' --set bodies.rb5.mass=2000 \
  --set bodies.rb5.inertia='[800, 3300, 4000]'
/usr/bin/python3 - <<'PYTHON' || fail "--set"
import json
mass, centre, inertia = json.load(open("stdout.txt")).values()
assert mass["mean"] == 2000 and mass["cv"] == 0.25 and "warnings" not in mass
assert abs(mass["shape"] - 16) < 1e-12
assert centre["lambda_r"] == [0, 0, 0] and abs(centre["C0"] - 500) < 1e-9  # uniform: 1 / volume
assert abs(inertia["delta_G"] - 0.3) < 1e-6
assert inertia["lambda_l"] == inertia["lambda_u"] < -5
PYTHON
expect 2 laws "$case4" --set uncertainty.rb5.mass.cv=0.8
says stderr.txt "must be below 1/sqrt(2) = 0.7071"

# Where the paper's sufficient condition is left, but not the necessary one: a warning.
for command in laws check; do
  expect 0 "$command" "$case4" --set uncertainty.rb5.inertia.lambda_l=-1.5
  says stdout.txt "warning:"
  says stdout.txt "lambda_l = -1.5 is not below -2"
done
expect 0 sample "$case4" -n 1 -o draw.csv --set uncertainty.rb5.inertia.lambda_l=-1.5
says stderr.txt "lambda_l = -1.5 is not below -2"

# For people: a line for each value.
expect 0 laws "$case4"
says stdout.txt "bodies.rb5.inertia: kummer-beta"
grep -qE '^  C0 +469\.822$' stdout.txt || fail "no C0"
grep -qE '^  delta_G +0\.45671' stdout.txt || fail "no delta_G"

# Numbers, shared variables, correlations and chains.
{
  pendulum
  cat <<'YAML'
uncertainty:
  bob: {center_of_mass: {ball: {center: [0.5, 0, 0], radius: 0.1}, sampler: metropolis, chain: {burn_in: 200, thinning: 5}}}
  gravity[0]: {law: normal, mean: 0, std: 0.1}
  pull: {law: uniform, min: -1, max: 1, of: ["gravity[1]"]}
  correlation: {variables: ["gravity[0]", pull], matrix: [[1, 0.5], [0.5, 1]]}
YAML
} >mixed.yaml
expect 0 laws mixed.yaml --json
/usr/bin/python3 - <<'PYTHON' || fail "the laws of the mixed model"
import json, math
laws = json.load(open("stdout.txt"))
assert list(laws) == ["bodies.bob.position", "gravity[0]", "pull", "correlation"], list(laws)
assert laws["bodies.bob.position"]["chain"] == {"burn_in": 200, "thinning": 5}
assert laws["gravity[0]"]["law"] == "normal" and "cv" not in laws["gravity[0]"]
assert laws["pull"]["of"] == ["gravity[1]"] and abs(laws["pull"]["std"] - 1 / math.sqrt(3)) < 1e-12
# Nataf: corr(normal, uniform) = r sqrt(3 / pi) for the correlation r of the scores.
score = laws["correlation"]["correlation_of_normal_scores"][0][1]
assert abs(score - 0.5 / math.sqrt(3 / math.pi)) < 1e-6, score
PYTHON
expect 0 laws pendulum.yaml
says stdout.txt "no random inputs"
expect 0 laws pendulum.yaml --json
[ "$(cat stdout.txt)" = "{}" ] || fail "JSON of no laws"

# What is said in place of a correlation of 1 or -1 works when it is done.
{
  pendulum
  cat <<'YAML'
uncertainty:
  gravity[0]: {law: gamma, mean: 1, cv: 0.5}
  pull: {law: gamma, mean: 1, cv: 0.5, of: ["gravity[1]"]}
YAML
} >full.yaml
correlate() {
  expect "$1" laws full.yaml --json --set "uncertainty.correlation={variables: ['gravity[0]', pull], matrix: [[1, $2], [$2, 1]], of: $3}"
}
correlate 2 -1 variables
says stderr.txt "matrix[1][0] = -1, must lie strictly between -1 and 1; -0.999 with of: normal_scores comes close to it"
correlate 2 -0.999 variables # which gamma laws cannot have
correlate 0 -0.999 normal_scores
correlate 2 1 variables
says stderr.txt 'follow one variable with a name of its own, {law: ..., of: ["gravity[0]", "gravity[1]"]}, which takes the place of both'
{ pendulum && echo 'uncertainty: {common: {law: gamma, mean: 1, cv: 0.5, of: ["gravity[0]", "gravity[1]"]}}'; } >full.yaml
expect 0 laws full.yaml
