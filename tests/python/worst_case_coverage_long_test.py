"""How often bounds with their error hold the true range, over random boxes and degrees from too low to plenty.

TUMBLE_COVERAGE_BOXES sets how many (50); with TUMBLE_COVERAGE_TABLE=FILE the table is written."""
import os
import pathlib
import sys
import tempfile

import numpy as np

import _worst_case as worst

boxes = int(os.environ.get("TUMBLE_COVERAGE_BOXES", "50"))
# Of the time integration, whose error is that of _worst_case.py times (step / 5e-4)^2.
step, slack = 1e-4, 2e-7
lines, faults = [], []
with tempfile.TemporaryDirectory() as work:
    for degree in (2, 4, 8):
        random = np.random.default_rng(degree)
        rows = []
        for seed in range(boxes):
            intervals = [sorted(random.uniform(10, 200, 2)) for _ in "ab"]
            _, found, low, high = worst.spring_box(pathlib.Path(work), intervals, degree, seed=seed, step=step)
            width = high - low
            beyond = max(found.bound_lower - found.bound_error - low, high - found.bound_upper - found.bound_error)
            rows.append((found.holds(low, high, slack), found.bound_error / width, max(beyond, 0) / width,
                         max(found.searched_min - low, high - found.searched_max) / width,
                         (found.inclusion_upper - found.inclusion_lower) / width))
        rows = np.array(rows)
        share = rows[:, 0].mean()
        lines.append(f"| {degree} | {np.median(rows[:, 1]):.2g} | {rows[:, 1].max():.2g} | {share:.2f} | {rows[:, 2].max():.2g} | "
                     f"{rows[:, 3].max():.2g} | {np.median(rows[:, 4]):.2g} |")
        print(lines[-1], flush=True)
        if share < 0.95:
            faults.append(f"degree {degree}: {share}")
        # 512 runs of a search of two stiffnesses.
        if np.median(rows[:, 3]) > 1e-5:
            faults.append(f"degree {degree}: the search misses {np.median(rows[:, 3])}")
if table := os.environ.get("TUMBLE_COVERAGE_TABLE"):
    pathlib.Path(table).write_text("\n".join(lines) + "\n")
sys.exit("\n".join(faults) if faults else 0)
