# A study of reliability: what is in the results, the same bits for threads, lanes, ranks and after
# kill -9, replay, methods, failures, refusals.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
model=$TUMBLE_SOURCE_DIR/examples/reliability/test-functions.yaml
ask() { echo "study.reliability={quantity: $1, below: 0, method: $2, runs: $3${4:-}}"; }

expect 0 check "$model"
says stdout.txt "reliability by subset: at most 13000 runs, 2 germs"
small=(--set "$(ask four_branches subset 3000 ", cross_check: importance, cross_check_runs: 1000")")
expect 0 run "$model" -o whole "${small[@]}"
says stdout.txt "probability that four_branches is below 0"
says stdout.txt "subset simulation: "
says stdout.txt "importance sampling: "
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
for name in "double probability ;" "double probability_lower ;" "double probability_upper ;" "double probability_cv ;" \
  "int64 runs ;" "double reliability_index ;" "double level_threshold(level)" "double replica_probability(replica)" \
  "double cross_check_probability_upper ;" "double quantity_four_branches(realization)" \
  'reliability_method = "subset"'; do
  says header.txt "$name"
done
/usr/bin/python3 - whole <<'PYTHON'
import json, sys
import netCDF4
page = open(sys.argv[1] + "/report.html", encoding="utf-8").read()
found = json.JSONDecoder().raw_decode(page[page.index('"reliability":{') + len('"reliability":'):])[0]
with netCDF4.Dataset(sys.argv[1] + "/results.nc") as file:
    n = len(file.dimensions["realization"])
    assert n == int(file["runs"][...]) + int(file["cross_check_runs"][...]) <= 4000, n
    truth = 2.22279506619e-3
    for stem in ("probability", "cross_check_probability"):
        assert float(file[stem + "_lower"][...]) < truth < float(file[stem + "_upper"][...]), stem
    assert found["estimate"]["probability"] == float(file["probability"][...])
    assert found["cross_check"]["method"] == "importance"
PYTHON

# The same bits: threads, lanes, ranks, and whatever happens on the way.
expect 0 run "$model" -o one --threads 1 --lanes 1 "${small[@]}"
[ "$(hash_of one)" = "$whole" ] || fail "one thread: other bits"
for moment in 0.02 0.05 0.08 0.12; do
  rm -rf killed
  "$TUMBLE" run "$model" -o killed "${small[@]}" >stdout.txt 2>stderr.txt &
  run=$!
  sleep $moment
  kill -9 $run 2>/dev/null || true
  wait $run 2>/dev/null || true
  expect 0 run "$model" -o killed --resume "${small[@]}"
  [ "$(hash_of killed)" = "$whole" ] || fail "killed after $moment s and resumed: other bits"
done
# A journal that ends anywhere is gone on with.
cp -r whole torn
rm torn/results.nc torn/report.html
size=$(stat -c %s torn/study.journal)
for share in 3 7 9; do
  cp whole/study.journal torn/study.journal
  truncate -s $((size * share / 10)) torn/study.journal
  rm -f torn/results.nc
  expect 0 run "$model" -o torn --resume "${small[@]}"
  [ "$(hash_of torn)" = "$whole" ] || fail "a journal cut at $share / 10: other bits"
done
expect 2 run "$model" -o torn --resume "${small[@]}" --set study.seed=2

# A point of a chain is found again.
expect 0 replay whole 2500
/usr/bin/python3 - <<'PYTHON'
import netCDF4
study, single = netCDF4.Dataset("whole/results.nc"), netCDF4.Dataset("whole/replay-2500/results.nc")
assert float(study["quantity_four_branches"][2500]) == float(single["quantity_four_branches_nominal"][...])
PYTHON

# Methods, and what they say of themselves.
expect 0 run "$model" -o crude --set "$(ask r_minus_s monte-carlo 2000)"
expect 0 run "$model" -o first --set "$(ask r_minus_s form 2000)"
says stdout.txt "first order (FORM): 0.07865, an approximation without an interval"
ncdump -h first/results.nc >header.txt
says header.txt "double design_point_inputs(design_point, input)"
if grep -q "probability_lower" header.txt; then fail "an approximation has an interval"; fi
expect 0 run "$model" -o second --set "$(ask rp22 sorm 2000)"
says stdout.txt "by Breitung"
expect 0 run "$model" -o blind --set "$(ask four_branches importance 5000 ", starts: 1")"
says stderr.txt "other ways to fail"

# Runs that fail are counted, and widen the interval: negative masses are no machines.
fails=(--set "uncertainty={'bodies.ball.mass': {law: normal, mean: 2, std: 1}, 'bodies.ball.velocity[0]': {law: normal, mean: 0, std: 1}}")
expect 1 run "$model" -o failing "${fails[@]}" --set "$(ask r_minus_s monte-carlo 1000)"
says stderr.txt "realisations failed; max_failed"
expect 0 run "$model" -o tolerant "${fails[@]}" --set study.max_failed=0.1 --set "$(ask r_minus_s monte-carlo 1000)"
says stderr.txt "the upper end of its interval as beyond it"

# What cannot be.
expect 2 check "$model" --set study.reliability.below=null
expect 2 check "$model" --set "study.reliability={quantity: rp23, below: 0}"
says stderr.txt "did you mean 'rp22'"
expect 2 check "$model" --set "study.reliability={quantity: rp22, below: 0, above: 1}"
says stderr.txt "must have a limit, either above or below"
expect 2 check "$model" --set "$(ask rp22 subset 300)"
says stderr.txt "must be between 1000 and"
expect 2 check "$model" --set "$(ask rp22 monte-carlo 3000 ", replicas: 8")"
says stderr.txt "it is for method: subset"
expect 2 check "$model" --set study.realizations=100
says stderr.txt "reliability.runs says how many there are"

# Ranks get the points with the leaves they compute.
source "$TUMBLE_SOURCE_DIR/tests/cli/_ranks.sh"
ranks 0 3 run "$model" -o ranks --threads 1 "${small[@]}"
[ "$(hash_of ranks)" = "$whole" ] || fail "three ranks: other bits"
