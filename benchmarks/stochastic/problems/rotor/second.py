"""Two linear oscillators driven by the unbalance, (M + m) y'' + c y' + k y = -m u'', by the classical Runge-Kutta method."""
import math

import numpy as np

from independent.integrators import runge_kutta

ROTOR, BEARING, DAMPING, SPEED, RUN_UP = 20.0, 2.0, 300.0, 150.0, 0.5
STIFFNESS = [f"forces.bearings.stiffness[{i}]" for i in (1, 2)]
PLACE = [f"bodies.rotor.position[{i}]" for i in (1, 2)]
TOLERANCE = 1e-4           # peaks are looked for every 0.2 ms
EVERY_DRAW = True


def turn(t):
    """Angle, rate and acceleration: the rate is a quintic step."""
    s = min(t / RUN_UP, 1.0)
    angle = SPEED * RUN_UP * (2.5 * s**4 - 3 * s**5 + s**6) + SPEED * max(t - RUN_UP, 0.0)
    return angle, SPEED * (10 * s**3 - 15 * s**4 + 6 * s**5), SPEED / RUN_UP * 30 * s**2 * (1 - s)**2


def responses(draws, times):
    k = np.stack([draws[name] for name in STIFFNESS], 1)
    ey, ez = (draws[name] for name in PLACE)

    def rates(t, state):
        x, v = state[:, :2], state[:, 2:]
        angle, rate, growth = turn(t)
        c, s = math.cos(angle), math.sin(angle)
        uy = -growth * (ey * s + ez * c) - rate**2 * (ey * c - ez * s)
        uz = growth * (ey * c - ez * s) - rate**2 * (ey * s + ez * c)
        force = -ROTOR * np.stack([uy, uz], 1) - DAMPING * v - k * x
        return np.concatenate([v, force / (ROTOR + BEARING)], 1)
    grid = np.unique(np.concatenate([np.linspace(0, 1, 5001), times]).round(12))
    states = runge_kutta(rates, np.zeros((len(ey), 4)), grid, 2e-4)
    at = [int(np.argmin(np.abs(grid - t))) for t in times]
    late = int(np.argmin(np.abs(grid - 0.7)))
    return {"y": states[at][:, :, 0].T, "z": states[at][:, :, 1].T, "y_700ms": states[late, :, 0],
            "orbit": np.hypot(states[:, :, 0], states[:, :, 1]).max(0)}


def nodes():
    """A rule for mean and deviation of y and z, of which each depends on one stiffness: both stiffnesses move together."""
    g, w = np.polynomial.hermite_e.hermegauss(24)
    g2, w2 = np.polynomial.hermite_e.hermegauss(3)
    s = math.sqrt(math.log(1 + 0.06**2))
    grid = np.stack(np.meshgrid(g, g2, g2, indexing="ij"), -1).reshape(-1, 3)
    weights = np.prod(np.stack(np.meshgrid(w / w.sum(), w2 / w2.sum(), w2 / w2.sum(), indexing="ij"), -1).reshape(-1, 3), axis=1)
    draws = {STIFFNESS[i]: mean * np.exp(s * grid[:, 0] - s**2 / 2) for i, mean in enumerate((5.5e5, 6.6e5))}
    draws.update({PLACE[0]: 4e-5 + 2e-5 * grid[:, 1], PLACE[1]: 2e-5 * grid[:, 2]})
    return draws, weights


NODES_FOR = ["y", "z", "y_700ms"]
