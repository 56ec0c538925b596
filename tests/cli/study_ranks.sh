# A study shared by MPI ranks: the bits of one process, and an end for all ranks whatever happens.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
echo 'quantities: {low: {of: tip.position.z, kind: minimum}}' >>swing.yaml

# Started by a launcher that this program cannot join: one sentence, from rank 0 alone.
expect 0 run swing.yaml -o whole
whole=$(hash_of whole)
export PMI_RANK=0 PMI_SIZE=2
expect 2 run swing.yaml -o alien
says stderr.txt "MPI"
PMI_RANK=1 expect 0 run swing.yaml -o alien
[ ! -s stderr.txt ] || fail "rank 1 speaks"
absent alien
# Other commands do not ask who else is there, and a launcher of one process changes nothing.
expect 0 check swing.yaml
export PMI_SIZE=1
expect 0 run swing.yaml -o alone
unset PMI_RANK PMI_SIZE
source "$TUMBLE_SOURCE_DIR/tests/cli/_ranks.sh"

# The same, where rank R does what it finds in rank_R.sh, if there is one, before it becomes the
# program with the arguments "$@".
cat >each_rank.sh <<'SH'
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
[ ! -e "rank_$OMPI_COMM_WORLD_RANK.sh" ] || source "./rank_$OMPI_COMM_WORLD_RANK.sh"
exec "$TUMBLE" "$@"
SH
prepared_ranks() {
  local wanted=$1 number=$2 status=0
  shift 2
  timeout 60 mpirun -n "$number" bash each_rank.sh "$@" >stdout.txt 2>stderr.txt || status=$?
  [ "$status" -eq "$wanted" ] || fail "$number ranks, tumble $*: status $status, not $wanted"
  rm -f rank_*.sh
}

# Threads and lanes are varied against each other: each alone is tested without ranks.
for number in 1 2 4; do
  for settings in "--threads 1 --lanes 8" "--threads 2 --lanes 1"; do
    ranks 0 "$number" run swing.yaml -o shared $settings
    [ ! -s stderr.txt ] || fail "noise with $number ranks"
    [ "$(grep -c "300 computed" stdout.txt)" -eq 1 ] || fail "not one summary of $number ranks"
    [ "$(hash_of shared)" = "$whole" ] || fail "$number ranks, $settings: other bits"
    only shared results.nc study.journal report.html
    rm -r shared
  done
done

# Values of trajectories travel too.
expect 0 run swing.yaml -o stored --set study.store=all --set study.quantile_method=sketch
ranks 0 3 run swing.yaml -o shared --set study.store=all --set study.quantile_method=sketch
[ "$(hash_of shared)" = "$(hash_of stored)" ] || fail "stored trajectories: other bits"
[ "$(grep -c "^seconds: " stdout.txt)" -eq 1 ] || fail "not one division of time"

# Random drives are drawn from the stream of a realisation, wherever that is computed.
oscillator=$TUMBLE_SOURCE_DIR/examples/random-excitation/oscillator.yaml
expect 0 run "$oscillator" -n 200 --set simulation.duration=1 -o excited
ranks 0 3 run "$oscillator" -n 200 --set simulation.duration=1 -o shared --overwrite --threads 1
[ "$(hash_of shared)" = "$(hash_of excited)" ] || fail "random drives: other bits"

# A grid that the program finds is found once, and is the same for all ranks.
sed 's/step: [0-9.e-]*, output_step/accuracy: 1e-3, output_step/' swing.yaml >accurate.yaml
grep -q "accuracy: 1e-3" accurate.yaml || fail "no step to replace"
expect 0 run accurate.yaml -o accurate
for number in 2 3; do
  ranks 0 "$number" run accurate.yaml -o "accurate-$number"
  [ "$(hash_of "accurate-$number")" = "$(hash_of accurate)" ] || fail "accuracy, $number ranks: other bits"
done
expect 0 run accurate.yaml -o accurate-part -n 100
ranks 0 2 run accurate.yaml -o accurate-part -n 300 --resume
[ "$(hash_of accurate-part)" = "$(hash_of accurate)" ] || fail "accuracy, resumed by ranks: other bits"

# Ranks pause at check points, and all of them end where one process would.
rule='study.until={probes: [tip.position], relative_mean_error: 0.0008, check_every: 64}'
expect 0 run swing.yaml -o ruled --set "$rule"
says stdout.txt "128 realisations"
for number in 2 4; do
  ranks 0 "$number" run swing.yaml -o "ruled-$number" --set "$rule"
  [ "$(hash_of "ruled-$number")" = "$(hash_of ruled)" ] || fail "stopped by rule: other bits"
done

