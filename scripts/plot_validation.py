#!/usr/bin/python3
"""Draws the figures of docs/validation.md: how errors of the integrator fall with its steps, and claimed errors of means beside true ones.

    cmake --preset release && cmake --build --preset release --target tumble
    /usr/bin/python3 scripts/plot_validation.py build/release/bin/tumble docs/images

Truth is a closed form: the pendulum of examples/classics, released from the horizontal, swings by Jacobi's elliptic functions; the mass on a
spring of examples/worst-case, of random stiffness, ends at 1 + 0.3 cos(sqrt(k/m)). Prints the numbers. Plain SVG, without a plotting library.
"""
import argparse
import math
import pathlib
import subprocess
import tempfile

import netCDF4
import numpy as np
from scipy import integrate, special

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLORS = ["#1261a0", "#b44d12", "#3c7d3c"]
INK, PALE = "#1f2933", "#e4e7eb"
STEPS = [2e-2, 1e-2, 5e-3, 2.5e-3, 1.25e-3, 6.25e-4]
SIZES = [64, 256, 1024, 4096]
DESIGNS = {"monte-carlo": "independent draws", "latin-hypercube": "Latin hypercube", "sobol": "Sobol' points"}


def run(tumble, model, settings, read):
    with tempfile.TemporaryDirectory() as folder:
        arguments = [word for setting in settings for word in ("--set", setting)]
        subprocess.run([tumble, "run", ROOT / "examples" / model, "-o", f"{folder}/out", "--no-report", "-q", *arguments], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with netCDF4.Dataset(f"{folder}/out/results.nc") as data:
            return read(data)


def swing(t, length=1.0, radius=0.01, density=7850.0, g=9.81):
    """Tip position and acceleration, and the force of the hinge on the rod: theta from the vertical, theta(0) = pi/2,
    sin(theta/2) = k cd(w0 t, k) with k = sin(pi/4) and w0^2 = m g a / J."""
    mass = density * math.pi * radius**2 * length
    a = length / 2
    w2 = mass * g * a / (mass * (length**2 / 3 + radius**2 / 4))
    _, cn, dn, _ = special.ellipj(math.sqrt(w2) * t, 0.5)
    theta = 2 * np.arcsin(math.sqrt(0.5) * cn / dn)
    along, across = np.stack([np.sin(theta), 0 * t, -np.cos(theta)], 1), np.stack([np.cos(theta), 0 * t, np.sin(theta)], 1)
    rate2, second = 2 * w2 * np.cos(theta), -w2 * np.sin(theta)
    turned = second[:, None] * across - rate2[:, None] * along  # of a point at unit distance
    return {"tip_position": length * along, "tip_acceleration": length * turned,
            "hinge_force": mass * (a * turned + np.array([0, 0, g]))}


def convergence(tumble):
    """Of each step the largest errors, over the largest values."""
    found = []
    for step in STEPS:
        def errors(data):
            truth = swing(data["time"][:].filled())
            return {name: float(np.abs(data[name + "_nominal"][:] - value).max() / np.abs(value).max()) for name, value in truth.items()}

        found.append(run(tumble, "classics/pendulum.yaml", ["simulation.duration=2", f"simulation.step={step}", "simulation.output_step=0.02"], errors))
        print(f"step {step:8g}  " + "  ".join(f"{name} {value:.2e}" for name, value in found[-1].items()))
    return {name.replace("_", " "): [(step, error[name]) for step, error in zip(STEPS, found)] for name in found[0]}


def claims(tumble, sizes, seeds):
    """Of each design and size the root mean squares over seeds of the true error of the mean, and of its standard error."""
    truth = integrate.quad(lambda k: 1 + 0.3 * math.cos(math.sqrt(k)), 30, 50, epsabs=1e-13)[0] / 20
    true, claimed = {}, {}
    for method, words in DESIGNS.items():
        for n in sizes:
            pairs = np.array([run(tumble, "worst-case/spring.yaml",
                                  ["simulation.step=5e-4", f"study={{method: {method}, realizations: {n}, seed: {seed}}}"],
                                  lambda data: (float(data["quantity_height_mean"][...]) - truth, float(data["quantity_height_mean_se"][...])))
                              for seed in range(1, seeds + 1)])
            error, claim = np.sqrt(np.mean(pairs**2, axis=0))
            true.setdefault(words, []).append((n, error))
            claimed.setdefault(words, []).append((n, claim))
            print(f"{words:18} n = {n:5}  error {error:.2e}, claimed {claim:.2e}")
    return true, claimed


def figure(path, title, x_label, x_values, decades, curves, dashed):
    """Logarithmic on both axes. `curves`: label, points; `dashed`: points beside them, in the same colours."""
    left, top, width, height = 70, 44, 470, 280
    low, high = math.log10(min(x_values)), math.log10(max(x_values))
    low, high = low - 0.08 * (high - low), high + 0.08 * (high - low)

    def x(value):
        return left + width * (math.log10(value) - low) / (high - low)

    def y(value):
        return top + height * (decades[1] - math.log10(value)) / (decades[1] - decades[0])

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 390" font-family="Helvetica, Arial, sans-serif" font-size="13">',
             '<rect width="760" height="390" fill="white"/>',
             f'<text x="{left}" y="24" font-weight="bold" fill="{INK}">{title}</text>']
    for decade in range(decades[0], decades[1] + 1):
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y(10**decade):.1f}" y2="{y(10**decade):.1f}" stroke="{PALE}"/>')
        parts.append(f'<text x="{left - 6}" y="{y(10**decade) + 4:.1f}" text-anchor="end" fill="{INK}">1e{decade}</text>')
    for value in x_values:
        parts.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{top}" y2="{top + height}" stroke="{PALE}"/>')
        parts.append(f'<text x="{x(value):.1f}" y="{top + height + 18}" text-anchor="middle" fill="{INK}">{value:g}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 40}" text-anchor="middle" fill="{INK}">{x_label}</text>')
    for points, color in dashed:
        path_of = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        parts.append(f'<polyline points="{path_of}" fill="none" stroke="{color}" stroke-width="1.5" stroke-dasharray="5 4"/>')
    for (label, points), color in zip(curves.items(), COLORS):
        path_of = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
        parts.append(f'<polyline points="{path_of}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(a):.1f}" cy="{y(b):.1f}" r="3.5" fill="{color}"/>' for a, b in points]
        place = top + 20 + 24 * COLORS.index(color)
        parts.append(f'<circle cx="{left + width + 26}" cy="{place}" r="4" fill="{color}"/>')
        parts.append(f'<text x="{left + width + 38}" y="{place + 4}" fill="{INK}">{label}</text>')
    place = top + 20 + 24 * len(curves)
    parts.append(f'<line x1="{left + width + 16}" x2="{left + width + 34}" y1="{place}" y2="{place}" stroke="{INK}" stroke-dasharray="5 4"/>')
    parts.append(f'<text x="{left + width + 40}" y="{place + 4}" fill="{INK}">{"claimed" if len(dashed) > 1 else "order 2"}</text>')
    path.write_text("\n".join(parts + ["</svg>", ""]), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tumble")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=16)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    arguments = parser.parse_args()
    errors = convergence(arguments.tumble)
    slope = [(step, 0.3 * (step / STEPS[0])**2) for step in STEPS]
    figure(arguments.folder / "convergence.svg", "Pendulum: largest error over largest value", "step [s]", STEPS, (-6, 0), errors, [(slope, INK)])
    sizes = [n for n in SIZES if n <= arguments.largest]
    true, claimed = claims(arguments.tumble, sizes, arguments.seeds)
    figure(arguments.folder / "claimed-errors.svg", f"Error of a mean [m], root mean square of {arguments.seeds} studies", "realisations", sizes, (-8, -2),
           true, list(zip(claimed.values(), COLORS)))


if __name__ == "__main__":
    main()
