# The numbers in the tables that runs and studies print, against closed forms and the draws in their results; what
# progress says of failures.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# A carriage that is pushed by 20 mm within 5 ms and goes on slowly: the largest speed, 4 m/s, is that right after the
# break at 0.05 s. No output time holds it.
cat >push.yaml <<'YAML'
bodies:
  cart: {mass: 2, position: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [ground, cart], point: [0, 0, 0], axis: [0.6, 0.8, 0], motion: {z: travel}}
drives:
  travel: {type: piecewise_linear, times: [0, 0.05, 0.055, 0.1], values: [0, 0, 0.02, 0.065]}
probes:
  cart: {body: cart, quantities: [velocity, position]}
simulation: {duration: 0.07, step: 1e-3, output_step: 0.01}
YAML
# row TEXT: the numbers after it in what was printed.
row() {
  sed -n "s/^$1 *//p" stdout.txt
}
expect 0 run push.yaml -o alone --no-report
read -r x y z unit <<<"$(row "cart velocity")"
[ "$x $y $z $unit" = "2.4 3.2 0 m/s" ] || fail "peak of the speed: $x $y $z $unit"
read -r x y z unit <<<"$(row "cart position")"
[ "$x $y $z $unit" = "0.021 0.028 0 m" ] || fail "peak of the position: $x $y $z $unit"

cat >>push.yaml <<'YAML'
uncertainty:
  drives.travel.values[3]: {law: uniform, min: 0.05, max: 0.08}
study: {method: monte-carlo, realizations: 150, seed: 3, store: all, confidence: 0.8}
YAML
expect 0 run push.yaml -o study --no-report
cp stdout.txt study.txt
# Without breaks, and where the widest place is not the last component of the last time.
uncertain_pendulum >swing.yaml
expect 0 run swing.yaml -o swing --no-report
cp stdout.txt swing.txt

/usr/bin/python3 - <<'PYTHON' || fail "the tables do not tell what the draws are"
import re
import numpy as np
import xarray

def numbers_of(line, name):
    return [float(x) for x in re.findall(r"[-+]?\d[\d.]*(?:e[-+]?\d+)?", line[len(name):].split(" m")[0])]

def check(directory, content, expected_names):
    data = xarray.open_dataset(f"{directory}/results.nc").load()
    text = open(f"{directory}.txt").read()
    assert f"  {100 * content:g} % region " in text, text
    for probe, quantity in expected_names:
        name = f"{probe}_{quantity}"
        draws = data[name].values  # [realisation, time, axis]
        std = draws.std(axis=0, ddof=1)
        t, axis = np.unravel_index(np.argmax(std), std.shape)
        label = f"{probe} {quantity} {'xyz'[axis]}"
        line = next(line for line in text.splitlines() if line.startswith(label))
        found = numbers_of(line, label)
        nominal = [data[name + "_nominal"].values[:, axis]]
        if name + "_nominal_right" in data:
            nominal.append(data[name + "_nominal_right"].values[:, axis])
        nominal = np.concatenate(nominal)
        peak = nominal[np.argmax(np.abs(nominal))]
        sample = np.sort(draws[:, t, axis])
        low, high = np.quantile(sample, [(1 - content) / 2, (1 + content) / 2])
        gap = np.diff(sample).max()  # quantiles of a sample are defined up to a gap
        n = len(sample)
        mean_error = std[t, axis] / np.sqrt(n)
        printed = dict(zip(("peak", "mean", "mean_se", "time_error", "std", "std_se", "low", "high", "t"), found, strict=True))
        close = lambda key, value, digits: np.testing.assert_allclose(printed[key], value, rtol=0.6 * 10.0 ** (1 - digits), err_msg=f"{label}: {key}: {line}")
        close("peak", peak, 5)
        close("mean", sample.mean(), 5)
        close("mean_se", mean_error, 2)
        close("std", std[t, axis], 3)
        close("std_se", data[name + "_std_se"].values[t, axis], 2)
        close("t", data["time"].values[t], 4)
        for key, value in (("low", low), ("high", high)):
            assert abs(printed[key] - value) <= gap + 1e-4 * abs(value), (label, key, value, line)
        width = 0.5 * (sample[-1] - sample[0])
        assert printed["low"] < sample.mean() < printed["high"] and printed["high"] - printed["low"] > width, line
        # The deviation of its estimate, from the fourth moment.
        m4 = ((sample - sample.mean()) ** 4).mean() / std[t, axis] ** 4
        close("std_se", std[t, axis] * np.sqrt((m4 - 1) / (4 * n)), 1)

check("study", 0.8, [("cart", "velocity"), ("cart", "position")])
check("swing", 0.9, [("tip", "position"), ("tip", "acceleration")])
PYTHON

# Progress counts failures as they happen, not only at the end.
{ head -n 20 rows.csv && echo "-1,0.5" && echo "-2,0.5" && tail -n 100 rows.csv; } >broken.csv
{ pendulum && echo 'study: {method: table, file: broken.csv, max_failed: 0.1}'; } >fragile.yaml
expect 0 run fragile.yaml -o fragile --json-progress --no-report
says stdout.txt "failed: 2"
grep '"done"' stderr.txt | /usr/bin/python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
failed = [line["failed"] for line in lines]
assert failed == sorted(failed), failed
during = [line for line in lines if "seconds" not in line]
assert during and during[-1]["done"] == 121 and during[-1]["failed"] == 2, lines
assert lines[-1]["failed"] == 2, lines' || fail "progress of failures"
