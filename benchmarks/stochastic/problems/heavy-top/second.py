"""Euler's equations about the pivot, J w' = M(g) - w x J w, with quaternions, by the classical Runge-Kutta method."""
import numpy as np

from independent.integrators import runge_kutta
from independent.rigid_tree import rotation_of

MASS, ARM, GRAVITY, SPIN, TURNING = 15.0, 1.0, 9.81, 40.0, 2.0
CENTRE = np.array([0.0, ARM, 0.0])
LIMITS = [(0.26, 0.34), (0.40, 0.52), (0.26, 0.34)]
TOLERANCE = 1e-6
EVERY_DRAW = True


def responses(draws, times):
    J = np.stack([draws[f"bodies.top.inertia[{i}]"] for i in range(3)], 1)
    pivot = J + MASS * ARM**2 * np.array([1.0, 0.0, 1.0])
    down = np.array([0.0, 0.0, -GRAVITY])

    def rates(t, y):
        q, w = y[:, :4], y[:, 4:]                       # w in body axes: q' = 1/2 q (0, w)
        weight = np.einsum("nji,j->ni", rotation_of(q), MASS * down)
        out = np.empty_like(y)
        out[:, 0] = -0.5 * np.sum(q[:, 1:] * w, 1)
        out[:, 1:4] = 0.5 * (q[:, :1] * w + np.cross(q[:, 1:], w))
        out[:, 4:] = (np.cross(CENTRE, weight) - np.cross(w, pivot * w)) / pivot
        return out
    n = len(J)
    start = np.tile(np.array([1.0, 0, 0, 0, 0, SPIN, -TURNING]), (n, 1))
    grid = np.unique(np.concatenate([np.linspace(0, 2, 1001), times]).round(12))
    states = runge_kutta(rates, start, grid, 1e-3)
    centre = np.array([rotation_of(y[:, :4]) @ CENTRE for y in states])
    at = [int(np.argmin(np.abs(grid - t))) for t in times]
    one, two = (int(np.argmin(np.abs(grid - t))) for t in (1.0, 2.0))
    return {"y": centre[at, :, 1].T, "z": centre[at, :, 2].T, "rate_z": states[at][:, :, 6].T, "height_1s": centre[one, :, 2],
            "height_2s": centre[two, :, 2], "lowest": centre[:, :, 2].min(0)}


def nodes():
    g, w = np.polynomial.legendre.leggauss(7)
    grid = np.stack(np.meshgrid(g, g, g, indexing="ij"), -1).reshape(-1, 3)
    weights = np.prod(np.stack(np.meshgrid(w, w, w, indexing="ij"), -1).reshape(-1, 3), axis=1) / 8
    return {f"bodies.top.inertia[{i}]": (a + b) / 2 + (b - a) / 2 * grid[:, i] for i, (a, b) in enumerate(LIMITS)}, weights
GRID = [f"bodies.top.inertia[{i}]" for i in range(3)]
