"""Every joint and every force at nodes of beams, by the frames that reading puts on them: against closed forms of the Euler-Bernoulli
beam, which sections by stiffnesses approach: shear and rotary inertia are made to matter by less than 1e-6."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy import optimize

import _results as results

TUMBLE = os.environ["TUMBLE"]
work = pathlib.Path(tempfile.mkdtemp())
EI, L, RHO = 10.0, 1.0, 2.0
failures = []


def call(*arguments):
    done = subprocess.run([TUMBLE, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arguments}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def expect(what, found, wanted, tolerance):
    error = abs(found - wanted) / max(abs(wanted), 1e-300)
    print(f"{what}: {found:.9g}, expected {wanted:.9g}, off by {error:.1e}")
    if not error <= tolerance:
        failures.append(f"{what}: {found!r}, not {wanted!r}")


def beam(dimension="planar", elements=16, extra=""):
    section = "{axial: 1e7, shear_y: 1e7, bending_z: 10, mass_per_length: 2, rotary_inertia_z: 1e-7}"
    if dimension == "spatial":
        section = ("{axial: 1e7, shear_y: 1e7, shear_z: 1e7, bending_z: 10, bending_y: 10, torsion: 7, mass_per_length: 2, "
                   "rotary_inertia_y: 1e-7, rotary_inertia_z: 1e-7}")
    return f"""
