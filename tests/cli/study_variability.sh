# A study of variability response: what is in the results, the same bits, resuming, refusals.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

cp "$TUMBLE_SOURCE_DIR/examples/beams/variability-response.yaml" arm.yaml
settings=(--set beams.arm.elements=4 --set simulation.duration=0.1 --set study.variability.check=128
  --set 'study.variability.waves={to: 8, count: 9}' --set study.variability.phases=8)

expect 0 check arm.yaml "${settings[@]}"
says stdout.txt "variability response: 9 wave numbers, 8 phases, and 128 runs each with Gaussian and lognormal fields"
expect 0 run arm.yaml -o whole "${settings[@]}" --keep-journal
says stdout.txt "328 realisations"
ncdump -h whole/results.nc >header.txt
for name in "dvrf(wave_number, time, axis)" "dmrf(wave_number, time, axis)" "variance(time, axis)" "variance_bound(time, axis)" \
  "conjecture_error(law, time, axis)" "conjecture_error_upper(law, time, axis)" "check_std(law, time, axis)"; do
  says header.txt "double tip_position_$name"
done
! grep -q "tip_position_mean(\|tip_position_quantile(" header.txt || fail "waves are no sample, and have no mean"
whole=$(hash_of whole)

expect 0 run arm.yaml -o one "${settings[@]}" --threads 1 --lanes 1
[ "$(hash_of one)" = "$whole" ] || fail "one thread, one lane: other bits"
"$TUMBLE" run arm.yaml -o cut "${settings[@]}" --set simulation.step=1e-4 --threads 1 >stdout.txt 2>stderr.txt &
run=$!
sleep 0.4
kill -9 "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 0 run arm.yaml -o cut "${settings[@]}" --set simulation.step=1e-4 --resume
expect 0 run arm.yaml -o uncut "${settings[@]}" --set simulation.step=1e-4
[ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"
expect 0 run arm.yaml -o stored "${settings[@]}" --set study.store=all
expect 0 replay stored 75
diff <(values stored/results.nc tip_position 75) <(values stored/replay-75/results.nc tip_position_nominal) ||
  fail "replay has other bits"
expect 0 report stored

refused() {
  local text=$1
  shift
  expect 2 run arm.yaml -o refused "${settings[@]}" "$@"
  says stderr.txt "$text"
  absent refused
}
refused "there is no beam 'leg'" --set study.variability.beam=leg
refused "must be below 1/sqrt(2)" --set study.variability.std=0.8
refused "must be an odd number" --set study.variability.waves.count=8
refused "must be between 4 and 1024" --set study.variability.phases=3
refused "must be 0, or between 128" --set study.variability.check=100
refused "kernel matern needs smoothness" --set study.variability.spectrum.kernel=matern
refused "leave out the section uncertainty" --set 'uncertainty={mass: {mass: {cv: 0.1}}}'
refused "must be left out: variability.waves" --set study.realizations=10
refused "must be exact" --set study.quantile_method=sketch
refused "its runs are no sample" --set study.region=chebyshev
refused "required but missing" --set 'study={method: variability-response}'
expect 2 run arm.yaml -o refused --set study.method=monte-carlo --set study.realizations=10 \
  --set 'uncertainty={mass: {mass: {cv: 0.1}}}'
says stderr.txt "must be left out: study.method is not variability-response"
