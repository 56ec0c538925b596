# Accidents of a study: interrupts, a full disk, journals that are torn, damaged or somebody else's.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

expect 0 run swing.yaml -o whole
whole=$(hash_of whole)

# A disk that is full from some block on, as a limit on the size of files (in KiB). Every limit ends
# with 3 or, where all fits, with 0; nothing is lost either way.
for limit in 1 16 64 128 200 300; do
  rm -rf full
  status=0
  (ulimit -f $limit && exec "$TUMBLE" run swing.yaml -o full --threads 2) >stdout.txt 2>stderr.txt ||
    status=$?
  [ "$status" -eq 3 ] || [ "$status" -eq 0 ] || fail "a disk of $limit KiB gives $status"
  if [ "$limit" -le 64 ]; then
    [ "$status" -eq 3 ] || fail "everything fits into $limit KiB"
    grep -qE "full/(study.journal|results.nc)" stderr.txt || fail "the message names no file"
    absent full/results.nc
  fi
  expect 0 run swing.yaml -o full --resume --keep-journal
  [ "$(hash_of full)" = "$whole" ] || fail "other bits after a full disk of $limit KiB"
done

# Full when only the results are left to be written.
rm -f full/results.nc full/report.html
status=0
(ulimit -f 16 && exec "$TUMBLE" run swing.yaml -o full --resume) >stdout.txt 2>stderr.txt || status=$?
[ "$status" -eq 3 ] || fail "no room for the results gives $status"
says stderr.txt "full/results.nc"
only full study.journal
expect 0 run swing.yaml -o full --resume --keep-journal
says stdout.txt "0 computed"
[ "$(hash_of full)" = "$whole" ] || fail "other bits after results that found no room"

# Killed while it wrote the results: what was written of them goes.
rm full/results.nc
echo "half of the results" >full/.results.nc.4711-0.tmp
expect 0 run swing.yaml -o full --resume
only full results.nc study.journal report.html
[ "$(hash_of full)" = "$whole" ] || fail "other bits after results that were half written"

# A tail torn by an interrupted write is cut off with a message, and that work done again.
rm full/results.nc
size=$(stat -c %s full/study.journal)
truncate -s $((size - 1000)) full/study.journal
expect 0 run swing.yaml -o full --resume
says stderr.txt "incomplete record"
[ "$(hash_of full)" = "$whole" ] || fail "other bits after a torn tail"

# A bit that flipped where the journal had been safe is damage: refused, and left as it is. The file
# of a resumed study says that its beginning had been safe.
expect 0 run swing.yaml -o flipped -n 100
expect 0 run swing.yaml -o flipped --resume -n 300
rm flipped/results.nc
/usr/bin/python3 -c '
with open("flipped/study.journal", "r+b") as file:
    file.seek(1500)
    byte = file.read(1)[0]
    file.seek(1500)
    file.write(bytes([byte ^ 16]))'
before=$(sha256sum <flipped/study.journal)
expect 2 run swing.yaml -o flipped --resume
says stderr.txt flipped/study.journal
[ "$(sha256sum <flipped/study.journal)" = "$before" ] || fail "refused, but changed"

# Somebody else's: another seed, other numbers in the table, no journal at all.
expect 2 run swing.yaml -o whole --resume --seed 7
says stderr.txt "seed is 1 there and 7 here"
cp rows.csv kept.csv
sed -i '2s/^1.0/1.5/' rows.csv
expect 2 run swing.yaml -o whole --resume
says stderr.txt "another study"
mv kept.csv rows.csv
mkdir foreign
echo "my diary" >foreign/study.journal
expect 2 run swing.yaml -o foreign --resume
expect 2 run swing.yaml -o foreign
[ "$(cat foreign/study.journal)" = "my diary" ] || fail "overwritten"

# A single run does not move into the directory of an unfinished study.
mkdir unfinished
cp whole/study.journal unfinished
expect 2 run pendulum.yaml -o unfinished
says stderr.txt "study"
expect 0 run pendulum.yaml -o unfinished --overwrite
only unfinished results.nc report.html

# Interrupted: status 130 at the next block, and resumable.
long=(--set simulation.duration=10 --set simulation.output_step=0.5)
expect 0 run swing.yaml -o long "${long[@]}"
"$TUMBLE" run swing.yaml -o stopped "${long[@]}" --threads 1 >stdout.txt 2>stderr.txt &
run=$!
for _ in $(seq 200); do
  # More than the identity: a block is finished.
  if [ "$(stat -c %s stopped/study.journal 2>/dev/null || echo 0)" -gt 4000 ]; then break; fi
  sleep 0.05
done
kill -TERM "$run"  # a shell has its background jobs ignore Ctrl-C
status=0
wait "$run" || status=$?
[ "$status" -eq 130 ] || fail "an interrupted study gives $status"
says stderr.txt "--resume"
absent stopped/results.nc
expect 0 run swing.yaml -o stopped "${long[@]}" --resume
! grep -q "300 computed" stdout.txt || fail "finished blocks were computed again"
[ "$(hash_of stopped)" = "$(hash_of long)" ] || fail "other bits after an interrupt"

# Two at once in one directory.
"$TUMBLE" run swing.yaml -o shared "${long[@]}" --threads 1 >/dev/null 2>&1 &
run=$!
for _ in $(seq 200); do
  if [ -e shared/study.journal ]; then break; fi
  sleep 0.02
done
expect 2 run swing.yaml -o shared --resume "${long[@]}"
wait "$run" || fail "a study that another one disturbed"
[ "$(hash_of shared)" = "$(hash_of long)" ] || fail "other bits after a disturbance"
