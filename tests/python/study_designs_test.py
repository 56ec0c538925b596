"""Errors of Latin hypercube, Sobol' and Markov chain studies: from repetitions, never by the formula
for independent draws; and that even designs are better than independent draws."""
import os
import pathlib
import tempfile

import numpy as np

import _results as results
from _results import close

root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
model = root / "examples" / "batou-soize-2012" / "case3.yaml"
copies = 16


def run(folder, *arguments, status=0):
    return results.run(model, folder, "--set", "study.store=all", *arguments, status=status)


def check_copies(data):
    """Realisation i is part of copy i mod 16; means of copies are independent."""
    values = data.pobs_acceleration.values
    means = np.stack([values[r::copies].mean(axis=0) for r in range(copies)])
    close("mean_se", data.pobs_acceleration_mean_se.values,
          means.std(axis=0, ddof=1) / np.sqrt(copies), 1e-9)
    assert data.attrs["randomizations"] == str(copies)


def check_median(data):
    """Woodruff (1952): the scatter of the copies' fractions below the median of all says between which order
    statistics of all values it is; t is Student's for 15 degrees of freedom, 95 %."""
    t, moving = 2.131449546, 2e-3  # before the first lift nothing varies
    values = data.pobs_acceleration.sel(time=slice(moving, None)).values
    median, lower, upper = (data["pobs_acceleration_" + name].sel(time=slice(moving, None)).values[1]
                            for name in ("quantile", "quantile_lower", "quantile_upper"))
    n = len(values)
    fractions = np.stack([(values[r::copies] <= median).mean(axis=0) for r in range(copies)])
    half = np.maximum(t * n * fractions.std(axis=0, ddof=1) / np.sqrt(copies), 0.95 / 2)
    ordered = np.sort(values, axis=0)
    for end, rank in ((lower, n / 2 + 0.5 - half), (upper, n / 2 + 0.5 + half)):
        below = np.floor(rank).astype(int)
        at = lambda k: np.take_along_axis(ordered, k[None] - 1, axis=0)[0]
        expected = at(below) + (rank - below) * (at(below + 1) - at(below))
        close("end of the median's interval", end, expected, 1e-7)


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    independent = run(work / "independent", "-n", "256")
    cube = run(work / "cube", "--set", "study.method=latin-hypercube", "-n", "256")
    sobol = run(work / "sobol", "--set", "study.method=sobol", "-n", "256")
    check_copies(cube)
    check_copies(sobol)
    error = {name: float(data.pobs_acceleration_mean_se.sel(axis="z").mean())
             for name, data in (("independent", independent), ("cube", cube), ("sobol", sobol))}
    # Ten times better and more on this smooth response; from 16 copies an error is known within 20 %.
    assert error["cube"] < error["independent"] / 4, error
    assert error["sobol"] < error["independent"] / 4, error

    # In each coordinate one point in each of 16 strata, in each of the 16 hypercubes. The second
    # coordinate is uniform on [-0.1, 0.1].
    y = cube.inputs.sel(input="bodies.rb5.position[1]").values
    for r in range(copies):
        strata = np.floor((y[r::copies] + 0.1) / 0.2 * 16).astype(int)
        assert sorted(strata) == list(range(16))

    # Sobol' points can be extended, a Latin hypercube cannot.
    longer = run(work / "sobol", "--set", "study.method=sobol", "-n", "512", "--resume")
    assert np.array_equal(longer.inputs.values[:256], sobol.inputs.values)
    message = run(work / "cube", "--set", "study.method=latin-hypercube", "-n", "512", "--resume",
                  status=2)
    assert "Latin hypercube cannot be extended" in message, message

    # Any number from 64 on: copies differ by one in size, and deviations have the divisor n.
    odd = run(work / "odd", "--set", "study.method=latin-hypercube", "-n", "200")
    values = odd.pobs_acceleration.values
    close("std", odd.pobs_acceleration_std.values[1:], values.std(axis=0)[1:], 1e-12)
    y = odd.inputs.sel(input="bodies.rb5.position[1]").values
    for r in range(copies):
        strata = 13 if r < 8 else 12
        places = np.floor((y[r::copies] + 0.1) / 0.2 * strata).astype(int)
        assert sorted(places) == list(range(strata)), (r, places)
    check_median(cube)
    check_median(sobol)
    assert float(odd.pobs_acceleration_mean_se.attrs["degrees_of_freedom"]) == 15
    message = run(work / "few", "--set", "study.method=latin-hypercube", "-n", "63", status=2)
    assert "must be at least 64" in message, message
    assert not (work / "few").exists()

    # One randomisation: the same kinds of values, and no errors.
    alone = run(work / "alone", "--set", "study.method=sobol", "--set", "study.randomizations=1", "-n",
                "32")
    assert "pobs_acceleration_mean_se" not in alone and "pobs_acceleration_quantile_lower" not in alone
    assert alone.pobs_acceleration_mean.attrs["error_basis"].startswith("none")
    assert "no standard errors" in alone.attrs["warnings"]
    assert "tail" not in alone.attrs["warnings"], "a warning about intervals that are not there"

    # 64 points are in 8 copies. A longer study keeps them, if it is told to.
    short = run(work / "short", "--set", "study.method=sobol", "-n", "64")
    assert short.attrs["randomizations"] == "8"
    message = run(work / "short", "--set", "study.method=sobol", "-n", "256", "--resume", status=2)
    assert "set study.randomizations=8" in message, message
    longer = run(work / "short", "--set", "study.method=sobol", "--set", "study.randomizations=8",
                 "-n", "256", "--resume")
    assert np.array_equal(longer.inputs.values[:64], short.inputs.values)
    assert longer.attrs["randomizations"] == "8"

    # Draws of a chain count as fewer independent ones.
    chain = run(work / "chain", "-n", "256", "--set",
                "uncertainty.rb5.center_of_mass.sampler=metropolis", "--set",
                "uncertainty.rb5.center_of_mass.chain={thinning: 2}")
    ratio = (chain.pobs_acceleration_mean_se * 16 / chain.pobs_acceleration_std).sel(axis="z")
    effective = float(chain.attrs["chains"].split("effective sample size")[1])
    assert effective < 200, effective
    # The number is printed without decimals.
    assert np.allclose(ratio.values[1:], np.sqrt(256 / effective), rtol=0.51 / effective)
    assert "are worth" in chain.attrs["warnings"]
