"""Eigenfrequencies of an uncertain machine: the five bodies of Batou & Soize, case 1, against an eigenvalue problem that
is set up here by hand; a pendulum, whose frequency is known, by several designs."""
import pathlib
import sys
import tempfile

import numpy as np
import scipy.linalg
import scipy.stats

import _results as results

CASE = pathlib.Path(__file__).parents[2] / "examples/batou-soize-2012/case1-eigenfrequencies.yaml"


def cross(r):
    """The matrix of r x."""
    x, y, z = r
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def five_bodies(mass):
    """Eigenfrequencies [Hz] for small motions about the described pose, springs without preload and no weight.

    Coordinates: x of Rb2; displacement of the centre and rotation of Rb5; rotations about y of Rb3 and Rb4 relative to Rb5, to
    which they hang by hinges along y."""
    k_t, k_r = 1e9, 1.6e8
    centre = np.array([0.6, 0, 0.5])
    inertia = np.diag([1200.0, 5000.0, 6000.0]) * mass / 3000
    m = 5013 * np.pi * 0.02**2 * 0.2
    J = np.diag([m * (3 * 0.02**2 + 0.2**2) / 12] * 2 + [m * 0.02**2 / 2])
    M, K = np.zeros((9, 9)), np.zeros((9, 9))
    M[0, 0] = m
    M[1:4, 1:4] = mass * np.eye(3)
    M[4:7, 4:7] = inertia
    for column, x, foot in ((7, 2.5, None), (8, -2.5, 0)):
        hinge = np.array([x, 0, 0.5])
        turn = np.zeros((3, 9))                     # rotation of the cylinder
        turn[:, 4:7] = np.eye(3)
        turn[1, column] = 1
        at_hinge = np.zeros((3, 9))
        at_hinge[:, 1:4] = np.eye(3)
        at_hinge[:, 4:7] = -cross(hinge - centre)
        at = lambda z: at_hinge - cross(np.array([x, 0, z]) - hinge) @ turn
        M += m * at(0.3).T @ at(0.3) + turn.T @ J @ turn
        spring = at(0.15).copy()
        if foot is not None:
            spring[0, foot] -= 1
        K += k_t * spring.T @ spring + k_r * turn.T @ turn
    return np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)) / (2 * np.pi)


def require(condition, text):
    if not condition:
        sys.exit(text)


gamma = scipy.stats.gamma(4, scale=750)             # mean 3000, cv 0.5
names = [f"f{i}" for i in range(1, 7)]


def check_quantiles(data, slack):
    """Frequencies fall as the mass grows: their p-quantile is that of the mass at 1 - p, transformed."""
    for i, p in enumerate(data["quantile"].values):
        exact = five_bodies(gamma.ppf(1 - p))
        for k, name in enumerate(names):
            lower, upper = (float(data[f"quantity_{name}_quantile_{end}"].values[i]) for end in ("lower", "upper"))
            margin = slack * exact[k]
            require(lower - margin <= exact[k] <= upper + margin,
                    f"{name}: the {p}-quantile is {exact[k]}, not in {lower} ... {upper}")


# J f'' + c f' + m g l f = 0, hanging, J = m l^2 + 0.01 = 0.51, m g l = g.
PENDULUM = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
forces:
  oil: {type: torsion_spring, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0], stiffness: 0, damping: 0.4}
probes:
  bob: {body: bob, quantities: [position]}
quantities:
  f: {kind: eigenfrequency, mode: 1}
  zeta: {kind: damping_ratio, mode: 1}
  low: {kind: equilibrium, of: bob.position.z}
simulation: {duration: 0}
uncertainty:
  gravity[2]: {law: uniform, min: -12, max: -8}
"""

# Two masses of 1 kg on springs of their own, one of which is random: their frequencies cross at 200 N/m.
CROSSING = """
bodies:
  a: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
  b: {mass: 1, position: [0, 1, 0], inertia: [1, 1, 1]}
joints:
  ja: {type: prismatic, between: [ground, a], point: [0, 0, 0], axis: [1, 0, 0]}
  jb: {type: prismatic, between: [ground, b], point: [0, 1, 0], axis: [1, 0, 0]}
forces:
  sa: {type: spring, between: [ground, a], points: [[-1, 0, 0], [0, 0, 0]], stiffness: 100}
  sb: {type: spring, between: [ground, b], points: [[-1, 1, 0], [0, 1, 0]], stiffness: 200}
probes:
  a: {body: a, quantities: [position]}
quantities:
  lowest: {kind: eigenfrequency, mode: 1}
  of_a: {kind: eigenfrequency, mode: 1, follow: shape}
  alike: {kind: shape_correlation, mode: 1}
simulation: {duration: 0}
uncertainty:
  forces.sa.stiffness: {law: uniform, min: 50, max: 350}
