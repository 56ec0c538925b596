# Help, version, and what the program says to requests it does not understand.
set -euo pipefail
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

commands="run merge sweep identify replay sensitivity report view serve dakota check equilibrium modes linearize frequency-response parameters sample laws convert modal-body fmu schema devices"

expect 0 --version
grep -qE '^tumble [0-9]+\.[0-9]+\.[0-9]+$' stdout.txt || fail "no version"
expect 0 --help
says stdout.txt Example
for command in $commands; do
  says stdout.txt "$command"
done
for command in $commands; do
  expect 0 "$command" --help
  says stdout.txt Example
  [ ! -s stderr.txt ] || fail "help on standard error"
done

# Every example in the help works as it stands; `view` and `serve` wait for
# their readers, and `dakota` needs a file of Dakota's.
mkdir examples_of_help
ln -s "$source_dir/examples" examples_of_help/examples
tumble() { "$TUMBLE" "$@"; }
for command in "" ${commands/view serve dakota/}; do
  # shellcheck disable=SC2086
  "$TUMBLE" $command --help | sed -n 's/^  \(tumble .*\)/\1/p' >examples.txt
  [ -s examples.txt ] || fail "no example in the help of tumble $command"
  while read -r example; do
    (cd examples_of_help && eval "$example" >/dev/null) || fail "the example of the help: $example"
  done <examples.txt
done
rm -r examples_of_help examples.txt

# The commands are listed to who asks for help or does not know them.
expect 0 help
for command in $commands; do says stdout.txt "$command"; done
expect 0 help run
says stdout.txt "Simulate a model"
says stdout.txt "--overwrite"
expect 2 help nonsense
for words in "" nonsense "nonsense --help"; do
  # shellcheck disable=SC2086
  expect 2 $words
  for command in $commands; do
    grep -qE "^  $command  +[A-Z]" stderr.txt || fail "tumble $words does not list $command"
  done
  [ ! -s stdout.txt ] || fail "an error on standard output"
done
says stderr.txt "there is no command 'nonsense'"
expect 2 rnu pendulum.yaml
says stderr.txt "did you mean 'run'?"

# What -n asks for, a model without a study cannot do.
expect 2 run pendulum.yaml -n 10
says stderr.txt '-n 10 is for a study, and pendulum.yaml has no section `study`'
says stderr.txt "A study runs the model many times"
says stderr.txt "study: {method: monte-carlo, realizations: 10}"
expect 2 run pendulum.yaml --seed 3
says stderr.txt "--seed 3 is for a study"
expect 2 run pendulum.yaml --seed -1
says stderr.txt "must be a whole number between 0 and 9007199254740991"

# A name that a script left empty.
for command in "run pendulum.yaml" "sweep pendulum.yaml --vary gravity[2]=-9.81" "report ."; do
  # shellcheck disable=SC2086
  expect 2 $command -o ""
  says stderr.txt "--output: the name is empty"
done
expect 2 run ""
expect 2 replay "" 3
absent out

expect 2 run
expect 2 run pendulum.yaml --nonsense
expect 2 run pendulum.yaml --overwrite --resume
expect 2 run pendulum.yaml --set
expect 2 check pendulum.yaml pendulum.yaml
[ -s stderr.txt ] || fail "no message"
[ ! -s stdout.txt ] || fail "an error on standard output"
only . pendulum.yaml stdout.txt stderr.txt

# What cannot be printed is lost: that is a failure too.
if [ -w /dev/full ]; then
  status=0
  "$TUMBLE" parameters pendulum.yaml >/dev/full 2>stderr.txt || status=$?
  [ "$status" -eq 3 ] || fail "a full standard output gives $status"
fi
