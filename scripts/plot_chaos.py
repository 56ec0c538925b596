#!/usr/bin/python3
"""Draws docs/images/chaos-accuracy.svg: error of the standard deviation against the number of runs.

    cmake --preset release && cmake --build --preset release --target tumble
    /usr/bin/python3 scripts/plot_chaos.py build/release/bin/tumble docs/images/chaos-accuracy.svg

The planar and the double pendulum of examples/wu-2016, by tensor grids, sparse grids, least squares
and Monte Carlo. Errors are root mean squares over time and axes of the difference to a tensor grid
of a high degree, relative to the root mean square of the standard deviation itself. Prints the
numbers, and for each point of the other methods the factor saved: how many times as many draws
Monte Carlo would need for a standard error of that size, by its law 1/sqrt(n). Plain SVG, without a plotting library.
"""
import math
import pathlib
import subprocess
import sys
import tempfile

import netCDF4
import numpy as np

COLORS = {"tensor": "#1261a0", "sparse grid": "#b44d12", "least squares": "#3c7d3c",
          "Monte Carlo": "#7b8794"}
INK, PALE = "#1f2933", "#e4e7eb"
root = pathlib.Path(__file__).resolve().parent.parent / "examples" / "wu-2016"


def deviation(tumble, model, probes, settings):
    """Standard deviations of the probes over time, their errors by Monte Carlo, number of runs."""
    with tempfile.TemporaryDirectory() as work:
        arguments = [a for s in settings for a in ("--set", s)]
        done = subprocess.run([tumble, "run", str(root / model), "-o", work + "/out", *arguments],
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        with netCDF4.Dataset(work + "/out/results.nc") as data:
            def all_of(statistic):
                names = [f"{p}_position_{statistic}" for p in probes]
                if names[0] not in data.variables:
                    return None
                return np.concatenate([np.asarray(data[name][:]) for name in names], axis=1)

            return all_of("std"), all_of("std_se"), int((data.role == 0).sum() if "role" in data else data.realizations)


def study(tumble, name, probes, reference_degree, tensor, sparse, regression, draws):
    chaos = f"{name}.yaml"
    reference, _, _ = deviation(tumble, chaos, probes, [f"study.chaos={{degree: {reference_degree}}}"])
    scale = math.sqrt(np.mean(reference**2))
    curves = {}
    one_draw = None  # standard error of Monte Carlo times sqrt(n)

    def add(label, model, settings):
        nonlocal one_draw
        found, sampling, runs = deviation(tumble, model, probes, settings)
        error = math.sqrt(np.mean((found - reference)**2)) / scale
        curves.setdefault(label, []).append((runs, error))
        if label == "Monte Carlo":
            one_draw = math.sqrt(np.nanmean(sampling**2) * runs) / scale
            note = f"standard error {one_draw / math.sqrt(runs):.2e}"
        else:
            note = f"saves a factor {(one_draw / error)**2 / runs:.1f}"
        print(f"{name:18} {label:14} {runs:6} runs  {error:.2e}  {note}")

    for n in draws:
        add("Monte Carlo", f"{name}-mc.yaml", [f"study.realizations={n}"])

    for degree in tensor:
        add("tensor", chaos, [f"study.chaos={{degree: {degree}}}"])
    for level in sparse:
        add("sparse grid", chaos, [f"study.chaos={{points: sparse-grid, level: {level}}}"])
    for degree in regression:
        add("least squares", chaos, [f"study.chaos={{points: regression, degree: {degree}}}"])
    return curves


def panel(parts, left, title, curves):
    top, width, height = 40, 330, 250
    low, high = 1, 4.2  # decades of runs
    bottom_decade, top_decade = -6, 0

    def x(runs):
        return left + width * (math.log10(runs) - low) / (high - low)

    def y(error):
        decade = max(math.log10(error), bottom_decade)
        return top + height * (top_decade - decade) / (top_decade - bottom_decade)

    parts.append(f'<text x="{left + width / 2}" y="24" text-anchor="middle" '
                 f'font-weight="bold" fill="{INK}">{title}</text>')
    for decade in range(bottom_decade, top_decade + 1):
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y(10**decade):.1f}" '
                     f'y2="{y(10**decade):.1f}" stroke="{PALE}"/>')
        parts.append(f'<text x="{left - 6}" y="{y(10**decade) + 4:.1f}" text-anchor="end" '
                     f'fill="{INK}">1e{decade}</text>')
    for runs in (10, 100, 1000, 10000):
        parts.append(f'<line x1="{x(runs):.1f}" x2="{x(runs):.1f}" y1="{top}" y2="{top + height}" '
                     f'stroke="{PALE}"/>')
        parts.append(f'<text x="{x(runs):.1f}" y="{top + height + 18}" text-anchor="middle" '
                     f'fill="{INK}">{runs}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 38}" text-anchor="middle" '
                 f'fill="{INK}">runs</text>')
    for label, points in curves.items():
        color = COLORS[label]
        path = " ".join(f"{x(n):.1f},{y(e):.1f}" for n, e in sorted(points))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        for n, e in points:
            parts.append(f'<circle cx="{x(n):.1f}" cy="{y(e):.1f}" r="3.5" fill="{color}"/>')


def main(tumble, target):
    planar = study(tumble, "planar-pendulum", ["tip"], 14, (2, 3, 5, 7, 9), (2, 3, 4, 6, 8),
                   (2, 4, 6, 8), (100, 1000, 10000))
    double = study(tumble, "double-pendulum", ["tip1", "tip2"], 9, (2, 3, 4, 5, 6), (2, 3, 4, 5, 6),
                   (2, 3, 4, 5, 6), (100, 1000))
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 840 380" '
             'font-family="Helvetica, Arial, sans-serif" font-size="13">',
             '<rect width="840" height="380" fill="white"/>']
    panel(parts, 70, "planar pendulum, 2 random numbers", planar)
    panel(parts, 480, "double pendulum, 3 random numbers", double)
    for i, (label, color) in enumerate(COLORS.items()):
        x = 150 + 150 * i
        parts.append(f'<circle cx="{x}" cy="362" r="4" fill="{color}"/>')
        parts.append(f'<text x="{x + 10}" y="366" fill="{INK}">{label}</text>')
    pathlib.Path(target).write_text("\n".join(parts + ["</svg>", ""]), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
