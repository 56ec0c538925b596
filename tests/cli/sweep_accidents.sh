# Accidents of a sweep: kills, interrupts, a full disk, two at once. It goes on to the same bits.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# Some two seconds of work.
long=(swing.yaml --vary gravity[2]=-9.81,-5,-1.62 --set simulation.duration=10 --set simulation.output_step=0.5)
begin=$(date +%s%N)
expect 0 sweep "${long[@]}" -o undisturbed
milliseconds=$((($(date +%s%N) - begin) / 1000000))
reference=$(hash_of undisturbed)

# Killed at random moments until three kills met a running sweep; where one ended first, the next
# begins afresh.
RANDOM=4711
kills=0
rm -rf killed
for _ in $(seq 60); do
  [ "$kills" -lt 3 ] || break
  "$TUMBLE" sweep "${long[@]}" -o killed --resume >stdout.txt 2>stderr.txt &
  run=$!
  wait_for=$((RANDOM % (milliseconds * 4 / 5)))
  sleep "$((wait_for / 1000)).$(printf '%03d' $((wait_for % 1000)))"
  kill -9 "$run" 2>/dev/null || true
  status=0
  wait "$run" 2>/dev/null || status=$?
  case "$status" in
    0) rm -rf killed ;;
    137) kills=$((kills + 1)) ;;
    *) fail "status $status of a sweep that was to be killed" ;;
  esac
done
[ "$kills" -eq 3 ] || fail "only $kills of 60 kills met a sweep"
expect 0 sweep "${long[@]}" -o killed --resume
[ "$(hash_of killed)" = "$reference" ] || fail "a killed and resumed sweep has other bits"

# Interrupted in its second point: status 130, and the first point is not computed again.
"$TUMBLE" sweep "${long[@]}" -o stopped --threads 1 >stdout.txt 2>stderr.txt &
run=$!
for _ in $(seq 2000); do
  if [ -e stopped/points/1/study.journal ]; then break; fi
  sleep 0.01
done
kill -TERM "$run" # a shell has its background jobs ignore Ctrl-C
status=0
wait "$run" || status=$?
[ "$status" -eq 130 ] || fail "an interrupted sweep gives $status"
says stderr.txt "interrupted at point 2 of 3"
says stderr.txt "--resume"
absent stopped/results.nc
first=$(stat -c %Y.%i stopped/points/0/results.nc)

# Not by anything but the same sweep.
expect 2 sweep "${long[@]}" -o stopped
expect 2 sweep "${long[@]}" -o stopped --resume --seed 2
expect 2 run swing.yaml -o stopped
says stderr.txt "holds a sweep"
expect 0 sweep "${long[@]}" -o stopped --resume --keep-points
[ "$(stat -c %Y.%i stopped/points/0/results.nc)" = "$first" ] || fail "a finished point was written again"
[ "$(hash_of stopped)" = "$reference" ] || fail "other bits after an interrupt"

# Interrupted while it replaced another sweep.
expect 0 sweep swing.yaml -o replaced --vary gravity[2]=-3 -n 10
"$TUMBLE" sweep "${long[@]}" -o replaced --overwrite --threads 1 >stdout.txt 2>stderr.txt &
run=$!
for _ in $(seq 2000); do
  if [ -e replaced/points/0/study.journal ]; then break; fi
  sleep 0.01
done
kill -TERM "$run"
status=0
wait "$run" || status=$?
[ "$status" -eq 130 ] || fail "an interrupted replacement gives $status"
expect 0 sweep "${long[@]}" -o replaced --resume
[ "$(hash_of replaced)" = "$reference" ] || fail "other bits after an interrupted replacement"

# A disk that is full, as a limit on the size of files (in KiB), when only the results are left.
rm stopped/results.nc
status=0
(ulimit -f 64 && exec "$TUMBLE" sweep "${long[@]}" -o stopped --resume) >stdout.txt 2>stderr.txt || status=$?
[ "$status" -eq 3 ] || fail "no room for the results gives $status"
says stderr.txt "stopped/results.nc"
only stopped sweep.txt points
expect 0 sweep "${long[@]}" -o stopped --resume
[ "$(hash_of stopped)" = "$reference" ] || fail "other bits after a full disk"
only stopped results.nc

# Two at once in one directory.
"$TUMBLE" sweep "${long[@]}" -o shared --threads 1 >/dev/null 2>&1 &
run=$!
for _ in $(seq 200); do
  if [ -e shared/points/0/study.journal ]; then break; fi
  sleep 0.02
done
expect 2 sweep "${long[@]}" -o shared --resume
wait "$run" || fail "a sweep that another one disturbed"
[ "$(hash_of shared)" = "$reference" ] || fail "other bits after a disturbance"
