"""The same elements written anew, with quadrature over the volume at each step of the classical Runge-Kutta method: independent/ancf.py."""
import numpy as np

from independent.ancf import Beam, eole
from independent.integrators import runge_kutta

E, DENSITY, GRAVITY, SIDE = 2e7, 7200.0, 9.81, 0.01
GERMS = ["fields.upper.youngs_modulus.germ[0]", "fields.lower.youngs_modulus.germ[0]", "fields.lower.youngs_modulus.germ[1]"]
TOLERANCE = 2e-4
STEP = 1.2e-4
DRAWS = 3
STATISTICS = ["mean"]


def responses(draws, times):
    n = len(draws[GERMS[0]])

    def field(length, terms, germ):
        places = np.linspace(0, length, 101)

        def moduli(s):
            modulus = E * (1 + 0.1 * (eole(lambda d: np.exp(-d**2), places, terms, [s])[0] @ germ))
            return np.zeros(n), modulus / 2            # Poisson's ratio is zero
        return moduli
    upper = Beam([0, 0, 0], [0.3, 0, 0], 3, SIDE, SIDE, DENSITY, field(0.3, 1, draws[GERMS[0]][None]), [0, 1, 0])
    lower = Beam([0.3, 0, 0], [0.3, 0.4, 0], 4, SIDE, SIDE, DENSITY, field(0.4, 2, np.stack([draws[name] for name in GERMS[1:]])), [-1, 0, 0])
    # The lower beam's first position is the upper one's last: vectors 0 to 15 of the upper beam, 16 to 34 of the lower but its first.
    into_lower = np.concatenate([[12], np.arange(16, 35)])
    size = 35
    mass = np.zeros((size, size))
    mass[:16, :16] += upper.mass()
    mass[np.ix_(into_lower, into_lower)] += lower.mass()
    inverse = np.linalg.inv(mass[1:, 1:])
    fall = np.zeros((size, 3))
    fall[[0, 4, 8, 12, 19, 23, 27, 31], 2] = -GRAVITY
    weight = mass @ fall

    def rates(t, y):
        e = y[:, :3 * size].reshape(n, size, 3)
        force = np.broadcast_to(weight, (n, size, 3)).copy()
        force[:, :16] += upper.forces(e[:, :16])
        force[:, into_lower] += lower.forces(e[:, into_lower])
        a = np.zeros((n, size, 3))
        a[:, 1:] = np.einsum("ij,njk->nik", inverse, force[:, 1:], optimize=True)
        return np.concatenate([y[:, 3 * size:], a.reshape(n, -1)], axis=1)
    e0 = np.concatenate([upper.start.reshape(16, 3), lower.start.reshape(20, 3)[1:]])
    start = np.concatenate([np.tile(e0.ravel(), (n, 1)), np.zeros((n, 3 * size))], axis=1)
    grid = np.unique(np.concatenate([[0.0], times, [t for t in (0.6, 1.2) if t < max(times) + 1e-9]]).round(12))
    states = runge_kutta(rates, start, grid, STEP)[:, :, :3 * size].reshape(len(grid), n, size, 3)
    at = [int(np.argmin(np.abs(grid - t))) for t in times]
    out = {"tip1_z": states[at][:, :, 12, 2].T, "tip2_x": states[at][:, :, 31, 0].T, "tip2_z": states[at][:, :, 31, 2].T}
    for name, t in (("tip_z_600ms", 0.6), ("tip_z_1200ms", 1.2)):
        if t < max(times) + 1e-9:
            out[name] = states[int(np.argmin(np.abs(grid - t))), :, 31, 2]
    return out


def nodes():
    """Three nodes for each germ, exact for polynomials of the fifth degree: enough for means, not for deviations."""
    g, w = np.polynomial.hermite_e.hermegauss(3)
    w = w / w.sum()
    grid = np.stack(np.meshgrid(g, g, g, indexing="ij"), -1).reshape(-1, 3)
    weights = np.prod(np.stack(np.meshgrid(w, w, w, indexing="ij"), -1).reshape(-1, 3), axis=1)
    return {name: grid[:, i] for i, name in enumerate(GERMS)}, weights
