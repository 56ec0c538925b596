# study.region: what the results, the terminal and the page say of each kind, against the draws themselves.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

uncertain_pendulum >swing.yaml

declare -A said=(
  [quantile]="the 90 % region is that of 120 values: on average it holds 89 % of all machines"
  [tolerance]="the region holds 90 % of all machines at each time, with a confidence of 95 %"
  [simultaneous]="the region holds the whole trajectories of 90 % of all machines, each component by itself"
  [chebyshev]="the region is that of Chebyshev's inequality"
)
declare -A title=([quantile]="  90 % region " [tolerance]="90 % tolerance region" [simultaneous]="90 % simultaneous region"
  [chebyshev]="90 % Chebyshev region")
for kind in quantile tolerance simultaneous chebyshev; do
  expect 0 run swing.yaml -o $kind --set study.region=$kind
  says stdout.txt "${title[$kind]}"
  for other in "${!said[@]}"; do
    [ "$other" = $kind ] || ! grep -qF -- "${said[$other]}" stdout.txt || fail "$kind is said to be $other"
  done
  [ $kind = quantile ] || says stdout.txt "${said[$kind]}"
  cp stdout.txt $kind/summary.txt
  # The page holds what the file holds; viewer/test/page.test.mjs looks at what it says.
  grep -qF "\"region\":\"$kind\"" $kind/report.html || fail "the page of $kind does not name it"
done
expect 0 run swing.yaml -o few -n 20 --no-report
says stdout.txt "the 90 % region is that of 20 values: on average it holds 81 % of all machines"

/usr/bin/python3 - <<'PYTHON' || fail "the regions are not what they are said to be"
import numpy as np
import xarray

def of(kind):
    data = xarray.open_dataset(f"{kind}/results.nc").load()
    assert data.attrs["region"] == kind, data.attrs["region"]
    return data

values = of("quantile")["tip_position"].values  # [realisation, time, axis]
n = len(values)
ordered = np.sort(values, axis=0)
assert "tip_position_region_lower" not in of("quantile")

# Tolerance: at each time the order statistics of which Wilks says that they hold 90 % with 95 % confidence, so
# at least 108 of the 120 draws are inside, and not all of them.
low, high = (of("tolerance")["tip_position_region_" + end].values for end in ("lower", "upper"))
moving = values.std(axis=0) > 0
inside = ((low <= values) & (values <= high)).sum(axis=0)[moving]
assert (inside >= 112).all() and (inside < n).all(), (inside.min(), inside.max())
assert all(np.isin(low[moving], ordered[:, moving]).ravel())

# Simultaneous: whole trajectories, so wider at each time, and at least 108 of them inside, a component at a time.
wide_low, wide_high = (of("simultaneous")["tip_position_region_" + end].values for end in ("lower", "upper"))
tolerance = 1e-12
for axis in (0, 2):
    whole = ((wide_low - tolerance <= values) & (values <= wide_high + tolerance)).all(axis=1)[:, axis].sum()
    assert whole >= 108, whole
# Half of the sample gives the shape and the other half the size: not wider at every single time, but all together.
assert (wide_high - wide_low)[moving].mean() > 0.9 * (high - low)[moving].mean()

# Chebyshev: mean and deviation alone, 1 / sqrt(1 - 0.9) deviations to either side.
low, high = (of("chebyshev")["tip_position_region_" + end].values for end in ("lower", "upper"))
half = values.std(axis=0, ddof=1) / np.sqrt(0.1)
np.testing.assert_allclose(low, values.mean(axis=0) - half, rtol=1e-9, atol=1e-12)
np.testing.assert_allclose(high, values.mean(axis=0) + half, rtol=1e-9, atol=1e-12)

# The terminal shows the ends of the region that was asked for, where the spread is largest.
for kind in ("tolerance", "simultaneous", "chebyshev"):
    file = of(kind)
    row = next(line for line in open(f"{kind}/summary.txt") if line.startswith("tip position "))
    axis = "xyz".index(row.split()[2])
    t = int(np.argmax(file["tip_position_std"].values[:, axis]))
    for end in ("lower", "upper"):
        expected = f"{file['tip_position_region_' + end].values[t, axis]:.5g}"
        assert expected in row, (kind, expected, row)
PYTHON

# Too few that succeed: what was asked for is not promised. Negative masses fail.
{ pendulum && cat <<'YAML'
uncertainty:
  bodies.bob.position[0]: {law: uniform, min: 0.4, max: 0.6}
  bodies.bob.mass: {law: normal, mean: 2, std: 2}
study: {method: monte-carlo, realizations: 60, seed: 3, max_failed: 1, region: simultaneous}
YAML
} >short.yaml
expect 0 run short.yaml -o short
good=$((60 - $(sed -n 's/^failed: //p' stdout.txt)))
[ $good -lt 58 ] || fail "$good succeeded, which is enough"
sentence="too few realisations succeeded for a region that holds the whole trajectories of 90 % of all machines with a confidence of 95 %: $good, and 58 are needed; its ends are infinite"
says stdout.txt "$sentence"
! grep -qF "${said[simultaneous]}" stdout.txt || fail "promised all the same"
says short/report.html "$sentence"
ncdump -h short/results.nc >header.txt
says header.txt ":region_shortfall = \"$sentence\""
says header.txt "tip_position_region_lower:comment = \"$sentence\""
! grep "tip_position_region_lower:long_name" header.txt | grep -q "95 %" || fail "promised in the file"
# With 58 of them or more it holds, wherever the others failed.
realizations=60
until [ $good -ge 58 ]; do
  expect 0 run short.yaml -o enough --overwrite --no-report -n $((++realizations))
  good=$((realizations - $(sed -n 's/^failed: //p' stdout.txt)))
  [ $good -ge 58 ] || says stdout.txt "with a confidence of 95 %: $good, and 58 are needed"
done
says stdout.txt "${said[simultaneous]}"
[ "$(values enough/results.nc tip_position_region_upper | grep -c inf)" -eq 0 ] || fail "58 are not enough"
# At each time: 46 needed.
expect 0 run short.yaml -o short --overwrite --no-report -n 50 --set study.region=tolerance
good=$((50 - $(sed -n 's/^failed: //p' stdout.txt)))
says stdout.txt "90 % of all machines at each time with a confidence of 95 %: $good where they are fewest, and 46 are needed"