study: {method: monte-carlo, realizations: 200, max_failed: 0}
"""

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    model = work / "crossing.yaml"
    model.write_text(CROSSING)
    data = results.run(model, work / "crossing")
    k = data["inputs"].values[:, 0]
    results.close("the lowest of two", data["quantity_lowest"].values, np.sqrt(np.minimum(k, 200)) / (2 * np.pi), 1e-10)
    results.close("that of one shape", data["quantity_of_a"].values, np.sqrt(k) / (2 * np.pi), 1e-10)
    results.near("whether it is that", data["quantity_alike"].values, np.where(k < 200, 1.0, 0.0), 1e-10)
    # Wherever a mode is not there, the realisation fails and the study says so.
    said = results.run(model, work / "missing", "--set=quantities.lowest.mode=3", status=2)
    require("must be at most 2" in said, said)

    # Without weight and preload both ways solve the same problem; what is left is rounding.
    pure = [f"--set=gravity=[0, 0, 0]", *(f"--set=forces.{side}.prestress=[0, 0, 0, 0, 0, 0]" for side in ("rb1-rb3", "rb2-rb4"))]
    data = results.run(CASE, work / "pure", "-n", "64", *pure)
    column = list(data["input"].values).index("bodies.rb5.mass")
    for r, mass in enumerate(data["inputs"].values[:, column]):
        exact = five_bodies(mass)
        for k, name in enumerate(names):
            results.near(f"{name} of realisation {r}", data[f"quantity_{name}"].values[r], exact[k], 1e-7 * exact[k])
    require(np.all(data["quantity_alike"].values > 0.5) and np.all(data["quantity_alike"].values <= 1 + 1e-12), "correlation")

    # As the example is, with weight and preload, which change frequencies by some 1e-5. An interval fails once in 10000.
    data = results.run(CASE, work / "case", "--set=study.interval_confidence=0.9999")
    check_quantiles(data, 1e-4)
    require(int(data["quantity_f1_count"]) == 1000 and data.sizes["time"] == 1, "sizes")
    for r in range(5):
        exact = five_bodies(data["inputs"].values[r, column])
        for k, name in enumerate(names):
            results.near(f"{name} with weight", data[f"quantity_{name}"].values[r], exact[k], 1e-4 * exact[k])

    # Designs that are more even: nearer than their intervals need be, and Sobol' points by far.
    for method in ("latin-hypercube", "sobol"):
        data = results.run(CASE, work / method, f"--set=study.method={method}", "-n", "512", "--set=study.interval_confidence=0.999")
        check_quantiles(data, 1e-4)
    error = max(abs(float(data[f"quantity_{name}_quantile"].sel(quantile=0.5)) / five_bodies(gamma.ppf(0.5))[k] - 1)
                for k, name in enumerate(names))
    require(error < 2e-3, f"Sobol' points: the medians are off by {error}")

    # A polynomial of the mass. Frequencies go with 1 / sqrt(m), which near 0 no polynomial follows.
    data = results.run(CASE, work / "chaos", "--set=study={method: chaos, chaos: {degree: 12}}")
    for k, name in enumerate(names):
        found = float(data[f"quantity_{name}_quantile"].sel(quantile=0.5))
        results.near(f"chaos: median of {name}", found, five_bodies(gamma.ppf(0.5))[k], 5e-3 * found)

    # Each value against its closed form.
    model = work / "pendulum.yaml"
    model.write_text(PENDULUM + "study: {method: monte-carlo, realizations: 300}\n")
    data = results.run(model, work / "pendulum")
    g = -data["inputs"].values[:, 0]
    w = np.sqrt(g / 0.51)
    results.close("damped frequency", data["quantity_f"].values, np.sqrt(w**2 - (0.2 / 0.51)**2) / (2 * np.pi), 1e-9)
    results.close("damping ratio", data["quantity_zeta"].values, 0.2 / (0.51 * w), 1e-9)
    results.near("hanging", data["quantity_low"].values, -0.5, 1e-12)
    require(np.all(data["quantity_f_output_error"].values == 0), "what is not made of outputs has no error of theirs")

    # Sensitivity and reliability take such quantities as any other: P(f < f0) follows from the uniform law.
    model.write_text(PENDULUM + "study: {method: sensitivity, realizations: 256}\n")
    data = results.run(model, work / "sensitivity")
    results.near("share of gravity", float(data["quantity_f_sobol_group_total"].values[0]), 1, 0.1)
    limit = np.sqrt(8.4 / 0.51 - (0.2 / 0.51)**2) / (2 * np.pi)    # g = 8.4: the probability is 0.1
    model.write_text(PENDULUM + "study: {method: reliability, reliability: {quantity: f, below: %.12g, method: form}}\n" % limit)
    data = results.run(model, work / "reliability")
    results.near("probability of a low frequency", float(data["probability"]), 0.1, 1e-3)
