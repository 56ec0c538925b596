"""Closed form of the speed, and the probability by quadrature: independent/rare_event.py."""
import numpy as np

from independent.rare_event import lognormal, probability_above, top_speed
from scipy import stats

NAMES = ["forces.coil.stiffness", "forces.coil.damping", "bodies.bob.mass"]
LAWS = [(40, 0.15), (1, 0.3), (1, 0.1)]
TOLERANCE = 1e-6
EVERY_DRAW = True


def responses(draws, times):
    return {"top_speed": top_speed(*(draws[name] for name in NAMES))}


def nodes():
    g, w = np.polynomial.hermite_e.hermegauss(12)
    w = w / w.sum()
    grid = np.stack(np.meshgrid(g, g, g, indexing="ij"), -1).reshape(-1, 3)
    weights = np.prod(np.stack(np.meshgrid(w, w, w, indexing="ij"), -1).reshape(-1, 3), axis=1)
    return {name: lognormal(*law).ppf(stats.norm.cdf(grid[:, i])) for i, (name, law) in enumerate(zip(NAMES, LAWS))}, weights


def probabilities():
    return {"too_fast": probability_above(2.54, 24)}
