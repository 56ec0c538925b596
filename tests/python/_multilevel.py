"""Multilevel studies of the oscillator whose quantities of interest have closed forms (_oscillator.py)."""
import numpy as np

import _oscillator as oscillator
import _results as results

# What is asked for, of which quantity, and relative to what is true.
CASES = [("top_speed", "mean", 0.004), ("end", "mean", 0.03), ("effort", "variance", 0.15), ("power", "variance", 0.12)]


def study(quantity, statistic, target):
    return f"""study:
  method: multilevel
  multilevel:
    quantity: {quantity}
    statistic: {statistic}
    target: {{relative_error: {target}}}
    pilot: 32
    levels: [{{step: 0.02}}, {{step: 0.01}}, {{step: 5e-3}}, {{step: 2.5e-3}}]
"""


def held(folder, quantity, statistic, target, seed):
    """Whether the truth is inside the claimed error, the claim and the true error over the truth, the gain."""
    model = folder / f"{quantity}.yaml"
    model.write_text(oscillator.text(study(quantity, statistic, target), with_crossing=False))
    data = results.run(model, folder / "out", "--overwrite", "--no-report", "--seed", str(seed), "--set", "simulation.time_error=false")
    mean, std = oscillator.moments(quantity)
    truth = mean if statistic == "mean" else std ** 2
    error = abs(float(data[f"multilevel_{statistic}"]) - truth)
    claim = float(data[f"multilevel_{statistic}_error"])
    return error <= claim, claim / abs(truth), error / abs(truth), float(data["multilevel_gain"])


def table(folder, seeds):
    """A row for each case: share of seeds that held, median claim, true error as root mean square, median gain."""
    rows = []
    for quantity, statistic, target in CASES:
        found = np.array([held(folder, quantity, statistic, target, seed) for seed in range(1, seeds + 1)])
        rows.append((quantity, statistic, target, found[:, 0].mean(), np.median(found[:, 1]),
                     np.sqrt(np.mean(found[:, 2] ** 2)), np.median(found[:, 3])))
    return rows
