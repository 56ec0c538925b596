# Shards of a study, run one by one, killed or not, become the bits of one run.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# run_shards NAME COUNT ARGUMENTS...: NAME-1, NAME-2, ..., the last one first.
run_shards() {
  local name=$1 count=$2 i
  shift 2
  for ((i = count; i >= 1; i--)); do expect 0 run "$@" --shard "$i/$count" -o "$name-$i"; done
}

# One, two and four shards of the 300 rows of a table: five blocks, the last of 44.
expect 0 run swing.yaml -o whole --no-report
reference=$(hash_of whole)
for count in 1 2 4; do
  run_shards "of$count" "$count" swing.yaml
  only "of$count-1" study.journal shard.json
  expect 0 merge of"$count"-* -o "merged$count" --no-report
  says stdout.txt "300 realisations, 0 computed"
  [ "$(hash_of "merged$count")" = "$reference" ] || fail "$count shards have other bits than one run"
done
says stdout.txt "results: merged4/results.nc"
expect 0 run swing.yaml --shard 2/4 -o of4-2 --resume
says stdout.txt "shard 2/4: realisations 64 to 127, 0 computed"

# The page and the journal are those of a study: it can be extended.
sed 's/file: rows.csv/file: rows.csv, realizations: 200/' swing.yaml >first.yaml
run_shards first 3 first.yaml
expect 0 merge first-3 first-1 first-2 -o extended
[ -s extended/report.html ] || fail "no page"
expect 0 run swing.yaml -o extended --resume --no-report
says stdout.txt "300 realisations"
[ "$(hash_of extended)" = "$reference" ] || fail "a merged study that went on has other bits"

# Draws, with all that results hold of them: exact quantiles, stored realisations, densities, errors
# of the time integration, quantities of interest.
uncertain_pendulum | sed '$d' >drawn.yaml
cat >>drawn.yaml <<'YAML'
  bodies.bob.mass: {law: lognormal, mean: 2, std: 0.2}
quantities:
  peak: {of: norm(tip.acceleration), kind: peak}
study:
  method: monte-carlo
  realizations: 200
  seed: 7
  quantile_method: exact
  store: [0, 130, 199]
  densities: {times: [0.1]}
YAML
for method in monte-carlo latin-hypercube sobol sensitivity; do
  set=(--set "study.method=$method" --set simulation.time_error=true)
  [ "$method" != sobol ] || set+=(--set study.realizations=256)
  if [ "$method" = sensitivity ]; then
    set+=(--set study.quantile_method=sketch --set "study={method: sensitivity, realizations: 256, seed: 7}")
  fi
  expect 0 run drawn.yaml -o "whole-$method" --no-report "${set[@]}"
  run_shards "$method" 2 drawn.yaml "${set[@]}"
  expect 0 merge "$method"-1 "$method"-2 -o "merged-$method" --no-report --csv
  [ "$(hash_of "whole-$method")" = "$(hash_of "merged-$method")" ] || fail "other bits by $method"
  [ -s "merged-$method/tip.position.statistics.csv" ] || [ "$method" = sensitivity ] || fail "no CSV"
done

# A shard that was killed goes on; one that did not is not merged.
long=(--set simulation.duration=20 --set simulation.output_step=0.5 --threads 1)
expect 0 run swing.yaml -o undisturbed --no-report "${long[@]}"
expect 0 run swing.yaml --shard 2/2 -o killed-2 "${long[@]}"
RANDOM=$$
kills=0
for attempt in 1 2 3 4 5 6; do
  rm -rf killed-1
  "$TUMBLE" run swing.yaml --shard 1/2 -o killed-1 "${long[@]}" >stdout.txt 2>stderr.txt &
  run=$!
  # Once it has begun, at any moment.
  for _ in $(seq 500); do [ ! -s killed-1/study.journal ] || break; sleep 0.01; done
  sleep "0.$(printf '%03d' $((RANDOM % 300)))"
  if kill -9 "$run" 2>/dev/null; then kills=$((kills + 1)); fi
  wait "$run" 2>/dev/null || true
  if "$TUMBLE" merge killed-1 killed-2 -o merged-killed --no-report >stdout.txt 2>stderr.txt; then
    rm -r merged-killed
  else
    absent merged-killed
    grep -qE "killed-1.* (is not finished: it has|holds no shard|cannot be read)" stderr.txt ||
      fail "not what is wrong with a killed shard"
  fi
  expect 0 run swing.yaml --shard 1/2 -o killed-1 --resume "${long[@]}"
  expect 0 merge killed-1 killed-2 -o merged-killed --no-report
  [ "$(hash_of merged-killed)" = "$(hash_of undisturbed)" ] || fail "killed shards have other bits"
  rm -r merged-killed
