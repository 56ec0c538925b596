# check, parameters and schema: what they print.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

expect 0 check pendulum.yaml
for line in 'bodies +1' 'joints +1' 'coordinates +6' 'constraints +5' 'degrees of freedom +1' \
  'drives +0' 'break points +0' 'probes +2'; do
  grep -qE "^$line\$" stdout.txt || fail "check does not say: $line"
done
expect 0 check pendulum.yaml --set bodies.bob.mass=3

expect 0 parameters pendulum.yaml
grep -qE '^bodies\.bob\.mass +kg +2 +-$' stdout.txt || fail "no mass"
grep -qE '^bodies\.bob\.position\[0\] +m +0\.5 +-$' stdout.txt || fail "no position"
grep -qE '^gravity\[2\] +m/s\^2 +-9\.81 +-$' stdout.txt || fail "no gravity"
expect 0 parameters pendulum.yaml --set bodies.bob.mass=1/3
grep -qE '^bodies\.bob\.mass +kg +0\.3333333333333333 +-$' stdout.txt || fail "--set is not shown"

expect 0 parameters pendulum.yaml --set uncertainty.bob.mass.cv=0.1
grep -qE '^bodies\.bob\.mass +kg +2 +bob\.mass$' stdout.txt || fail "a random mass is not marked"

expect 0 parameters pendulum.yaml --json
/usr/bin/python3 - <<'PYTHON' || fail "JSON of the parameters"
import json
slots = {s["path"]: s for s in json.load(open("stdout.txt"))}
assert slots["bodies.bob.mass"] == {
    "path": "bodies.bob.mass", "unit": "kg", "value": 2.0, "random": False}
PYTHON

expect 0 schema
/usr/bin/python3 - <<'PYTHON' || fail "the schema"
import json, jsonschema, yaml
schema = json.load(open("stdout.txt"))
jsonschema.Draft202012Validator.check_schema(schema)
PYTHON
absent out
