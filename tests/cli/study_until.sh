# A study that goes on until its errors are small, and what failed realisations do to statistics.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

count_of() {
  ncdump -h "$1/results.nc" | sed -n 's/^\trealization = \([0-9]*\) ;/\1/p'
}

# Of 300 rows, looked at after 64, 128, 192 and 300.
rule='study.until={probes: [tip.position], relative_mean_error: 0.0008, check_every: 64}'
expect 0 run swing.yaml -o ruled --set "$rule"
says stdout.txt "128 realisations, 128 computed"
says stdout.txt "relative error of the mean: 0.00"
[ "$(count_of ruled)" = 128 ] || fail "results of $(count_of ruled) realisations, not 128"
ruled=$(hash_of ruled)
expect 0 run swing.yaml -o plain -n 128
[ "$(hash_of plain)" = "$ruled" ] || fail "other bits than 128 realisations without a rule"
for threads in 1 7; do
  expect 0 run swing.yaml -o "t$threads" --set "$rule" --threads "$threads"
  [ "$(hash_of "t$threads")" = "$ruled" ] || fail "$threads threads: other bits"
done

# Finished is finished; a study that was stopped in between ends where it would have.
expect 0 run swing.yaml -o ruled --set "$rule" --resume
says stdout.txt "nothing to do"
expect 0 run swing.yaml -o begun -n 70 --keep-journal
expect 0 run swing.yaml -o begun --set "$rule" --resume
says stdout.txt "128 realisations, 64 computed"
[ "$(hash_of begun)" = "$ruled" ] || fail "resumed: other bits"
expect 0 run swing.yaml -o reduced -n 70
expect 0 run swing.yaml -o reduced --set "$rule" --resume
says stdout.txt "128 realisations, 128 computed"
[ "$(hash_of reduced)" = "$ruled" ] || fail "resumed without values: other bits"

# A stricter rule goes on, and the most realisations end it unmet.
expect 0 run swing.yaml -o ruled --set "$rule" --overwrite --keep-journal
expect 0 run swing.yaml -o ruled --set "${rule/0.0008/1e-9}" --resume
says stdout.txt "300 realisations, 172 computed"
expect 0 run swing.yaml -o all --keep-journal
[ "$(hash_of ruled)" = "$(hash_of all)" ] || fail "300 by rule: other bits than 300"
expect 0 run swing.yaml -o wide --set study.store='[3, 200]' \
  --set 'study.until={relative_quantile_width: 0.2, probes: [tip.position], check_every: 64}'
says stdout.txt "relative width of quantile intervals: 0."

# A quantity of interest has to be known well, alone or beside probes; what it was told is what the study then has.
{ cat swing.yaml && echo 'quantities: {low: {of: tip.position.z, kind: minimum}, far: {of: tip.position.x, kind: peak}}'; } >scalar.yaml
rule='study.until={quantities: [low], relative_mean_error: 0.0075, relative_quantile_width: 0.5, check_every: 64}'
expect 0 run scalar.yaml -o scalar --set "$rule"
[ "$(count_of scalar)" -gt 64 ] && [ "$(count_of scalar)" -lt 300 ] || fail "$(count_of scalar) realisations"
scalar=$(hash_of scalar)
/usr/bin/python3 - "$(sed -n 's/^relative error of the mean: \([0-9.e-]*\),.*/\1/p' stdout.txt)" \
  "$(sed -n 's/^relative width of quantile intervals: \([0-9.e-]*\),.*/\1/p' stdout.txt)" <<'PYTHON' || fail "other errors than those of the quantity"
import math, sys
import netCDF4
told = [float(x) for x in sys.argv[1:]]
with netCDF4.Dataset("scalar/results.nc") as file:
    get = lambda name: file.variables["quantity_low_" + name][...]
    error = float(get("mean_se")) / math.hypot(float(get("mean")), float(get("std")))
    q, low, high = get("quantile"), get("quantile_lower"), get("quantile_upper")
    width = float(max(high - low) / (q[-1] - q[0]))
assert abs(told[0] / error - 1) < 0.01 and abs(told[1] / width - 1) < 0.01, (told, error, width)
assert error <= 0.0075 and width <= 0.5
PYTHON
for options in "--threads 1" "--threads 3"; do
  # shellcheck disable=SC2086
  expect 0 run scalar.yaml -o "other" --overwrite --set "$rule" $options
  [ "$(hash_of other)" = "$scalar" ] || fail "$options: other bits"
done
expect 0 run scalar.yaml -o both --set "${rule/\[low\]/[low, far], probes: [tip.acceleration]}"
[ "$(count_of both)" -ge "$(count_of scalar)" ] || fail "more to meet, and fewer realisations"
expect 2 run scalar.yaml -o none --set "${rule/\[low\]/[law]}"
says stderr.txt "until.quantities[0], no quantity of interest is named 'law'; did you mean 'low'?"
expect 2 run swing.yaml -o none --set "$rule"
says stderr.txt "no quantity of interest is named 'low'"

# What is only made from finished realisations needs no new ones.
expect 0 run swing.yaml -o all --resume --set 'study.densities={times: [0.1]}' \
  --set study.interval_confidence=0.5
says stdout.txt "300 realisations, 0 computed"
ncdump -h all/results.nc >header.txt
says header.txt "double tip_position_density(density_time, density_point, axis)"
says header.txt "lower end of the 50 % confidence interval"

# Failures: bounds that hold whatever they would have been, and ranges.
{ head -n 298 rows.csv && for i in 1 2 3; do echo "-1,0.5"; done; } >broken.csv
ranged='probes.tip.ranges={position: [-1, 0.9]}'
expect 0 run swing.yaml -o broken --set study.file=broken.csv --set "$ranged"
says stderr.txt "warning: tip.position[0]: 297 realisations left the declared range [-1, 0.9] m"
[ "$(wc -l <stderr.txt)" -eq 1 ] || fail "more than one warning"
/usr/bin/python3 - <<'PYTHON'
import netCDF4
import numpy as np
with netCDF4.Dataset("broken/results.nc") as file:
    file.set_auto_mask(False)
    get = lambda name: file.variables["tip_position_" + name][:]
    mean, low, high = get("mean"), get("mean_lower"), get("mean_upper")
    assert np.allclose(low, (297 * mean - 3) / 300) and np.allclose(high, (297 * mean + 2.7) / 300)
    # The narrowest that all 300 can be: the three at one place, as near to the mean as allowed.
    away = np.clip(mean, -1, 0.9) - mean
    narrow = np.sqrt((296 * get("std") ** 2 + 297 * 3 / 300 * away**2) / 299)
    assert np.allclose(get("std_lower"), narrow, rtol=1e-12)
    assert (get("std_upper") > narrow).all()
    quantile, below, above = (get("quantile" + s) for s in ("", "_bound_lower", "_bound_upper"))
    assert (below <= quantile).all() and (quantile <= above).all() and np.isfinite(below).all()
    assert (below < above).any()
    assert file.variables["tip_position_mean"].conditional_on == "success"
    assert np.isnan(get("peak_max")[297:]).all() and np.isfinite(get("peak_max")[:297]).all()
PYTHON

expect 2 run swing.yaml -o none --set 'study.until={probes: [tap], relative_mean_error: 1}'
says stderr.txt "nothing probed is named 'tap'; did you mean 'tip'?"
absent none
