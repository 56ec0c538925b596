# A multilevel study: what is in the results, the same bits, kill and resume, another target, refusals.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

sed "s/relative_error: 0.002/relative_error: 0.005/" "$TUMBLE_SOURCE_DIR/examples/multilevel/spring.yaml" >spring.yaml
expect 0 check spring.yaml
says stdout.txt "multilevel: 4 levels, 128 runs before numbers are chosen"
expect 0 run spring.yaml -o whole
says stdout.txt "multilevel: mean of deflection"
says stdout.txt "reached"
says stdout.txt "plain Monte Carlo of the same error"
says stdout.txt "measured, on one core"
ncdump -h whole/results.nc >header.txt
for name in "level_step(level)" "level_mean_difference(level)" "level_variance_pair_variance(level)" "multilevel_mean ;" \
  "multilevel_mean_error ;" "multilevel_variance_bias ;" "plain_work ;" "multilevel_gain ;" "quantity_deflection(realization)"; do
  says header.txt "double $name"
done
says header.txt "multilevel_seconds ="
whole=$(hash_of whole)

for settings in "--threads 1 --lanes 1" "--threads 1 --lanes 8"; do
  expect 0 run spring.yaml -o other $settings --overwrite
  [ "$(hash_of other)" = "$whole" ] || fail "$settings: other bits"
done
three_ranks_agree spring.yaml "$whole"

# Both runs of a pair are the same machine on two grids; each can be replayed.
values whole/results.nc draw >draws.txt
level0=$(ncdump -v level_pairs whole/results.nc | sed -n 's/^ level_pairs = \([0-9]*\),.*/\1/p')
fine=$((level0 + 6))
expect 0 replay whole "$fine"
says <(ncdump -h "whole/replay-$fine/results.nc") "step: 0.01"
diff <(values whole/results.nc quantity_deflection "$fine") <(values "whole/replay-$fine/results.nc" quantity_deflection_nominal) ||
  fail "replay has other bits"
expect 0 replay whole $((fine + 1))
says <(ncdump -h "whole/replay-$((fine + 1))/results.nc") "step: 0.02"
diff <(values whole/results.nc quantity_deflection $((fine + 1))) \
  <(values "whole/replay-$((fine + 1))/results.nc" quantity_deflection_nominal) || fail "replay of the coarse run has other bits"
expect 0 report whole

# Killed at any moment, it goes on to the same bits; with another target it goes on from what is there.
slow=(--set 'study.multilevel.levels=[{step: 1e-3}, {step: 5e-4}, {step: 2.5e-4}]' --set study.multilevel.target.relative_error=0.005)
expect 0 run spring.yaml -o uncut "${slow[@]}"
"$TUMBLE" run spring.yaml -o cut "${slow[@]}" --threads 1 >stdout.txt 2>stderr.txt &
run=$!
sleep 0.3
kill -9 "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 0 run spring.yaml -o cut "${slow[@]}" --resume
[ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"
expect 0 run spring.yaml -o loose --set study.multilevel.target.relative_error=0.05
expect 0 run spring.yaml -o loose --resume
[ "$(hash_of loose)" = "$whole" ] || fail "a study with another target does not go on to the same bits"
expect 0 run spring.yaml -o whole --resume
says stdout.txt "nothing to do"

# Too coarse a grid is said to be; so is a limit on runs.
expect 0 run spring.yaml -o coarse --set 'study.multilevel.levels=[{step: 0.1}, {step: 0.05}]' \
  --set study.multilevel.target.relative_error=0.001 -n 3000
says stderr.txt "because the finest grid may be off by"
expect 0 run spring.yaml -o few -n 500
says stderr.txt "study.realizations allows no more runs"
# A pair of which a run fails is left out and counted.
expect 1 run spring.yaml -o failing --set 'uncertainty={forces.coil.stiffness: {law: uniform, min: -1, max: 50}}' \
  --set study.multilevel.target.relative_error=0.1
ncdump -v level_failed failing/results.nc | grep -q "level_failed = [1-9]" || fail "no failed pairs"

refused() {
  local text=$1
  shift
  expect 2 run spring.yaml -o refused "$@"
  says stderr.txt "$text"
  absent refused
}
refused "no quantity of interest is named 'deflexion'" --set study.multilevel.quantity=deflexion
refused "must have one of relative_error and absolute_error" --set study.multilevel.target.absolute_error=0.1
refused "must be at least two levels" --set 'study.multilevel.levels=[{step: 0.01}]'
refused "must be finer than the level before it" --set 'study.multilevel.levels=[{step: 0.01}, {step: 0.02}]'
refused "there is no beam 'arm'" --set 'study.multilevel.levels=[{step: 0.01}, {step: 5e-3, elements: {arm: 3}}]'
refused "there is no such model" --set 'study.multilevel.levels=[{step: 2}, {step: 5e-3}]'
refused "must be between 8 and 1000000" --set study.multilevel.pilot=2
refused "must be left out with method multilevel" --set study.region=chebyshev
refused "needs simulation.step" --set 'simulation={duration: 1, accuracy: 1e-3, output_step: 0.1}'
refused "first crossing may not happen" --set 'quantities.deflection={of: bob.position.z, kind: first_crossing, level: 1}'
refused "required but missing: the quantity" --set 'study={method: multilevel}'
refused "must be left out: study.method is not multilevel" --set study.method=monte-carlo --set study.realizations=10
