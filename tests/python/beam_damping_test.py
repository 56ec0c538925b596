"""Rayleigh's damping of beams: damping ratios of modes, decay in time, the account of energy, and its numbers as parameters."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import _results as results

TUMBLE = os.environ["TUMBLE"]
work = pathlib.Path(tempfile.mkdtemp())


def call(*arguments):
    done = subprocess.run([TUMBLE, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def model(name, damping, *parts, tail="simulation: {duration: 0.01, step: 1e-3}", dimension="planar", section=None, more=""):
    path = work / f"{name}.yaml"
    section = section or "{rectangle: {height: 0.02, width: 0.03}}"
    path.write_text(f"""beams:
  arm:
    dimension: {dimension}
    line: [[0, 0, 0], [1, 0, 0]]
    elements: 8
    section: {section}
    youngs_modulus: 7e10
    poisson_ratio: 0.3
    density: 2700
    {damping}
    {more}
""" + "\n".join([*parts, tail]) + "\n")
    return path


CLAMP = "joints:\n  clamp: {type: fixed, between: [ground, arm.start]}"


def modes(path, count=4):
    return json.loads(call("modes", path, "--json", "-n", count))


# C = a M + t K about a straight beam at rest: every mode has the ratio a/(2 w) + t w/2, whatever its shape. To rounding of the eigenvalues.
for dimension in ("planar", "spatial"):
    for formulation in ("structural", "continuum"):
        a, t = 3.0, 2e-5
        path = model(f"ratios-{dimension}-{formulation}", f"mass_damping: {a}\n    damping_time: {t}", CLAMP, dimension=dimension,
                     more=f"formulation: {formulation}")
        for mode in modes(path):
            w = math.sqrt(mode["omega_squared"]) if mode["omega_squared"] > 0 else 2 * math.pi * mode["frequency"]
            w = abs(complex(*mode["eigenvalue"]))
            results.near(f"{dimension} {formulation}: ratio at {w:.0f} rad/s", mode["damping_ratio"], a / (2 * w) + t * w / 2, 1e-7)

# Given by ratios at two frequencies: modes there have them.
free = modes(model("free", "", CLAMP))
first, third = free[0]["frequency"], free[2]["frequency"]
path = model("given", f"damping_ratios: {{frequencies: [{first!r}, {third!r}], ratios: [0.02, 0.05]}}", CLAMP)
found = modes(path)
for k, ratio in ((0, 0.02), (2, 0.05)):
    results.near(f"ratio of mode {k + 1}", found[k]["damping_ratio"], ratio, 1e-6)
varied = json.loads(call("modes", path, "--json", "--set", "beams.arm.damping_ratios.ratios[0]=0.03"))
results.near("ratio of mode 1 as a parameter", varied[0]["damping_ratio"], 0.03, 1e-6)

# A beam that flies freely loses its momentum as exp(-a t), and half its energy in half the time; nothing of it to damping in proportion
# to stiffness. The method is of second order: (a h)^2/12 of the exponent, 1e-6 here.
path = model("flight", "mass_damping: 2\n    velocity: [3, 1, 0]\n    angular_velocity: [0, 0, 0]",
             "probes:\n  arm: {beam: arm, quantities: [linear_momentum, kinetic_energy]}",
             tail="simulation: {duration: 1, step: 2e-3, output_step: 0.1, spectral_radius: 1}")
data = results.run(path, work / "flight")
time = data["time"].values
mass = 2700 * 0.02 * 0.03
momentum = data["arm_linear_momentum_nominal"].values
results.near("momentum", momentum[:, 0], 3 * mass * np.exp(-2 * time), 1e-5 * 3 * mass)
results.near("energy", data["arm_kinetic_energy_nominal"].values, 5 * mass * np.exp(-4 * time), 2e-5 * 5 * mass)

# A mode rings down as exp(-zeta w t): plucked statically, the first mode has 97 % of it; after a while the others, damped more, are gone.
ratio = 0.03
path = model("ring", f"damping_ratios: {{frequencies: [{first!r}, {third!r}], ratios: [{ratio}, 0.4]}}", CLAMP,
             "forces:\n  pluck: {type: point_load, beam: arm, at: 1, force: [0, 1, 0], drive: let_go}",
             "drives:\n  let_go: {type: piecewise_constant, times: [0, 0.02], values: [1, 0]}",
             "probes:\n  tip: {beam: arm, at: 1, quantities: [position]}\n  energy: {system: true, quantities: [total_energy]}",
             tail="simulation: {duration: 0.6, step: 2e-4, output_step: 2e-4, spectral_radius: 0.99}")
text = call("run", path, "-o", work / "ring", "--no-report")
data = results.xr.open_dataset(work / "ring" / "results.nc").load()
y, time = data["tip_position_nominal"].values[:, 1], data["time"].values
peaks = [i for i in range(1, len(y) - 1) if y[i] > y[i - 1] and y[i] >= y[i + 1] and time[i] > 0.15]
late = np.polyfit(time[peaks], np.log(y[peaks]), 1)[0]
w = 2 * math.pi * first
results.near("rate of decay", late / (-ratio * w), 1.0, 5e-3)
# The summary says how far the account of energy is from closed.
off = float(re.search(r"\(([0-9.e+-]+) of the largest exchange\)", text).group(1))
results.near("account of energy", off, 0, 1e-3)

if "beams.arm.damping_ratios.frequencies[1]" not in call("parameters", work / "given.yaml"):
    sys.exit("damping_ratios are no parameters")
if "beams.arm.mass_damping" not in call("parameters", work / "flight.yaml"):
    sys.exit("mass_damping is no parameter")
