"""Multilevel Monte Carlo of an oscillator with closed forms: claimed errors hold in a few studies; the long test has 100."""
import pathlib
import tempfile

import _multilevel as multilevel

seeds = 5
with tempfile.TemporaryDirectory() as work:
    for quantity, statistic, target, share, claim, true, gain in multilevel.table(pathlib.Path(work), seeds):
        print(quantity, statistic, share, claim, true, gain)
        # Of 5 studies with a claim that holds in 95 % of all, 3 or fewer hold in one of 440 cases.
        assert share >= 0.8, (quantity, statistic, share)
        assert claim <= 1.001 * target, (quantity, statistic, claim)
