# An identification shared by MPI ranks: ensemble after ensemble, the bits of one process.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_ranks.sh"
examples=$TUMBLE_SOURCE_DIR/examples/identification
spring=(identify "$examples/spring.yaml" --data "$examples/spring.csv" --set identification.ensemble.draws=512
  --set identification.intervals.points=5 --set identification.intervals.bootstrap=0)

expect 0 "${spring[@]}" -o whole
for number in 1 2 3; do
  ranks 0 "$number" "${spring[@]}" -o shared --threads 1
  [ "$(grep -c "^results:" stdout.txt)" -eq 1 ] || fail "not one summary of $number ranks"
  [ "$(hash_of shared)" = "$(hash_of whole)" ] || fail "$number ranks: other bits"
  only shared results.nc model.yaml
  rm -r shared
done

# Where every value of a parameter needs runs of its own there are many rounds.
anew=("${spring[@]}" --set identification.parameters='{forces.coil.stiffness: {min: 30, max: 50}}'
  --set identification.ensemble.draws=256 --set simulation.step=0.01)
expect 0 "${anew[@]}" -o anew
ranks 0 3 "${anew[@]}" -o anew-shared --threads 1
[ "$(hash_of anew-shared)" = "$(hash_of anew)" ] || fail "new runs for every value: other bits"
ncdump -h anew-shared/results.nc >header.txt
says header.txt ":ranks = 3LL"

# Killed with all its ranks it goes on, with any number of them.
slow=("${spring[@]}" --set simulation.step=2e-4)
expect 0 "${slow[@]}" -o slow
status=0
{ timeout -s KILL 1.2 mpirun -n 2 "$TUMBLE" "${slow[@]}" -o killed --threads 1 >stdout.txt 2>stderr.txt; } 2>/dev/null || status=$?
[ "$status" -eq 137 ] || [ "$status" -eq 0 ] || fail "status $status of what was to be killed"
pkill -KILL -f "$TUMBLE identify .* -o killed" || true
ranks 0 3 "${slow[@]}" -o killed --threads 1 --resume
[ "$(hash_of killed)" = "$(hash_of slow)" ] || fail "killed and resumed by ranks: other bits"

# Mistakes are told once, and nothing is written.
ranks 2 2 "${spring[@]}" -o none --set identification.likelihood=kernel
[ "$(grep -c "one or two numbers" stderr.txt)" -eq 1 ] || fail "not told once"
ranks 2 2 identify "$examples/spring.yaml" --data nowhere.csv -o none
[ "$(grep -c "nowhere.csv" stderr.txt)" -eq 1 ] || fail "not told once"
absent none
