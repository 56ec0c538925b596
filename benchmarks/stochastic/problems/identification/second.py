"""The response as a spline over the mass, computed by independent/five_body.py; the likelihood p(y | cv) = E prod_k N(y_k; a_k(M), 5^2) of
each machine by quadrature over the gamma law; its maximum and the ends of the profile by bisection."""
import csv
import pathlib

import numpy as np
from scipy import interpolate, optimize, stats

from independent.five_body import FiveBody

TIMES, NOISE, MEAN = np.array([0.0035, 0.009, 0.0135]), 5.0, 3000.0
MASSES = 140


def estimates():
    mass = np.exp(np.linspace(np.log(60), np.log(14000), MASSES))
    inertia = np.array([np.diag([1200.0, 5000.0, 6000.0]) * m / MEAN for m in mass])
    _, acceleration, _ = FiveBody(mass, np.tile([0.6, 0.0, 0.5], (MASSES, 1)), inertia).run(TIMES)
    response = interpolate.CubicSpline(np.log(mass), acceleration[:, :, 2])
    fine = np.exp(np.linspace(np.log(60), np.log(14000), 40001))
    expected = response(np.log(fine))
    with open(pathlib.Path(__file__).parent / "measurements.csv", newline="") as file:
        measured = np.array([[float(cell) for cell in row[1:]] for row in list(csv.reader(file))[1:]])
    densities = [np.prod(stats.norm.pdf(y, expected, NOISE), axis=1) for y in measured]

    def log_likelihood(cv):
        prior = stats.gamma.pdf(fine, 1 / cv**2, scale=MEAN * cv**2)
        return sum(np.log(np.trapz(density * prior, fine)) for density in densities)
    best = optimize.minimize_scalar(lambda cv: -log_likelihood(cv), bounds=(0.05, 0.7), method="bounded", options={"xatol": 1e-8})
    drop = stats.chi2.ppf(0.95, 1) / 2
    def past(cv):
        return log_likelihood(cv) + best.fun + drop
    return {"cv": best.x, "cv_lower": optimize.brentq(past, 0.05, best.x), "cv_upper": optimize.brentq(past, best.x, 0.7),
            "log_likelihood": -best.fun}
