# Failures after a good start: the status says which kind, and nothing half-written stays.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

# Disk full, as a limit on the size of files. In blocks of 1024 bytes: too small for the results,
# with whatever was there before left alone.
mkdir kept
expect 0 run pendulum.yaml -o kept
before=$(sha256sum <kept/results.nc)
status=0
(ulimit -f 1 && exec "$TUMBLE" run pendulum.yaml -o full) >/dev/null 2>stderr.txt || status=$?
[ "$status" -eq 3 ] || fail "disk full gives $status"
says stderr.txt "full/results.nc"
absent full
status=0
(ulimit -f 1 && exec "$TUMBLE" run pendulum.yaml -o kept --overwrite --csv) >/dev/null 2>stderr.txt ||
  status=$?
[ "$status" -eq 3 ] || fail "disk full gives $status"
only kept results.nc report.html
[ "$(sha256sum <kept/results.nc)" = "$before" ] || fail "old results damaged"

# A directory that cannot be written; the superuser can write anywhere but below a file.
if [ "$(id -u)" -ne 0 ]; then
  mkdir locked
  chmod a-w locked
  expect 3 run pendulum.yaml -o locked
  expect 3 run pendulum.yaml -o locked/below
fi
expect 3 run pendulum.yaml -o pendulum.yaml/below
says stderr.txt pendulum.yaml/below

# A simulation that cannot go on names the element and the time, and leaves no directory behind. Here
# a rod of 2 m from (1, 0, 2) to the tip grows by 10 m/s. The tip, 1 m from the hinge, can get no
# farther than 1 + sqrt(5) = 3.236 m away: too far from 0.1236 s on.
sed 's/^probes:/  rod: {type: distance, between: [ground, bob], points: [[1, 0, 2], [1, 0, 0]], motion: growth}\n&/' \
  pendulum.yaml >stretched.yaml
echo 'drives: {growth: {type: polynomial, coefficients: [0, 10]}}' >>stretched.yaml
expect 1 run stretched.yaml -o failed/deep --set simulation.duration=1
grep -qE "(hinge|rod|bob)" stderr.txt || fail "no element is named"
grep -qE "t = 0\.12" stderr.txt || fail "no time is given"
absent failed

# Redundant constraints are solved with, and named; where that is not wanted they are a mistake.
sed 's/^probes:/  twin: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}\n&/' \
  pendulum.yaml >redundant.yaml
expect 0 check redundant.yaml
says stdout.txt "5 of 10 conditions are redundant"
says stdout.txt "degrees of freedom         1"
for command in run check; do
  expect 2 "$command" redundant.yaml --set simulation.redundancy=refuse
  says stderr.txt "leave out joint 'twin'"
  grep -qE "(hinge|twin)" stderr.txt || fail "no joint is named"
  absent out
done

# So is a mechanism that does not fit together: this rod is too short to reach.
sed 's/^probes:/  rod: {type: distance, between: [ground, bob], points: [[1, 0, 5], [1, 0, 0]], length: 1}\n&/' \
  pendulum.yaml >apart.yaml
for command in run check; do
  expect 2 "$command" apart.yaml
  says stderr.txt "apart.yaml"
  says stderr.txt "cannot be assembled"
  absent out
done

# Interrupted: status 130, and neither results nor leftovers.
"$TUMBLE" run pendulum.yaml -o slow --set simulation.duration=10000 \
  --set simulation.output_step=0.1 >/dev/null 2>stderr.txt &
run=$!
for _ in $(seq 100); do
  if [ -n "$(ls -A slow 2>/dev/null)" ]; then break; fi
  sleep 0.1
done
kill -TERM "$run"
status=0
wait "$run" || status=$?
[ "$status" -eq 130 ] || fail "interrupted run gives $status"
absent slow
