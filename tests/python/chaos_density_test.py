"""Densities by polynomial chaos: against the law itself where it is known, with the names and shapes
that a Monte Carlo study gives."""
import pathlib
import tempfile

import numpy as np
from scipy.stats import lognorm, norm

import _results as results
from _results import near

# A free body: x = v t is normal, y = w t is lognormal. Polynomials of degree 9 hold both.
MODEL = """
bodies:
  bob: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], velocity: [2, 1, 0]}
probes:
  bob: {body: bob, quantities: [position]}
simulation: {duration: 1, step: 0.1}
uncertainty:
  "bodies.bob.velocity[0]": {law: normal, mean: 2, std: 0.5}
  "bodies.bob.velocity[1]": {law: lognormal, mean: 1, cv: 0.3}
"""
DENSITIES = "densities: {times: [0.5, 1], points: 150}"


def run(folder, study):
    (folder / "model.yaml").write_text(MODEL + study)
    return results.run(folder / "model.yaml", folder / "out", "--overwrite")


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    chaos = run(work, f"study: {{method: chaos, chaos: {{degree: 9}}, {DENSITIES}}}\n")
    draws = run(work, f"study: {{method: monte-carlo, realizations: 200, {DENSITIES}}}\n")

names = sorted(n for n in draws.variables if "density" in n)
assert names == sorted(n for n in chaos.variables if "density" in n), names
assert len(names) == 5, names
for name in names:
    assert chaos[name].dims == draws[name].dims and chaos[name].shape == draws[name].shape, name
    assert chaos[name].attrs.get("units") == draws[name].attrs.get("units"), name
assert "16384" in chaos.bob_position_density_se.attrs["long_name"]

for i, t in enumerate((0.5, 1.0)):
    # Smoothing by kernels of width h adds h^2 to the variance of a normal law and nothing else; what
    # is left is the unevenness of 16384 quasi-random points.
    h = float(chaos.bob_position_density_bandwidth[i, 0])
    at = chaos.bob_position_density_at[i, :, 0]
    law = norm(2 * t, np.hypot(0.5 * t, h))
    near("normal", chaos.bob_position_density[i, :, 0], law.pdf(at), 2e-3 * law.pdf(2 * t))
    # Of another law the bias is h^2 f'' / 2 at first.
    s = np.sqrt(np.log(1.09))
    law = lognorm(s, scale=t * np.exp(-s * s / 2))
    h = float(chaos.bob_position_density_bandwidth[i, 1])
    at = chaos.bob_position_density_at[i, :, 1].values
    d = 1e-3 * t
    bias = (law.pdf(at + d) - 2 * law.pdf(at) + law.pdf(at - d)) / d**2 * h * h / 2
    near("lognormal", chaos.bob_position_density[i, :, 1], law.pdf(at) + bias,
         5e-3 * law.pdf(at).max())
    # z does not vary: there is no density.
    assert np.isnan(chaos.bob_position_density[i, :, 2]).all()
