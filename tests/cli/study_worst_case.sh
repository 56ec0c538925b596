# A worst-case study: bounds against a closed form, the same bits, kill and resume, replays, refusals.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

cp "$TUMBLE_SOURCE_DIR/examples/worst-case/spring.yaml" spring.yaml
expect 0 check spring.yaml
says stdout.txt "worst case: 1 interval, 7 runs, 121 that measure errors, and at most 768 of searches"
expect 0 run spring.yaml -o whole
says stdout.txt "largest of height"
says stdout.txt "forces.coil.stiffness = 30"
ncdump -h whole/results.nc >header.txt
for name in "bob_position_bound_lower(time, axis)" "bob_position_inclusion_upper(time, axis)" "bob_position_bound_error(time, axis)" \
  "bob_position_found_max(time, axis)" "quantity_height_bound_upper ;" "quantity_height_searched_max ;" "quantity_height_found_max_inputs(input)" \
  "quantity_height(realization)" "interval_lower(input)"; do
  says header.txt "double $name"
done
says header.txt "flag_meanings = \"fit kept_out extreme search\""
whole=$(hash_of whole)

# x(1) = 1 + 0.3 cos(sqrt(k)): lowest at the end k = 30, highest inside, with k = (2 pi)^2. The time
# integration at 1 ms is off by some 1e-6; what the search found agrees to 1e-5, bounds with their error hold it.
/usr/bin/python3 - whole/results.nc <<'PYTHON' || fail "not what the closed form says"
import sys
import netCDF4
import numpy as np
data = netCDF4.Dataset(sys.argv[1])
get = lambda name: np.ma.filled(data["quantity_height_" + name][:].astype(float))
low, high = 1 + 0.3 * np.cos(np.sqrt(30)), 1.3
assert abs(get("found_min") - low) < 1e-5 and abs(get("found_max") - high) < 1e-5, (get("found_min"), low, get("found_max"))
assert abs(get("searched_min") - low) < 1e-5 and abs(get("searched_max") - high) < 1e-5
assert abs(get("found_max_inputs")[0] - 4 * np.pi ** 2) < 0.05 and get("found_min_inputs")[0] == 30
error = get("bound_error")
assert error < 1e-3 and get("bound_lower") - error <= low + 1e-5 and get("bound_upper") + error >= high - 1e-5
assert get("inclusion_lower") <= get("bound_lower") and get("inclusion_upper") >= get("bound_upper")
t, k = data["time"][:], np.linspace(30, 50, 20001)
x = 1 + 0.3 * np.cos(np.sqrt(k)[:, None] * t)
lower, upper, error = (np.array(data["bob_position_" + s][:, 2]) for s in ("bound_lower", "bound_upper", "bound_error"))
assert (lower - error <= x.min(axis=0) + 1e-5).all() and (upper + error >= x.max(axis=0) - 1e-5).all()
assert np.abs(lower - x.min(axis=0)).max() < 2e-3 and np.abs(upper - x.max(axis=0)).max() < 2e-3
PYTHON

for settings in "--threads 1 --lanes 1" "--threads 1 --lanes 8" "--threads 3"; do
  expect 0 run spring.yaml -o other $settings --overwrite
  [ "$(hash_of other)" = "$whole" ] || fail "$settings: other bits"
done
three_ranks_agree spring.yaml "$whole"

# Runs of every kind can be replayed: a point of the fit, a corner, an extreme, one of the search.
count=$(ncdump -h whole/results.nc | sed -n 's/.*realization = \([0-9]*\) ;.*/\1/p')
for realization in 3 8 130 $((count - 5)); do
  expect 0 replay whole "$realization"
  diff <(values whole/results.nc quantity_height "$realization") <(values "whole/replay-$realization/results.nc" quantity_height_nominal) ||
    fail "replay of realisation $realization has other bits"
done
expect 0 report whole

# Killed at any moment it goes on to the same bits; a longer search goes on from a shorter one.
slow=(--set simulation.step=2e-5)
expect 0 run spring.yaml -o uncut "${slow[@]}"
for wait in 0.3 0.7 1.2; do
  rm -rf cut
  "$TUMBLE" run spring.yaml -o cut "${slow[@]}" --threads 1 >stdout.txt 2>stderr.txt &
  run=$!
  sleep "$wait"
  kill -9 "$run" 2>/dev/null || true
  wait "$run" 2>/dev/null || true
  expect 0 run spring.yaml -o cut "${slow[@]}" --resume
  [ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"
done
expect 0 run spring.yaml -o short --set study.worst_case.search_runs=128
expect 0 run spring.yaml -o short --resume
[ "$(hash_of short)" = "$whole" ] || fail "a longer search does not go on to the same bits"
expect 0 run spring.yaml -o whole --resume
says stdout.txt "nothing to do"
expect 0 run spring.yaml -o without --set study.worst_case.search_runs=0
says stdout.txt "128 realisations"

# Too low a degree is said to be; runs that fail are counted.
expect 0 run spring.yaml -o low --set study.worst_case.degree=1
says stderr.txt "the error of the polynomials is a large share of the width of the bounds: height"
expect 0 run spring.yaml -o sparse --set 'study.worst_case={points: sparse-grid, level: 3}'
expect 0 run spring.yaml -o least --set 'study.worst_case={points: regression, degree: 6, runs: 20}'
expect 1 run spring.yaml -o failing --set 'uncertainty={bodies.bob.mass: {law: uniform, min: -0.1, max: 1}}'
says stderr.txt "runs failed: bounds and extremes know nothing of machines like those"

refused() {
  local text=$1
  shift
  expect 2 run spring.yaml -o refused "$@"
  says stderr.txt "$text"
  absent refused
}
refused "a normal law has no lower end" --set 'uncertainty={forces.coil.stiffness: {law: normal, mean: 40, std: 1}}'
refused "a lognormal law has no upper end" --set 'uncertainty={forces.coil.stiffness: {law: lognormal, mean: 40, std: 1}}'
refused "single values and nothing between them" --set 'uncertainty={forces.coil.stiffness: {law: discrete, values: [30, 50]}}'
refused "bodies.bob.mass: {law: uniform, min: ..., max: ...}" --set 'uncertainty={bob: {mass: {cv: 0.1}}}'
refused "bodies.bob.position[0]: {law: uniform" --set 'uncertainty={bob: {center_of_mass: {ball: {center: [0, 0, 1.3], radius: 0.1}}}}'
refused "numbers in a box do not depend on each other" --set uncertainty='{forces.coil.stiffness: {law: uniform, min: 30, max: 50},
  bodies.bob.mass: {law: uniform, min: 0.9, max: 1.1}, correlation: {variables: [forces.coil.stiffness, bodies.bob.mass], matrix: [[1, 0.5], [0.5, 1]]}}'
refused "no quantity of interest is named 'hight'" --set 'study.worst_case.quantities=[hight]'
refused "there is nothing to fit a polynomial to" --set 'quantities.height={of: bob.position.z, kind: first_crossing, level: 1}'
refused "must be 0 or between 64" --set study.worst_case.search_runs=10
refused "must be between 16 and 4096" --set study.worst_case.validation=4
refused "must be left out: it is for points: sparse-grid" --set study.worst_case.level=2
refused "must be left out with worst-case: intervals have no probabilities" --set study.quantiles='[0.1]'
refused "must be exact with worst-case" --set study.quantile_method=sketch
refused "must be left out: the points of the polynomials" -n 100
refused "must be left out: study.method is not worst-case" --set study.method=monte-carlo --set study.realizations=10
refused "needs a section uncertainty" --set 'uncertainty={}'
