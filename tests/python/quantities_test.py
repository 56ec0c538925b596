"""Quantities of interest of a mass on a random spring: every value against its closed form, their
distribution against its law, by Monte Carlo, Sobol' and polynomial chaos."""
import pathlib
import sys
import tempfile

import numpy as np

import _oscillator as exact
import _results as results

names = ("top_speed", "when", "slowest", "effort", "power", "end", "fast")


def require(condition, text):
    if not condition:
        sys.exit(text)


def check_values(data, which):
    """Each within what its own error says, and four times the root mean square error of the time
    integration."""
    forms = exact.closed_forms(data.inputs.values[:, 0])
    for name in which:
        found, expected = data[f"quantity_{name}"].values, forms[name]
        require(np.array_equal(np.isnan(found), np.isnan(expected)), f"{name}: other runs have none")
        there = ~np.isnan(found)
        allowed = (data[f"quantity_{name}_output_error"].values[there] +
                   4 * float(data[f"quantity_{name}_time_error"]) + 1e-12)
        worst = np.max(np.abs(found - expected)[there] / allowed)
        require(worst <= 1, f"{name}: wrong by {worst:g} of what its errors say")
        require(np.mean(allowed) < 0.01 * np.max(np.abs(found[there])), f"{name}: useless errors")


def check_distribution(data, name, deviations):
    """Mean, deviation and quantiles within some of their errors, and most of the exceedance."""
    q = lambda ending: data[f"quantity_{name}_{ending}"].values
    error = "se" if f"quantity_{name}_mean_se" in data else "error"
    slack = float(q("mean_output_error")) + 2 * float(q("time_error"))
    mean, std = exact.moments(name)
    require(abs(q("mean") - mean) <= deviations * q(f"mean_{error}") + slack, f"{name}: mean")
    require(abs(q("std") - std) <= deviations * q(f"std_{error}") + slack, f"{name}: std")
    for i, p in enumerate(data["quantile"].values):
        expected, width = exact.quantile(name, p), q("quantile_upper")[i] - q("quantile_lower")[i]
        require(q("quantile_lower")[i] - width - slack <= expected <=
                q("quantile_upper")[i] + width + slack, f"{name}: quantile {p}")
    # The abscissae move by as much as values are wrong.
    upper = exact.exceedance(name, q("abscissa") - slack)
    lower = exact.exceedance(name, q("abscissa") + slack)
    held = np.mean((q("exceedance_lower") <= upper) & (q("exceedance_upper") >= lower))
    require(held >= 0.85, f"{name}: the exceedance is within its intervals at {held} of all points")
    gap = np.max(np.maximum(q("exceedance_lower") - upper, lower - q("exceedance_upper")))
    require(gap < 0.04, f"{name}: the exceedance is {gap} outside of its interval")
    area = np.trapz(q("density"), q("abscissa"))
    require(abs(area - 1) < 2e-3, f"{name}: the density has the integral {area}")


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)

    def run(name, study, with_crossing=True):
        model = work / f"{name}.yaml"
        model.write_text(exact.text(study, with_crossing))
        return results.run(model, work / name)

    for name, study in (("draws", "study: {method: monte-carlo, realizations: 400}"),
                        ("even", "study: {method: sobol, realizations: 256}"),
                        ("cube", "study: {method: latin-hypercube, realizations: 200}")):
        data = run(name, study)
        check_values(data, names)
        for quantity in ("top_speed", "when", "power"):
            check_distribution(data, quantity, 4)
        # The level is crossed if a w > 1.8, that is with probability 0.7.
        p = float(data.quantity_fast_probability)
        happened = np.sum(~np.isnan(data.quantity_fast.values))
        require(int(data.quantity_fast_count) == happened, "count")
        require(p == happened / data.sizes["realization"], "probability")
        half = float(data.quantity_fast_probability_upper - data.quantity_fast_probability_lower)
        require(abs(p - 0.7) < half, f"the probability of crossing is {p}")
        require(data.quantity_fast_mean.attrs["conditional_on"] == "crossing", "conditional")
        require("conditional_on" not in data.quantity_fast_exceedance.attrs, "not conditional")
        # Who never crosses is beyond all abscissae.
        require(abs(float(data.quantity_fast_exceedance[-1]) - (1 - p)) < 1e-12, "beyond")
        require(np.allclose(data.quantity_fast_mean, np.nanmean(data.quantity_fast)), "mean")

    chaos = run("chaos", "study: {method: chaos, chaos: {degree: 6}}", False)
    check_values(chaos, names[:-1])
    for quantity in ("top_speed", "when", "power"):
        check_distribution(chaos, quantity, 1)
    require(chaos.quantity_top_speed.attrs["units"] == "m/s", "units")
    require(chaos.quantity_power_nominal.attrs["units"] == "W", "units")
    require(chaos.quantity_when_mean.attrs["units"] == "s", "units")

    nominal = run("nominal", "")
    forms = exact.closed_forms(np.array([40.0]))
    for name in names:
        error = abs(float(nominal[f"quantity_{name}_nominal"]) - forms[name][0])
        allowed = float(nominal[f"quantity_{name}_nominal_output_error"])
        require(error <= allowed + 3e-5 * abs(forms[name][0]), f"nominal {name}: {error}")
