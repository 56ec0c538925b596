# Bad input: status 2, every mistake on a line of its own, nothing written.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

pendulum | sed 's/mass: 2/mass: -2/; s/step: 1e-3/stepp: 1e-3/' >bad.yaml
for command in run check parameters; do
  expect 2 "$command" bad.yaml
  says stderr.txt "bad.yaml:3"
  says stderr.txt mass
  says stderr.txt "did you mean 'step'"
  grep -qE '^[0-9]+ errors$' stderr.txt || fail "errors are not counted"
  [ "$(tail -n 1 stderr.txt)" = "$(($(wc -l <stderr.txt) - 1)) errors" ] || fail "a wrong count"
  [ ! -s stdout.txt ] || fail "an error on standard output"
done

pendulum | sed 's/mass: 2/mass: -2/' >one.yaml
expect 2 check one.yaml
[ "$(tail -n 1 stderr.txt)" = "1 error" ] || fail "a wrong count"

expect 2 run absent.yaml
says stderr.txt absent.yaml
expect 2 run .
expect 2 run pendulum.yaml --set bodies.bob.mas=3
says stderr.txt mas
expect 2 run pendulum.yaml --set bodies.bob.mass=-3
expect 2 run pendulum.yaml --set bodies.bob.mass
expect 2 run pendulum.yaml --set bodies.bob.mass='[1, 2]'

# Laws that cannot be: at their line, or at the --set that made them.
expect 2 run pendulum.yaml --set uncertainty.bob.mass.cv=0.8 --set study.method=monte-carlo -n 10
says stderr.txt "--set uncertainty.bob.mass.cv=0.8"
says stderr.txt "must be below 1/sqrt(2)"
expect 2 run pendulum.yaml --set uncertainty.bob.inertia.delta=0.9 --set study.method=monte-carlo -n 10
says stderr.txt "must be below -1"
expect 2 run pendulum.yaml --set study.method=monte-carlo -n 10
says stderr.txt "needs a section uncertainty that says what to draw"

# Where a file is, no directory can be.
expect 2 run pendulum.yaml -o pendulum.yaml
absent out
only . bad.yaml one.yaml pendulum.yaml stdout.txt stderr.txt