# Threads share the cores, failures and progress are those of all ranks.
{ head -n 300 rows.csv && echo "-1,0.5"; } >broken.csv
ranks 1 3 run swing.yaml -o broken --json-progress --set study.file=broken.csv --set study.max_failed=0
says stderr.txt "1 of 300 realisations failed"
grep '"done"' stderr.txt | tail -n 1 | /usr/bin/python3 -c '
import json, sys
last = json.loads(sys.stdin.read())
assert last["done"] == last["total"] == 300 and last["failed"] == 1, last
assert all(seconds > 0 for seconds in last["seconds"].values()), last'
ncdump -h broken/results.nc >header.txt
says header.txt ":ranks = 3LL"
says header.txt ":threads = $(($(nproc) >= 6 ? $(nproc) / 3 : 1))LL"

# Mistakes are told once, and nothing is written.
ranks 2 2 run swing.yaml -o none --set bodies.bob.mass=-3
[ "$(grep -c "mass = -3 kg, must be > 0" stderr.txt)" -eq 1 ] || fail "not told once"
ranks 2 2 run swing.yaml -o none --nonsense
[ "$(grep -c -- "--nonsense" stderr.txt)" -eq 1 ] || fail "usage not told once"
absent none

# Rank 0 has standard input, and the others have it from there, or hear that there is none.
ranks 0 3 run - -o piped --threads 1 <swing.yaml
[ "$(hash_of piped)" = "$whole" ] || fail "a model from standard input: other bits"
ranks 2 3 run - -o none --set bodies.bob.mass=-3 <swing.yaml
[ "$(grep -c "mass = -3 kg, must be > 0" stderr.txt)" -eq 1 ] || fail "not told once"
ranks 2 3 run - -o none </dev/null
absent none

# What cannot be shared, rank 0 does; the others are quiet.
ranks 0 2 run pendulum.yaml -o single
[ "$(grep -c "^results:" stdout.txt)" -eq 1 ] || fail "a single run is not run once"
ranks 0 2 --version
[ "$(grep -c "^tumble " stdout.txt)" -eq 1 ] || fail "two ranks tell their version"
ranks 0 2 run swing.yaml -o whole --resume
says stdout.txt "nothing to do"

# A rank that reads something else, or cannot read, ends the study.
echo 'set -- "$@" --set bodies.bob.mass=3' >rank_1.sh
prepared_ranks 3 2 run swing.yaml -o mixed
says stderr.txt "rank 1 has another model"
echo 'set -- "$@" --set study.file=nowhere.csv' >rank_1.sh
prepared_ranks 3 2 run swing.yaml -o mixed --resume
says stderr.txt "rank 1: "
says stderr.txt "nowhere.csv"
ranks 0 2 run swing.yaml -o mixed --resume
[ "$(hash_of mixed)" = "$whole" ] || fail "other bits after a rank with another model"

# A full disk, as a limit on the size of files; MPI would write some in shared memory.
echo 'ulimit -f 64' >rank_0.sh
OMPI_MCA_btl=self,tcp PMIX_MCA_gds=hash prepared_ranks 3 2 run swing.yaml -o full
grep -q "full/study.journal" stderr.txt || fail "the message names no file"
ranks 0 2 run swing.yaml -o full --resume
[ "$(hash_of full)" = "$whole" ] || fail "other bits after a full disk"

# Accidents of a longer study: they happen once its first block is finished.
{ cat rows.csv && for _ in 1 2 3 4; do tail -n 300 rows.csv; done; } >many.csv
long=(--set study.file=many.csv --set simulation.duration=4 --set simulation.output_step=0.5)
expect 0 run swing.yaml -o long "${long[@]}"
long_hash=$(hash_of long)
start_ranks() {
  rm -rf cut pid.*
  mpirun -n 2 bash each_rank.sh run swing.yaml -o cut "${long[@]}" --threads 1 >stdout.txt 2>stderr.txt &
  job=$!
  for _ in $(seq 400); do
    if [ "$(stat -c %s cut/study.journal 2>/dev/null || echo 0)" -gt 4000 ]; then break; fi
    sleep 0.02
  done
}
# end_ranks STATUS RANKS: of mpirun, and then finishes the study with so many ranks.
end_ranks() {
  local status=0
  wait "$job" || status=$?
  [ "$status" -eq "$1" ] || fail "status $status of a study that was cut short, not $1"
  absent cut/results.nc
  ranks 0 "$2" run swing.yaml -o cut "${long[@]}" --resume
  ! grep -q "1500 computed" stdout.txt || fail "finished blocks were computed again"
  [ "$(hash_of cut)" = "$long_hash" ] || fail "other bits after a study that was cut short"
}

start_ranks
kill -9 "$(cat pid.1)"
end_ranks 137 3
start_ranks
kill -9 "$(cat pid.0)"
end_ranks 137 1
start_ranks
kill -USR1 "$job"  # mpirun hands it to the ranks
end_ranks 130 2
