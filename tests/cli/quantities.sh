# Quantities of interest: summary, the same bits however they are computed, mistakes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

quantities='quantities:
  swing: {of: tip.position.z, kind: minimum}
  jolt: {of: norm(tip.acceleration), kind: rms, from: 0.02}
  passed: {of: tip.position.z, kind: first_crossing, level: -0.03, direction: down}'
{ cat swing.yaml && echo "$quantities"; } >model.yaml
{ cat pendulum.yaml && echo "$quantities"; } >single.yaml

expect 0 run single.yaml -o single --no-report
says stdout.txt "output error"
says stdout.txt "passed"

expect 0 run model.yaml -o whole
[ ! -s stderr.txt ] || fail "noise on standard error"
says stdout.txt "passed happens in"
says stdout.txt "on condition that it does"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
says header.txt "double quantity_swing(realization)"
says header.txt "double quantity_jolt_exceedance_upper(quantity_point)"
says header.txt 'quantity_jolt_mean:units = "m/s^2"'
says header.txt 'quantity_passed_mean:conditional_on = "crossing"'

# Outputs that miss what they are asked for.
expect 0 run single.yaml -o coarse --no-report --set quantities.jolt.of='sin(200*time)*tip.position.x' \
  --set quantities.jolt.unit=m --set quantities.jolt.kind=time_of_peak
says stderr.txt "outputs are too far apart for the quantities jolt"

# The same bits for any number of threads and lanes, resumed or extended.
for options in "--threads 1 --lanes 1" "--threads 2 --lanes 4" "--threads 3 --lanes 8"; do
  # shellcheck disable=SC2086
  expect 0 run model.yaml -o other --overwrite --no-report $options
  [ "$(hash_of other)" = "$whole" ] || fail "$options: other bits"
done
expect 0 run model.yaml -o longer -n 70 --no-report
expect 0 run model.yaml -o longer -n 300 --resume --no-report
[ "$(hash_of longer)" = "$whole" ] || fail "extended: other bits"

# A realisation again, alone.
expect 0 replay whole 17
says stdout.txt "jolt"
for name in swing jolt passed; do
  [ "$(values whole/results.nc "quantity_$name" 17)" = "$(values whole/replay-17/results.nc "quantity_${name}_nominal")" ] ||
    fail "replayed: $name differs"
done

# Without exact quantiles the same.
expect 0 run model.yaml -o sketch --no-report --set study.quantile_method=sketch
for name in quantity_swing_quantile quantity_jolt_mean quantity_passed_exceedance_lower; do
  [ "$(values whole/results.nc $name)" = "$(values sketch/results.nc $name)" ] || fail "$name with sketches"
done

# Runs that fail are left out, and counted.
{ sed '2s/.*/-1,0.5/' rows.csv; } >bad.csv
expect 0 run model.yaml -o failed --no-report --set study.file=bad.csv --set study.max_failed=0.1
says stdout.txt "on condition of success"
[ "$(values failed/results.nc quantity_swing_count)" = "$(python3 -c 'print(float(299).hex())')" ] ||
  fail "the failed realisation was counted"
[ "$(values failed/results.nc quantity_swing 0)" = nan ] || fail "the failed realisation has a value"

# A condition stands on what it applies to: in a part of these pendulums a rod grows farther than its tip can go, near the end.
{ sed 's/^probes:/  rod: {type: distance, between: [ground, bob], points: [[1, 0, 2], [1, 0, 0]], motion: growth}\n&/' pendulum.yaml &&
  cat <<'YAML'; } >late.yaml
drives: {growth: {type: polynomial, coefficients: [0, 10]}}
quantities:
  early: {of: tip.position.z, kind: final, to: 0.05}
  whole: {of: tip.position.z, kind: minimum}
  early_crossing: {of: tip.position.z, kind: first_crossing, level: -0.1, to: 0.05}
