"""The figures of docs/validation.md: what draws them runs, the integrator is of second order, and claimed errors are of the size of true ones."""
import importlib.machinery
import math
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
sys.dont_write_bytecode = True
plot = importlib.machinery.SourceFileLoader("plot_validation", str(root / "scripts/plot_validation.py")).load_module()
tumble = os.environ["TUMBLE"]


def curves_of(file):
    return re.findall(r'<polyline points="([^"]*)"', file.read_text())


errors = plot.convergence(tumble)
for name, points in errors.items():
    orders = [math.log2(a / b) for (_, a), (_, b) in zip(points, points[1:])]
    assert all(abs(order - 2) < 0.02 for order in orders), (name, orders)
slope = [(step, 0.3 * (step / plot.STEPS[0])**2) for step in plot.STEPS]
plot.figure(pathlib.Path("convergence.svg"), "again", "step [s]", plot.STEPS, (-6, 0), errors, [(slope, plot.INK)])
assert curves_of(pathlib.Path("convergence.svg")) == curves_of(root / "docs/images/convergence.svg"), "the figure is no longer what the program gives"

# Root mean squares of six studies: of independent errors beyond a factor of 2.5 once in ten thousand.
true, claimed = plot.claims(tumble, [64], seeds=6)
for design, ((n, error),) in true.items():
    ((_, claim),) = claimed[design]
    assert error < 2.5 * claim, (design, error, claim)
    assert claim < 5e-3, (design, claim)
