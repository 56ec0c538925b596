"""Polynomial chaos of an oscillator with random stiffness and mass: against the closed form,
integrated by numpy's own Gauss rules with 60 points each, and against Monte Carlo."""
import pathlib
import tempfile

import numpy as np
from scipy.stats import norm

import _results as results
from _results import near

MODEL = """
bodies:
  bob: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1], velocity: [1, 0, 0]}
forces:
  spring: {type: bushing, between: [ground, bob], point: [0, 0, 0], stiffness: [100, 0, 0, 0, 0, 0]}
probes:
  bob: {body: bob, quantities: [position]}
simulation: {duration: 0.6, step: 5e-4, output_step: 0.05}
uncertainty:
  forces.spring.stiffness[0]: {law: uniform, min: 80, max: 120}
  bodies.bob.mass: {law: lognormal, mean: 1, cv: 0.1}
"""
# x = v sqrt(m / k) sin(sqrt(k / m) t). The time step has a phase error of some (omega h)^2 / 12 of
# omega t = 6, that is 1e-5 of an amplitude of 0.1.
STEP_ERROR = 5e-6


def run(folder, study, model=MODEL):
    (folder / "model.yaml").write_text(model + study)
    return results.run(folder / "model.yaml", folder / "out", "--overwrite")


def motion(k, m, t):
    omega = np.sqrt(k / m)
    return np.sin(omega * t) / omega


