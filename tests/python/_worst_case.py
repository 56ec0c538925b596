"""Worst-case studies of machines whose range over a box of inputs is known in closed form."""
import numpy as np
from scipy.special import ellipj

import _results as results

SPRINGS = """
bodies:
  a: {mass: 1, position: [0, 0, 1.3], inertia: [0.1, 0.1, 0.1]}
  b: {mass: 1, position: [5, 0, 1.3], inertia: [0.1, 0.1, 0.1]}
joints:
  rail_a: {type: prismatic, between: [ground, a], point: [0, 0, 0], axis: [0, 0, 1]}
  rail_b: {type: prismatic, between: [ground, b], point: [5, 0, 0], axis: [0, 0, 1]}
forces:
  a: {type: spring, between: [ground, a], points: [[0, 0, 0], [0, 0, 1.3]], stiffness: 40, length: 1}
  b: {type: spring, between: [ground, b], points: [[5, 0, 0], [5, 0, 1.3]], stiffness: 40, length: 1}
probes:
  a: {body: a, quantities: [position]}
  b: {body: b, quantities: [position]}
"""
PENDULUM = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 1, position: [1, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  hinge: {joint: hinge, quantities: [angle]}
quantities:
  swing: {of: hinge.angle, kind: final, unit: rad}
"""
STEP = "simulation: {duration: %g, step: %g, output_step: %g, time_error: false}\n"


def study(degree, **more):
    more = "".join(f", {key}: {value}" for key, value in more.items())
    return f"study: {{method: worst-case, worst_case: {{degree: {degree}{more}}}}}\n"


class Found:
    """Of one quantity of interest."""

    def __init__(self, data, name):
        for key in ("bound_lower", "bound_upper", "bound_error", "found_min", "found_max", "searched_min", "searched_max",
                    "inclusion_lower", "inclusion_upper"):
            setattr(self, key, float(data[f"quantity_{name}_{key}"]) if f"quantity_{name}_{key}" in data else np.nan)

    def holds(self, low, high, slack=0.0):
        """Whether bounds with their error contain what is true, up to the error of the time integration."""
        return self.bound_lower - self.bound_error <= low + slack and self.bound_upper + self.bound_error >= high - slack


def run(folder, text, *arguments):
    model = folder / "model.yaml"
    model.write_text(text)
    return results.run(model, folder / "out", "--overwrite", *arguments)


def spring_box(folder, intervals, degree, seed=1, duration=1.0, step=5e-4, **more):
    """Two springs: the product of both deflections, whose range over the box of stiffnesses is that of its factors."""
    text = SPRINGS + "quantities:\n  product: {of: (a.position.z - 1) * (b.position.z - 1), kind: final, unit: m^2}\n" + STEP % (duration, step, duration / 20)
    text += "uncertainty:\n" + "".join(
        f"  forces.{name}.stiffness: {{law: uniform, min: {low}, max: {high}}}\n" for name, (low, high) in zip("ab", intervals))
    data = run(folder, text + study(degree, **more), "--seed", str(seed))
    ends = [np.array(cosine_range(np.sqrt(low) * duration, np.sqrt(high) * duration)) * 0.3 for low, high in intervals]
    products = np.outer(*ends)
    return data, Found(data, "product"), products.min(), products.max()


def cosine_range(first, last):
    """Smallest and largest cosine between two angles."""
    inside = np.pi * np.arange(np.ceil(first / np.pi), np.floor(last / np.pi) + 1)
    values = np.cos(np.concatenate([[first, last], inside]))
    return values.min(), values.max()


def pendulum_angle(length, time, inertia=1e-3, gravity=9.81):
    """Of a pendulum let go at the horizontal: angle turned after `time`, by Jacobi's elliptic functions."""
    rate = np.sqrt(gravity * length / (length ** 2 + inertia))
    sn, cn, dn, _ = ellipj(rate * time, 0.5)
    return np.pi / 2 - 2 * np.arcsin(np.sqrt(0.5) * cn / dn)