uncertainty: {"drives.growth.coefficients[1]": {law: uniform, min: 10, max: 13}}
study: {method: monte-carlo, realizations: 64, seed: 1, max_failed: 0.5}
YAML
expect 0 run late.yaml -o late --no-report
says stdout.txt "on condition of success"
[ "$(values late/results.nc quantity_early_count)" = "$(python3 -c 'print(float(64).hex())')" ] || fail "not every run got to 0.05 s"
[ "$(values late/results.nc quantity_whole_count)" != "$(python3 -c 'print(float(64).hex())')" ] || fail "no run failed"
ncdump -h late/results.nc >header.txt
says header.txt 'quantity_whole_mean:conditional_on = "success"'
! grep -q 'quantity_early_[a-z_]*:conditional_on = "success' header.txt || fail "a condition that excludes nothing"
says header.txt 'quantity_early_crossing_mean:conditional_on = "crossing"'

# A study with other quantities is another study.
expect 2 run model.yaml -o whole --resume --set quantities.swing.kind=peak
says stderr.txt "another study"
expect 2 run model.yaml -o nothing --set quantities.passed.level=high
absent nothing
expect 2 run model.yaml -o nothing --set quantities.swing.of=tip.position
says stderr.txt "has 3 components"
absent nothing

# A sweep has them too.
expect 0 sweep model.yaml -o swept --vary gravity[2]=-9:-10:2
ncdump -h swept/results.nc >header.txt
says header.txt "quantity_swing_mean("
expect 0 report swept
says swept/report.html '"quantity":"swing"'
says swept/report.html '"name":"probability"'

# By polynomial chaos, which random number a quantity varies with. X Z of independent uniform X and Z:
# closed form, with a share of both together; the polynomials of degree 2 hold it exactly.
cat >shares.yaml <<'YAML'
bodies:
  block: {mass: 1, position: [1, 0, 2], inertia: [1, 1, 1]}
probes:
  block: {body: block, quantities: [position]}
simulation: {duration: 0.1, step: 0.01}
quantities:
  product: {of: block.position.x*block.position.z, kind: final, unit: m^2}
  still: {of: block.position.y, kind: peak}
uncertainty:
  bodies.block.position[0]: {law: uniform, min: 0, max: 2}
  bodies.block.position[2]: {law: uniform, min: 1.5, max: 2.5}
study: {method: chaos, chaos: {degree: 2}}
YAML
expect 0 run shares.yaml -o shares
/usr/bin/python3 - <<'PYTHON' || fail "the shares of a product"
import netCDF4
import numpy as np
sx, sz, mx, mz = 1 / 3, 1 / 12, 1, 2  # variances and means
whole = mz**2 * sx + mx**2 * sz + sx * sz
first = np.array([mz**2 * sx, mx**2 * sz]) / whole
with netCDF4.Dataset("shares/results.nc") as file:
    file.set_auto_mask(False)
    assert list(file.variables["germ"][:]) == ["bodies.block.position[0]", "bodies.block.position[2]"]
    for kind, expected in {"first": first, "total": 1 - first[::-1], "group": first, "group_total": 1 - first[::-1]}.items():
        v = file.variables["quantity_product_sobol_" + kind]
        assert v.dimensions == ("group" if kind.startswith("group") else "germ",)
        found, lower, upper = (file.variables["quantity_product_sobol_" + kind + end][:] for end in ("", "_lower", "_upper"))
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert (lower <= expected + 1e-9).all() and (expected - 1e-9 <= upper).all(), (kind, lower, upper)
        assert np.isnan(file.variables["quantity_still_sobol_" + kind][:]).all()
PYTHON
says stdout.txt "variance of product: 92.3 % bodies.block.position[0], 5.77 % bodies.block.position[2]; 1.92 % several together"
! grep -q "variance of still" stdout.txt || fail "shares of nothing"
says shares/report.html '"shares":[{"name":"bodies.block.position[0]","alone":[0.92'