log_std = np.sqrt(np.log(1 + 0.1**2))
mass_of = lambda z: np.exp(-log_std**2 / 2 + log_std * z)
z, wz = np.polynomial.hermite_e.hermegauss(60)
wz = wz / wz.sum()
u, wu = np.polynomial.legendre.leggauss(60)
wu = wu / 2

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    degree = 7
    data = run(work, f"study: {{method: chaos, chaos: {{degree: {degree}}}}}\n")
    assert data.attrs["method"] == "chaos" and data.attrs["realizations"] == (degree + 1) ** 2 + 64
    assert (data.role.values == np.repeat([0, 1], [(degree + 1) ** 2, 64])).all()
    fitted = data.inputs.values[data.role.values == 0]
    assert list(data.germ.values) == ["forces.spring.stiffness[0]", "bodies.bob.mass"]
    assert data.chaos_index.dims == ("term", "germ")
    assert data.sizes["term"] == (degree + 1) ** 2
    assert [s.split()[0].lower() for s in data.germ_polynomials.values] == ["legendre", "hermite"]
    for absent in ("bob_position_mean_se", "bob_position_convergence", "bob_position_min"):
        assert absent not in data, absent

    # The runs are at the Gauss points, the first variable varying slowest.
    points = np.polynomial.legendre.leggauss(degree + 1)[0]
    near("stiffness", fitted[:, 0], np.repeat(100 + 20 * points, degree + 1), 1e-11)
    points = np.polynomial.hermite_e.hermegauss(degree + 1)[0]
    near("mass", fitted[:, 1], np.tile(mass_of(points), degree + 1), 1e-13)

    t = data.time.values
    x = motion(100 + 20 * u[None, :, None], mass_of(z)[None, None, :], t[:, None, None])
    mean = np.einsum("tij,i,j->t", x, wu, wz)
    variance = np.einsum("tij,i,j->t", (x - mean[:, None, None]) ** 2, wu, wz)
    position = data.bob_position_mean.sel(axis="x").values
    deviation = data.bob_position_std.sel(axis="x").values
    near("mean", position, mean, STEP_ERROR)
    near("std", deviation, np.sqrt(variance), STEP_ERROR)
    near("cov", data.bob_position_cov.values[:, 0, 0], deviation**2, 1e-17)
    near("principal", data.bob_position_principal_std.values[:, 0], deviation, 1e-15)
    assert np.all(data.bob_position_principal_axes.values[1:, 0] == [1, 0, 0])

    # Sobol' indices by conditional means.
    given_k = np.einsum("tij,j->ti", x, wz)
    first_k = np.einsum("ti,i->t", (given_k - mean[:, None]) ** 2, wu) / variance.clip(1e-300)
    given_m = np.einsum("tij,i->tj", x, wu)
    first_m = np.einsum("tj,j->t", (given_m - mean[:, None]) ** 2, wz) / variance.clip(1e-300)
    moving = np.sqrt(variance) > 1e-3
    assert moving.sum() >= 6
    first = data.bob_position_sobol_first.sel(axis="x").values[:, moving]
    total = data.bob_position_sobol_total.sel(axis="x").values[:, moving]
    near("sobol_first", first, np.array([first_k, first_m])[:, moving], 1e-3)
    near("sobol_total", total, 1 - np.array([first_m, first_k])[:, moving], 1e-3)

    # Coefficients: the mean is the first, squares of the others add up to the variance.
    coefficients = data.bob_position_chaos.sel(axis="x").values
    near("chaos", coefficients[0], position, 0)
    near("chaos", (coefficients[1:] ** 2).sum(axis=0), deviation**2, 1e-17)
    assert (data.chaos_index.values[0] == 0).all()
    assert data.bob_position_chaos_error.sel(axis="x").values[moving].max() < 1e-6
    assert "chaos_warnings" not in data.attrs

    # Quantiles: those of the closed form on a fine grid of equal probabilities.
    p = (np.arange(1500) + 0.5) / 1500
    at = int(np.argmax(variance))
    grid = motion(80 + 40 * p[:, None], mass_of(norm.ppf(p))[None, :], t[at])
    near("quantile", data.bob_position_quantile.sel(axis="x").values[:, at],
         np.quantile(grid, [0.05, 0.5, 0.95]), 0.005 * np.sqrt(variance[at]))

    # Other points and fits find the same.
    for chaos in ("points: sparse-grid, level: 5", "points: sparse-grid, level: 5, rule: gauss",
                  "points: regression, degree: 7", "points: regression, degree: 9, q: 0.75",
                  "points: regression, fit: lars, degree: 9, runs: 120"):
        other = run(work, f"study: {{method: chaos, chaos: {{{chaos}}}}}\n")
        near(chaos, other.bob_position_mean.sel(axis="x").values, mean,
             STEP_ERROR + 1e-3 * np.sqrt(variance.max()))
        near(chaos, other.bob_position_std.sel(axis="x").values, np.sqrt(variance),
             STEP_ERROR + 2e-3 * np.sqrt(variance.max()))

    # Too low a degree is told, with what is measured: straight lines miss 1 % of the largest variance.
    # Good ones are not warned of.
    poor = run(work, "study: {method: chaos, chaos: {degree: 1, target_error: 2e-3}}\n")
    assert "target_error = 0.002" in poor.attrs["chaos_warnings"]
    assert "coefficients fall most slowly in" in poor.attrs["chaos_warnings"]
    poor = run(work, "study: {method: chaos, chaos: {degree: 2}}\n")
    assert "chaos_warnings" not in poor.attrs
    # Of the model itself on a fine grid, less the polynomials: the share that they miss.
    basis = np.einsum("ai,bj->abij", np.polynomial.legendre.legvander(u, 2).T * np.sqrt([[1], [3], [5]]),
                      np.polynomial.hermite_e.hermevander(z, 2).T / np.sqrt([[1], [1], [2]]))
    terms = basis[tuple(poor.chaos_index.values.astype(int).T)]
    residual = x - np.einsum("kt,kij->tij", poor.bob_position_chaos.sel(axis="x").values, terms)
    share = (np.einsum("tij,i,j->t", residual**2, wu, wz) / variance.clip(1e-300))[moving]
    lower, upper = (poor[f"bob_position_chaos_error_{end}"].sel(axis="x").values[moving] for end in ("lower", "upper"))
    assert ((lower <= share) & (share <= upper)).all(), (lower, share, upper)
    for statistic, exact in (("mean", mean), ("std", np.sqrt(variance))):
        error = np.abs(poor[f"bob_position_{statistic}"].sel(axis="x").values - exact)
        assert (error <= poor[f"bob_position_{statistic}_error"].sel(axis="x").values + STEP_ERROR).all(), statistic
    for kind, exact in (("first", [first_k, first_m]), ("total", [1 - first_m, 1 - first_k])):
        for group in range(2):
            for name in (f"sobol_{kind}", "sobol_group" if kind == "first" else "sobol_group_total"):
                ends = [poor[f"bob_position_{name}_{end}"].sel(axis="x").values[group, moving] for end in ("lower", "upper")]
                assert (ends[0] <= exact[group][moving]).all() and (exact[group][moving] <= ends[1]).all(), name
    low, high = (poor[f"bob_position_quantile_{end}"].sel(axis="x").values[:, at] for end in ("lower", "upper"))
    true = np.quantile(grid, [0.05, 0.5, 0.95])
    assert ((low <= true) & (true <= high)).all(), (low, true, high)

    # Monte Carlo of the same laws: 5 standard errors, 2 x 12 comparisons, false alarm 1.4e-5.
    drawn = run(work, "study: {method: monte-carlo, realizations: 2000, seed: 3}\n")
    for statistic, exact in (("mean", mean), ("std", np.sqrt(variance))):
        found = drawn[f"bob_position_{statistic}"].sel(axis="x").values
        error = drawn[f"bob_position_{statistic}_se"].sel(axis="x").values
        assert (np.abs(found - exact) <= 5 * error + STEP_ERROR).all(), statistic
    # Principal standard deviations by numpy.
    for k, matrix in enumerate(drawn.bob_position_cov.values):
        near("principal_std", drawn.bob_position_principal_std.values[k] ** 2,
             np.linalg.eigvalsh(matrix)[::-1].clip(0), 1e-15)

    # The Gauss points that Wu et al. (2016) print, of a normal number.
    normal = MODEL[:MODEL.index("uncertainty")] + """
uncertainty:
  forces.spring.stiffness[0]: {law: normal, mean: 100, std: 1}
"""
    for degree, printed in ((5, [-3.3243, -1.8892, -0.6167, 0.6167, 1.8892, 3.3243]),
                            (2, [-1.7321, 0, 1.7321])):
        points = run(work, f"study: {{method: chaos, chaos: {{degree: {degree}}}}}\n", model=normal)
        near("Gauss points", points.inputs.values[points.role.values == 0, 0] - 100, printed, 5.1e-5)

    # Correlated numbers: mean and variance by conditional normal laws.
    correlated = normal.replace("uncertainty:", """uncertainty:
  bodies.bob.velocity[0]: {law: normal, mean: 1, std: 0.1}
  correlation:
    variables: ["bodies.bob.velocity[0]", "forces.spring.stiffness[0]"]
    matrix: [[1, 0.8], [0.8, 1]]""").replace("std: 1}", "std: 10}")
    both = run(work, "study: {method: chaos, chaos: {degree: 7}}\n", model=correlated)
    first, second = np.meshgrid(z, z, indexing="ij")
    velocity, stiffness = 1 + 0.1 * first, 100 + 10 * (0.8 * first + 0.6 * second)
    # 60 points reach 14 standard deviations, where the stiffness is negative; their weights are nil.
    x = velocity * motion(np.maximum(stiffness, 1), 1, t[:, None, None])
    mean = np.einsum("tij,i,j->t", x, wz, wz)
    near("correlated mean", both.bob_position_mean.sel(axis="x").values, mean, STEP_ERROR)
    near("correlated std", both.bob_position_std.sel(axis="x").values,
         np.sqrt(np.einsum("tij,i,j->t", (x - mean[:, None, None]) ** 2, wz, wz)), 2 * STEP_ERROR)
    assert list(both.germ.values) == ["bodies.bob.velocity[0], and what others share with it",
                                      "forces.spring.stiffness[0], given bodies.bob.velocity[0]"]
    assert list(both.group.values) == ["bodies.bob.velocity[0], forces.spring.stiffness[0]"]
    assert list(both.germ_group.values) == [0, 0]
    vary = both.bob_position_std.sel(axis="x").values > 1e-3
    near("the group has all", both.bob_position_sobol_group.sel(axis="x").values[0, vary], 1, 1e-12)
    # In the other order single indices are others, and the group's are the same.
    swapped = run(work, "study: {method: chaos, chaos: {degree: 7}}\n", model=correlated.replace(
        'variables: ["bodies.bob.velocity[0]", "forces.spring.stiffness[0]"]',
        'variables: ["forces.spring.stiffness[0]", "bodies.bob.velocity[0]"]'))
    both_first, swapped_first = (d.bob_position_sobol_first.sel(axis="x").values[:, vary] for d in (both, swapped))
    assert np.abs(both_first[0] - swapped_first[1]).max() > 0.1
    near("the group again", swapped.bob_position_sobol_group.sel(axis="x").values[0, vary], 1, 1e-12)
