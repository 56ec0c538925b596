"""How often the 95 % intervals of quantities of interest hold what is true, over whole studies of a
mass on a random spring with different seeds: mean, deviation, quantiles, exceedance, probability.

TUMBLE_COVERAGE_SEEDS sets how many (300); with TUMBLE_COVERAGE_TABLE=FILE the table is written."""
import os
import pathlib
import sys
import tempfile

import numpy as np
from scipy import stats

import _oscillator as exact
import _results as results

seeds = int(os.environ.get("TUMBLE_COVERAGE_SEEDS", "300"))
studies = {"Monte Carlo, n = 64": ("monte-carlo", 64), "Monte Carlo, n = 256": ("monte-carlo", 256),
           "Latin hypercube, n = 128": ("latin-hypercube", 128), "Sobol', n = 256": ("sobol", 256)}
names = ("top_speed", "when", "power")


def held(data):
    """One if the interval holds the truth, by column; both are wrong by the error of values."""
    row = {}
    for name in names:
        q = lambda ending: data[f"quantity_{name}_{ending}"].values
        slack = float(q("mean_output_error"))
        inside = lambda low, x, high: float(low - slack <= x <= high + slack)
        mean, std = exact.moments(name)
        row[name, "mean"] = inside(q("mean_interval_lower"), mean, q("mean_interval_upper"))
        row[name, "std"] = inside(q("std_interval_lower"), std, q("std_interval_upper"))
        for i, p in enumerate((0.05, 0.5, 0.95)):
            row[name, f"quantile {p}"] = inside(q("quantile_lower")[i], exact.quantile(name, p),
                                                q("quantile_upper")[i])
        for p in (0.9, 0.5, 0.1):  # at abscissae that are exceeded with about these probabilities
            i = int(np.argmin(np.abs(exact.exceedance(name, q("abscissa")) - p)))
            row[name, f"P = {p}"] = float(
                q("exceedance_lower")[i] <= exact.exceedance(name, q("abscissa")[i] - slack) and
                q("exceedance_upper")[i] >= exact.exceedance(name, q("abscissa")[i] + slack))
    row["fast", "probability"] = float(data.quantity_fast_probability_lower <= 0.7 <=
                                       data.quantity_fast_probability_upper)
    return row


table, faults = [], []
with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    for title, (method, n) in studies.items():
        rows = []
        model = work / "model.yaml"
        model.write_text(exact.text(f"study: {{method: {method}, realizations: {n}}}"))
        for seed in range(1, seeds + 1):
            rows.append(held(results.run(model, work / "out", "--overwrite", "--seed", str(seed),
                                         "--set", "simulation.time_error=false")))
        share = {key: np.mean([row[key] for row in rows]) for key in rows[0]}
        for key, value in share.items():
            # Less probable than 1e-3, divided by the number of comparisons, were the truth 0.92.
            if stats.binom.cdf(round(value * seeds), seeds, 0.92) < 1e-3 / (len(share) * len(studies)):
                faults.append(f"{title}: {key} holds in {value:.3f}")
        for name in names:
            cells = [f"{share[name, what]:.3f}" for of, what in share if of == name]
            table.append(f"| {title} | `{name}` | " + " | ".join(cells) + " |")
        print(f"{title}: the probability of crossing holds in {share['fast', 'probability']:.3f}")
if "TUMBLE_COVERAGE_TABLE" in os.environ:
    pathlib.Path(os.environ["TUMBLE_COVERAGE_TABLE"]).write_text("\n".join(table) + "\n")
print("\n".join(table))
sys.exit("\n".join(faults) if faults else 0)
