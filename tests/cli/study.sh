# A study: what it writes, resuming, extending, replaying, failing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

expect 0 run swing.yaml -o whole
only whole results.nc study.journal report.html
# By which `tumble view` knows that it is not going on.
[ ! whole/study.journal -nt whole/results.nc ] || fail "the journal is newer than the results"
[ ! -s stderr.txt ] || fail "noise on standard error, which is not a terminal"
says stdout.txt "300 realisations"
[ "$(wc -l <stdout.txt)" -le 24 ] || fail "the summary does not fit on a screen"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
says header.txt "double tip_acceleration_cov(time, axis, axis_2)"
says header.txt "double tip_acceleration_quantile(quantile, time, axis)"
says header.txt "double all_total_energy_mean(time)"
says header.txt "double inputs(realization, input)"
says header.txt ":failed = 0LL"

# The same bits for any number of threads and lanes.
for threads in 1 2 7 16; do
  for lanes in 1 4 8; do
    expect 0 run swing.yaml -o "t$threads-w$lanes" --threads "$threads" --lanes "$lanes"
    [ "$(hash_of "t$threads-w$lanes")" = "$whole" ] || fail "$threads threads, $lanes lanes: other bits"
    [ ! -s stderr.txt ] || fail "noise with $threads threads"
    rm -r "t$threads-w$lanes"
  done
done

# A directory with a study: refused, finished, extended, or not.
expect 2 run swing.yaml -o whole
expect 0 run swing.yaml -o whole --resume
says stdout.txt "nothing to do"
expect 2 run swing.yaml -o whole --resume -n 100
says stderr.txt "more than the 100 asked for"
expect 2 run swing.yaml -o whole --resume --set bodies.bob.mass=3
says stderr.txt "another study"
expect 2 run swing.yaml -o whole --resume --set study.quantile_method=sketch
[ "$(hash_of whole)" = "$whole" ] || fail "refused, but written"
expect 2 run pendulum.yaml -o whole
expect 0 run swing.yaml -o whole --overwrite -n 10
[ "$(hash_of whole)" != "$whole" ] || fail "not overwritten"

# From N to 2 N, where N is not a multiple of a block: as if run at once, reusing the first N.
expect 0 run swing.yaml -o kept -n 150 --keep-journal
expect 0 run swing.yaml -o grown -n 150
kept=$(stat -c %s kept/study.journal)
reduced=$(stat -c %s grown/study.journal)
[ $((3 * reduced)) -lt "$kept" ] || fail "a journal of $kept bytes was reduced to $reduced"
cp -r grown bare
expect 0 run swing.yaml -o kept -n 300 --resume
says stdout.txt "172 computed"
[ ! -s stderr.txt ] || fail "noise with a journal that was kept"
[ "$(hash_of kept)" = "$whole" ] || fail "an extended study has other bits"

# Without the values, which follow from the inputs, the same: they are computed again.
expect 0 run swing.yaml -o grown -n 300 --resume
says stdout.txt "300 computed"
says stderr.txt "128 finished realisations are computed again"
[ "$(hash_of grown)" = "$whole" ] || fail "a study extended without its values has other bits"
expect 0 run swing.yaml -o sketch -n 150 --set study.quantile_method=sketch
expect 0 run swing.yaml -o sketch -n 300 --set study.quantile_method=sketch --resume
says stdout.txt "172 computed"
[ ! -s stderr.txt ] || fail "noise of a study that needs no values"

# Without the journal nothing can go on, and nothing has to where all is there.
rm bare/study.journal
expect 0 run swing.yaml -o bare -n 150 --resume
says stdout.txt "nothing to do"
before=$(hash_of bare)
expect 2 run swing.yaml -o bare -n 300 --resume
says stderr.txt "holds 150 realisations of this study"
says stderr.txt "needs bare/study.journal, which is not there"
says stderr.txt "--overwrite"
expect 2 run swing.yaml -o bare -n 300 --resume --set bodies.bob.mass=3
says stderr.txt "another model"
only bare results.nc report.html
[ "$(hash_of bare)" = "$before" ] || fail "refused, but written"

# The realisation's own numbers, and the bits of the stored trajectory.
expect 0 run swing.yaml -o stored --set study.store=all
ncdump -h -s stored/results.nc >header.txt
says header.txt "tip_acceleration:_DeflateLevel = 1"
expect 0 replay stored 17
says stdout.txt "bodies.bob.mass ="
only stored/replay-17 results.nc tip.csv all.csv
for number in 17 255; do
  expect 0 replay stored $number
  diff <(values stored/results.nc tip_acceleration "$number") \
    <(values stored/replay-$number/results.nc tip_acceleration_nominal) ||
    fail "replay of $number has other bits"
done
expect 2 replay stored 300
expect 2 replay stored -- -1
expect 2 replay nowhere 1

# Failures are data, up to a point.
{ head -n 300 rows.csv && echo "-1,0.5"; } >broken.csv
expect 0 run swing.yaml -o broken --set study.file=broken.csv
says stdout.txt "failed: 1"
says stdout.txt "realisation 299: body 'bob': mass = -1 kg, must be > 0"
ncdump -v status,failed_realization,failure_reason broken/results.nc >dump.txt
says dump.txt "failed_realization = 299"
says dump.txt ":failed = 1LL"
expect 1 run swing.yaml -o strict --set study.file=broken.csv --set study.max_failed=0
says stderr.txt "1 of 300 realisations failed"
[ -e strict/results.nc ] || fail "the study ended, but its results are not there"
expect 1 replay broken 299

# Sketches and a subset of trajectories.
expect 0 run swing.yaml -o sketched --set study.quantile_method=sketch --set study.store='[3, 70]'
ncdump -h sketched/results.nc >header.txt
says header.txt "double tip_position(stored_realization, time, axis)"
diff <(values sketched/results.nc tip_position 1) <(values stored/results.nc tip_position 70) ||
  fail "trajectory 70"

expect 0 run swing.yaml -o told --json-progress
tail -n 1 stderr.txt | /usr/bin/python3 -c '
import json, sys
last = json.loads(sys.stdin.read())
assert last["done"] == last["total"] == 300 and last["failed"] == 0, last
assert set(last["seconds"]) == {"start_up", "integration", "statistics", "output"}, last
assert all(0 <= x < 100 for x in last["seconds"].values()), last'

expect 2 run swing.yaml -o none -n 301
says stderr.txt "has 300 rows"
expect 2 run pendulum.yaml -o none -n 3
expect 2 run swing.yaml -o none --lanes 3
absent none
