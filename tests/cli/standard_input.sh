# A model from standard input: every command that takes a model, files it refers to, resuming, replaying, sweeps.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

expect 0 run pendulum.yaml -o named
expect 0 run - -o single <pendulum.yaml
grep -q "^<stdin>" stdout.txt || fail "the summary does not say where the model is from"
[ "$(hash_of single)" = "$(hash_of named)" ] || fail "other bits than those of the file"
ncdump -h single/results.nc >header.txt
says header.txt ':command = "tumble run -"'

# A pipe, which can be read once only, and a directory that is found by itself.
# shellcheck disable=SC2002
cat pendulum.yaml | "$TUMBLE" run - >stdout.txt 2>stderr.txt || fail "a model from a pipe"
[ -e out/stdin/results.nc ] || fail "no results in out/stdin"
expect 2 run - <pendulum.yaml
says stderr.txt "out/stdin already holds results"

# Mistakes have the line; nothing at all is a mistake too.
sed 's/mass: 2/mass: -2/' pendulum.yaml >bad.yaml
expect 2 run - -o none <bad.yaml
says stderr.txt "<stdin>:3: body 'bob': mass = -2 kg"
expect 2 run - -o none </dev/null
says stderr.txt "<stdin>"
expect 2 run - -o none -n 3 <pendulum.yaml
says stderr.txt "<stdin> has no section \`study\`"
absent none

# The other commands. A name is a file as ever.
for command in check parameters laws equilibrium modes; do
  expect 0 "$command" - <pendulum.yaml
  cp stdout.txt from_input.txt
  expect 0 "$command" pendulum.yaml
  diff <(sed 's/^<stdin>/pendulum.yaml/' from_input.txt) stdout.txt >/dev/null || fail "$command - says something else"
done
uncertain_pendulum >uncertain.yaml
expect 0 sample - -n 5 -o a.csv <uncertain.yaml
expect 0 sample uncertain.yaml -n 5 -o b.csv
cmp a.csv b.csv || fail "other draws"

# A study, whose table lies where the program was called; resumed, extended and replayed.
mkdir elsewhere
expect 0 run swing.yaml -o whole
expect 0 run - -o study -n 100 <swing.yaml
expect 0 run - -o study -n 100 --resume <swing.yaml
says stdout.txt "nothing to do"
expect 0 run - -o study --resume <swing.yaml
[ "$(hash_of study)" = "$(hash_of whole)" ] || fail "an extended study has other bits"
expect 0 replay whole 17
expect 0 replay study 17 </dev/null
[ "$(hash_of study/replay-17)" = "$(hash_of whole/replay-17)" ] || fail "a replay has other bits"
(cd elsewhere && "$TUMBLE" replay ../study 18) >stdout.txt 2>stderr.txt || fail "a replay from elsewhere"
expect 0 report study
(cd elsewhere && "$TUMBLE" run - -o x) <swing.yaml >stdout.txt 2>stderr.txt && fail "a table that is not there"
says stderr.txt "rows.csv"

# All points of a sweep are of the same text.
vary=(--vary bodies.bob.mass=1,2 -n 20)
expect 0 sweep uncertain.yaml -o swept "${vary[@]}"
expect 0 sweep - "${vary[@]}" <uncertain.yaml
[ "$(hash_of out/stdin-sweep)" = "$(hash_of swept)" ] || fail "a sweep has other bits"
expect 0 sweep - "${vary[@]}" --resume <uncertain.yaml
says stdout.txt "nothing to do"
