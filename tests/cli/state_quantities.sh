# Equilibria, modes and responses as quantities of a study: the same bits however they are computed, with a motion and without,
# realisations that have none, mistakes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

quantities='quantities:
  swing: {of: tip.position.z, kind: final}
  low: {of: tip.position.z, kind: equilibrium}
  slow: {kind: eigenfrequency, mode: 1}
  same: {kind: eigenfrequency, mode: 1, follow: shape}
  decay: {kind: damping_ratio, mode: 1}
  weight: {kind: gain, of: tip.position.x, input: "gravity[0]", frequency: 0.1}
  sweep: {kind: gain, of: tip.position.x, input: "gravity[0]", band: [0.05, 5], points: 4}'
{ cat swing.yaml && echo "$quantities"; } >model.yaml

# With the motion, in lanes and not: the same bits.
expect 0 run model.yaml -o whole --no-report
says stdout.txt "slow"
says stdout.txt "sweep: gain of tip.position.x by gravity[0] at 4 frequencies"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
says header.txt "double quantity_slow(realization)"
says header.txt 'quantity_slow_mean:units = "Hz"'
says header.txt "double quantity_sweep_band_mean(quantity_sweep_frequency)"
says header.txt "double quantity_sweep_band_quantile(quantity_sweep_frequency, quantile)"
for options in "--threads 1 --lanes 1" "--threads 2 --lanes 4" "--threads 3 --lanes 8"; do
  # shellcheck disable=SC2086
  expect 0 run model.yaml -o other --overwrite --no-report $options
  [ "$(hash_of other)" = "$whole" ] || fail "$options: other bits"
done
expect 0 run model.yaml -o longer -n 70 --no-report
expect 0 run model.yaml -o longer -n 300 --resume --no-report
[ "$(hash_of longer)" = "$whole" ] || fail "extended: other bits"
three_ranks_agree model.yaml "$whole"
expect 0 replay whole 17
for name in swing low slow same decay weight; do
  [ "$(values whole/results.nc "quantity_$name" 17)" = "$(values whole/replay-17/results.nc "quantity_${name}_nominal")" ] ||
    fail "replayed: $name differs"
done

# Without the motion the same values, of a run that is its start alone.
expect 0 run model.yaml -o still --set simulation.duration=0
for name in low slow same decay weight sweep_003; do
  [ "$(values whole/results.nc "quantity_$name")" = "$(values still/results.nc "quantity_$name")" ] || fail "without a motion $name differs"
done
[ "$(ncdump -h still/results.nc | grep -c 'time = 1 ;')" = 1 ] || fail "a run without a motion has more than its start"
still=$(hash_of still)
expect 0 run model.yaml -o still --overwrite --no-report --threads 1 --lanes 1 --set simulation.duration=0
[ "$(hash_of still)" = "$still" ] || fail "without a motion: other bits"
expect 0 run pendulum.yaml -o single --set simulation.duration=0 --set simulation.start=equilibrium
says stdout.txt "nothing was integrated"

# A realisation without what is asked for fails, by its number, and its reason is kept.
{ cat swing.yaml && echo 'quantities: {third: {kind: eigenfrequency, mode: 2}}'; } >none.yaml
expect 2 run none.yaml -o none --no-report
says stderr.txt "quantity 'third': mode, must be at most 1"
absent none
expect 2 run pendulum.yaml -o none --set quantities.g.kind=gain --set quantities.g.of=tip.position.z --set quantities.g.frequency=1 \
  --set quantities.g.input=gravty
absent none
