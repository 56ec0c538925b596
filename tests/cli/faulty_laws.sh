# Laws that do not exist, which is found when they are solved: every model of tests/faulty/laws is
# refused with exactly the messages it announces in its first lines, "# expect: <message>".
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
models=${TUMBLE_SOURCE_DIR:?the top of the repository}/tests/faulty/laws

found=0
cp "$models"/* .
for model in *.yaml; do
  [ "$model" != pendulum.yaml ] || continue
  found=$((found + 1))
  sed -n 's/^# expect: //p' "$model" >expected.txt
  [ -s expected.txt ] || fail "$model announces nothing"
  expect 2 check "$model"
  diff expected.txt <(sed '$d' stderr.txt) >&2 || fail "$model: other messages"
  [ ! -s stdout.txt ] || fail "$model: an error on standard output"
  # Only a study has a design.
  commands=(run)
  grep -q '^study:' "$model" || commands=(laws)
  expect 2 "${commands[@]}" "$model"
  diff expected.txt <(sed '$d' stderr.txt) >&2 || fail "$model: other messages of ${commands[*]}"
done
[ "$found" -ge 18 ] || fail "only $found models were found"
absent out
