"""The mass on a spring in closed form, and the probability that it gets too fast by quadrature.

From rest at the extension a, x'' + 2 d x' + w^2 x = 0 with d = c/2m, w^2 = k/m, n = sqrt(w^2 - d^2):
    x'(t) = -a w^2/n e^(-d t) sin(n t),
largest in size where tan(n t) = n/d, that is at n t = arccos(d/w), with the value a w e^(-d t).
"""
import math

import numpy as np
from scipy import optimize, stats

AMPLITUDE = 0.3


def top_speed(k, c, m):
    w, d = np.sqrt(k / m), c / (2 * m)
    n = np.sqrt(w**2 - d**2)
    return AMPLITUDE * w * np.exp(-d * np.arccos(d / w) / n)


def lognormal(mean, cv):
    s = math.sqrt(math.log(1 + cv**2))
    return stats.lognorm(s, scale=mean * math.exp(-s**2 / 2))


def probability_above(limit, nodes=80):
    """Gauss-Legendre over the normal scores of damping and mass within 8 deviations; above a stiffness that is found by bisection the
    speed is too high, as it grows with the stiffness."""
    stiffness, damping, mass = lognormal(40, 0.15), lognormal(1, 0.3), lognormal(1, 0.1)
    x, w = np.polynomial.legendre.leggauss(nodes)
    score, weight = 8 * x, 8 * w * stats.norm.pdf(8 * x)
    total = 0.0
    for i, wi in zip(score, weight):
        for j, wj in zip(score, weight):
            c, m = damping.ppf(stats.norm.cdf(i)), mass.ppf(stats.norm.cdf(j))
            if not (np.isfinite(c) and np.isfinite(m)):
                continue
            k = math.exp(optimize.brentq(lambda lk: top_speed(math.exp(lk), c, m) - limit, math.log(c * c / (4 * m) * 1.0001), math.log(1e7)))
            total += wi * wj * stiffness.sf(k)
    return total