done
[ "$kills" -gt 0 ] || fail "no shard was killed"

# What is not all shards of one study, each once, is refused, and nothing is written.
refused() {
  local message=$1
  shift
  expect 2 merge "$@" -o refused
  says stderr.txt "$message"
  absent refused
}
refused "shard 3/4 is missing" of4-1 of4-2 of4-4
refused "shards 1/4, 3/4 are missing" of4-2 of4-4
refused "of4-1 and copy are both shard 1/4" of4-1 of4-2 of4-3 of4-4 "$(cp -r of4-1 copy && echo copy)"
refused "are not shards of one study: one is shard 1/2, the other 4/4" of2-1 of4-4
refused "whole holds no shard, but a whole study" of2-1 whole
refused "nowhere holds no shard" of2-1 nowhere
expect 0 run swing.yaml --shard 2/2 -o other --set bodies.bob.inertia='[0.01,0.05,0.06]'
refused "are not shards of one study: model is" of2-1 other
expect 0 run drawn.yaml --shard 2/2 -o more -n 256
refused "one is of 200 realisations, the other of 256" "$(rm -rf fewer && "$TUMBLE" run drawn.yaml --shard 1/2 -o fewer -q && echo fewer)" more
cp rows.csv kept.csv
sed -i '2s/^1/2/' rows.csv
refused "belongs to another study: files" of2-1 of2-2
cp kept.csv rows.csv
mkdir broken
cp of2-1/* broken
printf '{"model": 3}' >broken/shard.json
refused "broken/shard.json is damaged" broken of2-2
rm broken/shard.json
refused "broken/shard.json cannot be read" broken of2-2
# A byte of a record that was safe.
cp of2-1/* broken
printf '\377' | dd of=broken/study.journal bs=1 seek=2000 conv=notrunc status=none
refused "broken/study.journal has a record with bad bytes" broken of2-2
expect 0 run swing.yaml --shard 1/2 -o broken --resume
expect 0 merge broken of2-2 -o repaired --no-report
[ "$(hash_of repaired)" = "$reference" ] || fail "a repaired shard has other bits"

# Results stay; a shard is no study and a study no shard.
expect 2 merge of2-1 of2-2 -o merged2
says stderr.txt "merged2 holds a study"
expect 0 merge of2-1 of2-2 -o merged2 --overwrite --no-report
[ "$(hash_of merged2)" = "$reference" ] || fail "other bits when overwriting"
expect 2 run swing.yaml -o of2-1 --resume
says stderr.txt "shard is 1/2 there and absent here"
expect 2 run swing.yaml --shard 1/2 -o of2-2 --resume
says stderr.txt "shard is 2/2 there and 1/2 here"
expect 2 run swing.yaml --shard 1/2 -o whole --resume
says stderr.txt "whole holds results, and a shard has none"
expect 2 run swing.yaml --shard 1/2 -o of2-1
says stderr.txt "of2-1 holds a study"

# Methods that look at what they found before they go on.
expect 2 run drawn.yaml --shard 1/2 -o refused --set study.until.relative_mean_error=0.01
says stderr.txt "this study cannot be divided into shards: whether study.until is met"
expect 2 run "$TUMBLE_SOURCE_DIR/examples/reliability/spring-too-fast.yaml" --shard 1/2 -o refused
says stderr.txt "method: reliability chooses its points as it goes"
expect 2 run "$TUMBLE_SOURCE_DIR/examples/multilevel/spring.yaml" --shard 1/2 -o refused
says stderr.txt "method: multilevel chooses how many runs"
expect 2 run "$TUMBLE_SOURCE_DIR/examples/worst-case/spring.yaml" --shard 1/2 -o refused
says stderr.txt "method: worst-case searches"
absent refused
expect 2 run pendulum.yaml --shard 1/2 -o refused
says stderr.txt "--shard 1/2 is for a study"
for shard in 0/2 3/2 2 1/ /2 a/b 1/2/3 -1/2 1/0; do
  expect 2 run swing.yaml --shard="$shard" -o refused
  says stderr.txt "--shard $shard: expected I/N"
done
expect 2 run swing.yaml --shard 1/6 -o refused
says stderr.txt "300 realisations are 5 blocks of 64, which is as many shards as there can be"
absent refused