beams:
  arm:
    dimension: {dimension}
    line: [[0, 0, 0], [1, 0, 0]]
    elements: {elements}
    curvature: linear
    section: {{stiffness: {section}}}
{extra}
"""


def model(name, *parts, tail="simulation: {duration: 0.01, step: 1e-3}"):
    path = work / f"{name}.yaml"
    path.write_text("\n".join([*parts, tail]) + "\n")
    return path


def rest(path, *options):
    return json.loads(call("equilibrium", path, "--json", *options))[-1]


def frequencies(path, count=3, *options):
    return [mode["frequency"] for mode in json.loads(call("modes", path, "--json", "-n", count, *options))]


def hertz(root):
    return root**2 / (2 * math.pi * L**2) * math.sqrt(EI / RHO)


CLAMP = "joints:\n  clamp: {type: fixed, between: [ground, arm.start]}"
TIP = "probes:\n  tip: {beam: arm, at: 1, quantities: [position]}\n  end: {body: arm.end, quantities: [position, rotation_vector]}"
PUSH = "  push: {type: point_load, beam: arm, at: 1, force: [0, 1e-3, 0]}"

# A spring across the tip: w = P/(3 EI/L^3 + k). Its frequencies: with w = (cosh - cos)(x s/L) - c (sinh - sin)(x s/L), w''(L) = 0 and
# EI w'''(L) = k w(L). Elements with linear curvature err by 1e-6 and less of the third root with sixteen of them.
SPRING = 300.0
for dimension in ("planar", "spatial"):
    path = model(f"bushing-{dimension}", beam(dimension), CLAMP, "forces:\n  seat: {type: bushing, between: [ground, arm.end], "
                 f"stiffness: [0, {SPRING}, 0, 0, 0, 0]}}\n{PUSH}", TIP)
    at_rest = rest(path)
    expect(f"bushing at the tip, {dimension}, deflection", at_rest["tip"]["position"][1], 1e-3 / (3 * EI / L**3 + SPRING), 1e-5)
    expect("the frame's place is the node's", at_rest["end"]["position"][1], at_rest["tip"]["position"][1], 1e-12)

    def spring_supported(x):
        c = (math.cosh(x) + math.cos(x)) / (math.sinh(x) + math.sin(x))
        w = math.cosh(x) - math.cos(x) - c * (math.sinh(x) - math.sin(x))
        third = math.sinh(x) - math.sin(x) - c * (math.cosh(x) + math.cos(x))
        return EI / L**3 * x**3 * third - SPRING * w

    found = frequencies(path, 8)
    for low, high in ((2.0, 3.9), (4.0, 5.5)):
        root = optimize.brentq(spring_supported, low, high)
        nearest = min(found, key=lambda f: abs(f - hertz(root)))
        expect(f"bushing at the tip, {dimension}, frequency", nearest, hertz(root), 3e-4)

# A slide across the beam at its tip, which cannot turn: w = P L^3/(12 EI), tan x + tanh x = 0. In the plane the slide repeats what the
# plane holds already: redundant conditions.
for dimension in ("planar", "spatial"):
    path = model(f"guided-{dimension}", beam(dimension), CLAMP + "\n  slide: {type: prismatic, between: [ground, arm.end], axis: [0, 1, 0]}",
                 f"forces:\n{PUSH}", TIP + "\n  slide: {joint: slide, quantities: [displacement, torque]}")
    at_rest = rest(path)
    expect(f"guided tip, {dimension}, deflection", at_rest["tip"]["position"][1], 1e-3 * L**3 / (12 * EI), 1e-5)
    expect(f"guided tip, {dimension}, displacement of the joint", at_rest["slide"]["displacement"][2], at_rest["tip"]["position"][1], 1e-9)
    expect(f"guided tip, {dimension}, moment", abs(at_rest["slide"]["torque"][2]), 1e-3 * L / 2, 1e-5)
    for root in (2.36502037, 5.49780392):
        expect(f"guided tip, {dimension}, frequency", min(frequencies(path, 6), key=lambda f: abs(f - hertz(root))), hertz(root), 3e-4)

# A cylindrical joint along the beam at its tip: nothing across, no turning but about the beam: a clamped beam that may stretch.
path = model("cylinder", beam("spatial"), CLAMP + "\n  sleeve: {type: cylindrical, between: [ground, arm.end], axis: [1, 0, 0]}",
             "forces:\n  pull: {type: point_load, beam: arm, at: 1, force: [10, 0, 0]}", TIP)
expect("sleeve at the tip, stretch", rest(path)["tip"]["position"][0] - 1, 10 / 1e7, 1e-5)
expect("sleeve at the tip, frequency", frequencies(path, 1, "--at-start")[0], hertz(4.73004074), 3e-4)

# A universal joint passes a torque on: the beam twists by T L/(G J).
path = model("universal", beam("spatial"), """bodies:
  wheel: {mass: 1, position: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  clamp: {type: fixed, between: [ground, arm.start]}
  cross: {type: universal, between: [arm.end, wheel], axis_first: [0, 1, 0], axis_second: [0, 0, 1]}
  bearing: {type: revolute, between: [ground, wheel], point: [1, 0, 0], axis: [1, 0, 0]}
forces:
  twist: {type: applied, body: wheel, torque: [0.07, 0, 0]}""", TIP)
expect("torque through a universal joint", rest(path)["end"]["rotation_vector"][0], 0.07 * L / 7, 1e-5)

# Springs about a hinge at a node, and a stop: the beam turns by P L/k and bends.
for name, spring in (("torsion spring", "{type: torsion_spring, between: [ground, arm.start], stiffness: 20}"),
                     ("stop", "{type: joint_limit, joint: hinge, upper: 0, stiffness: 20}"),
                     ("formula", "{type: expression, joint: hinge, torque: -20*hinge.angle}")):
    path = model(name.replace(" ", "-"), beam(), "joints:\n  hinge: {type: revolute, between: [ground, arm.start]}",
                 f"forces:\n  turn: {spring}\n{PUSH}", TIP)
    expect(f"hinge with a {name}", rest(path)["tip"]["position"][1], 1e-3 * (L**2 / 20 + L**3 / (3 * EI)), 1e-5)

# Springs and applied forces take hold of nodes between the ends too: w(L/2) = (P - k w) L^3/(24 EI).
path = model("middle", beam(), CLAMP, """forces:
  wire: {type: spring, between: [ground, arm.node8], points: [[0.5, -1, 0], [0.5, 0, 0]], stiffness: 100}
  push: {type: applied, body: arm.node8, force: [0, 1e-3, 0]}""", "probes:\n  middle: {body: arm.node8, quantities: [position]}")
expect("spring in the middle", rest(path)["middle"]["position"][1], 1e-3 / (24 * EI / L**3 + 100), 1e-5)


def series(path, *options):
    return results.run(path, work / f"{path.stem}-out", "--overwrite", "-q", *options)


# A motor at a node: from rest to a turn a second and a half and on, steadily: the beam is longer by L (tan(k L)/(k L) - 1), k^2 = rho w^2/EA.
# What the motor did is what the beam has: the account of energy is closed.
path = model("motor", beam(elements=6, extra="    damping_time: 0.05"),
             "joints:\n  motor: {type: revolute, between: [ground, arm.start], motion: {rz: turn}}\n"
             "drives:\n  turn: {type: expression, value: 5*(time - 0.3*(1 - exp(-time/0.3)))}",
             "probes:\n  tip: {beam: arm, at: 1, quantities: [position]}\n  motor: {joint: motor, quantities: [angle, torque]}\n"
             "  energy: {system: true, quantities: [kinetic_energy, total_energy]}",
             tail="simulation: {duration: 8, step: 2e-3, output_step: 0.1, spectral_radius: 0.8}")
found = series(path)
tip, angle = found["tip_position_nominal"].values, found["motor_angle_nominal"].values
k = math.sqrt(RHO * 25 / 1e7)
expect("motor at a node: length", np.hypot(*tip[-1, :2]) - 1, math.tan(k) / k - 1, 1e-3)
expect("motor at a node: angle", angle[-1], 5 * (8 - 0.3), 1e-9)
expect("motor at a node: kinetic energy", float(found["energy_kinetic_energy_nominal"][-1]), 0.5 * RHO * L**3 / 3 * 25, 1e-4)

# Without damping the energy of a beam that swings on a bushing at a node stays.
path = model("energy", beam("planar", 4), CLAMP, """forces:
  seat: {type: bushing, between: [ground, arm.end], stiffness: [0, 30, 0, 0, 0, 1]}
  pluck: {type: point_load, beam: arm, at: 1, force: [0, 1, 0], drive: let_go}
drives:
  let_go: {type: piecewise_constant, times: [0, 0.1], values: [1, 0]}""",
             "probes:\n  energy: {system: true, quantities: [total_energy, kinetic_energy]}",
             tail="simulation: {duration: 1, step: 1e-3, output_step: 0.01, spectral_radius: 0.99}")
found = series(path)
total, kinetic = found["energy_total_energy_nominal"].values[11:], found["energy_kinetic_energy_nominal"].values
drift = np.abs(total - total[0]).max() / kinetic.max()
print(f"energy of a beam on a bushing: drift {drift:.1e} of it")
if not (drift < 1e-3 and kinetic.max() > 1e-3):
    failures.append(f"energy: drift {drift:g}, largest {kinetic.max():g}")

# Frames follow beams whose geometry is uncertain, and lanes and threads make no difference.
path = model("study", beam(elements=4), CLAMP, """forces:
  seat: {type: bushing, between: [ground, arm.end], stiffness: [0, 300, 0, 0, 0, 0]}
  push: {type: point_load, beam: arm, at: 1, force: [0, 1, 0]}""", TIP, """uncertainty:
  'beams.arm.line[1][0]': {law: uniform, min: 0.9, max: 1.1}
study: {method: monte-carlo, store: all}""", tail="simulation: {duration: 0.02, step: 1e-3}")
one, two = (series(path, "-n", "24", "--seed", "3", "--threads", str(threads)) for threads in (1, 2))
for name in one.data_vars:
    if one[name].dtype.kind == "f" and not one[name].equals(two[name]):
        failures.append(f"{name} depends on the number of threads")
for statistic in ("mean", "min", "max", "std"):
    frame, node = (one[f"{name}_position_{statistic}"].values[:, :2] for name in ("end", "tip"))
    if not np.abs(frame - node).max() <= 1e-10:
        failures.append(f"{statistic} of frame and node differ by {np.abs(frame - node).max():g}")
# 24 lengths, uniform over 0.2 m: their deviation is 0.2/sqrt(12) but for a fifth or so.
if not 0.04 < one["end_position_std"].values[0, 0] < 0.075:
    failures.append("the frame does not follow the beam's length")

if failures:
    sys.exit("\n".join(failures))
