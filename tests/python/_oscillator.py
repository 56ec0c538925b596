"""A mass on a spring of random stiffness, whose quantities of interest have closed forms and laws.

x(t) = 1 + a cos(w t) with w = sqrt(k / m), a = 0.3 m, m = 1 kg and k uniform between 30 and 50 N/m.
"""
import numpy as np

amplitude, low, high, level = 0.3, 30.0, 50.0, 1.8

model = """
bodies:
  bob: {mass: 1, position: [0, 0, 1.3], inertia: [0.1, 0.1, 0.1]}
joints:
  rail: {type: prismatic, between: [ground, bob], point: [0, 0, 0], axis: [0, 0, 1]}
forces:
  coil: {type: spring, between: [ground, bob], points: [[0, 0, 0], [0, 0, 1.3]], stiffness: 40, length: 1}
probes:
  bob: {body: bob, quantities: [position, velocity]}
  coil: {force: coil, quantities: [tension]}
quantities:
  top_speed: {of: bob.velocity.z, kind: peak}
  when: {of: bob.velocity.z, kind: time_of_peak, to: 1}
  slowest: {of: bob.velocity.z, kind: minimum}
  effort: {of: norm(bob.velocity), kind: rms, to: 1}
  power: {of: coil.tension * bob.velocity.z, kind: absolute_peak, unit: W}
  end: {of: 10 * (bob.position.z - 1), kind: final, to: 0.5}
simulation: {duration: 1.2, step: 2e-3, output_step: 0.02}
uncertainty:
  forces.coil.stiffness: {law: uniform, min: 30, max: 50}
"""
crossing = """
  fast: {of: bob.velocity.z, kind: first_crossing, level: 1.8, direction: up}
"""


def text(study, with_crossing=True):
    parts = model.split("simulation:")
    return parts[0].rstrip("\n") + (crossing if with_crossing else "\n") + "simulation:" + parts[1] + study + "\n"


def closed_forms(k):
    """Of each quantity, for stiffnesses k; NaN where the level is not crossed."""
    w = np.sqrt(k)
    with np.errstate(invalid="ignore"):
        fast = (np.pi + np.arcsin(level / (amplitude * w))) / w
    return {
        "top_speed": amplitude * w,
        "when": 1.5 * np.pi / w,
        "slowest": -amplitude * w,
        "effort": amplitude * w * np.sqrt(0.5 - np.sin(2 * w) / (4 * w)),
        "power": 0.5 * amplitude ** 2 * k * w,
        "end": 10 * amplitude * np.cos(0.5 * w),
        "fast": fast,
    }


# Probabilities: k as a function of what is monotone in it.
def exceedance(name, q):
    """P(Q > q) by change of variables."""
    above = lambda k: np.clip((high - k) / (high - low), 0, 1)
    if name == "top_speed":
        return above((np.maximum(q, 0) / amplitude) ** 2)
    if name == "when":
        return 1 - above((1.5 * np.pi / q) ** 2)
    if name == "power":
        return above((2 * np.maximum(q, 0) / amplitude ** 2) ** (2 / 3))
    raise KeyError(name)


def moments(name):
    """Mean and standard deviation, by Gauss's rule in k."""
    x, weight = np.polynomial.legendre.leggauss(64)
    values = closed_forms(0.5 * (low + high) + 0.5 * (high - low) * x)[name]
    mean = np.sum(weight * values) / 2
    return mean, np.sqrt(np.sum(weight * (values - mean) ** 2) / 2)


def quantile(name, p):
    """Of a quantity that grows or falls with k throughout."""
    values = [closed_forms(np.array([low + (high - low) * x]))[name][0] for x in (p, 1 - p)]
    return values[0] if name in ("top_speed", "power") else values[1]
