"""Sobol' indices of functions in closed form, through the engine that computes machines: they lie in their
intervals, by pick-freeze and from given data, and other methods agree."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import xarray as xr

import _known_indices as known
import _results as results

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    fast = ("--set", "simulation.time_error=false")
    data = results.run(known.MODEL, work / "blocks", *fast, "--set", "study.interval_confidence=0.999")
    for name, rows in known.held(data).items():
        if not rows.all():
            sys.exit(f"{name}: {rows}")
    # The components of the velocity are the inputs themselves.
    share = data.ball_velocity_sobol_group.values[:, -1]
    results.near("share of each input in itself", share, np.eye(3), 0.15)
    results.near("an input explains itself", np.diag(share), 1, 1e-12)
    integrated = data.ball_velocity_sobol_group_generalized.values
    results.near("over time as at each time, because nothing changes", integrated, share, 1e-9)

    # Shapley effects of independent inputs share out the total: Ishigami's interaction by halves.
    data = results.run(known.MODEL, work / "shared", *fast, "--set", "study.sensitivity.method=shapley", "-n",
                       "16384", "--set", "study.interval_confidence=0.999")
    alone, total = map(np.array, known.KNOWN["ishigami"])
    truth = (alone + total) / 2
    low, high = (data[f"quantity_ishigami_shapley_{end}"].values for end in ("lower", "upper"))
    if not ((low <= truth) & (truth <= high)).all():
        sys.exit(f"Shapley effects: {low} ... {high} do not hold {truth}")
    results.near("they share out all", data.quantity_ishigami_shapley.values.sum(), 1, 1e-12)

    # Elementary effects of a linear function are its coefficients.
    data = results.run(known.MODEL, work / "walks", *fast, "--set", "study.sensitivity.method=morris", "-n", "80")
    results.near("effects on a component", data.ball_velocity_morris_mean.values[:, -1], np.eye(3), 1e-12)
    results.near("their deviation", data.ball_velocity_morris_std.values[:, -1], 0, 1e-7)
    # d(x1 x2 + x3) by x1 is x2, which is at 1/8, 3/8, 5/8 or 7/8.
    results.near("effects on a product", data.quantity_product_morris_mean.values, (0.5, 0.5, 1), 0.2)

    # From plain draws, without runs of its own.
    results.run(known.MODEL, work / "drawn", *fast, "--set", "study={method: monte-carlo, realizations: 4096}",
                "--set", "study.interval_confidence=0.999")
    subprocess.run([results.TUMBLE, "sensitivity", str(work / "drawn")], check=True, capture_output=True)
    with xr.open_dataset(work / "drawn/sensitivity.nc") as given:
        for name, rows in known.held(given.load()).items():
            # Polynomials follow the edges of |4 x - 2| and two periods of a sine nearly, not wholly.
            slack = 0.02
            for index, truth in zip(("sobol_group", "sobol_group_total"), known.KNOWN[name]):
                found = given[f"quantity_{name}_{index}"].values
                half = (given[f"quantity_{name}_{index}_upper"] - given[f"quantity_{name}_{index}_lower"]).values / 2
                if not (abs(found - truth) <= half + slack).all():
                    sys.exit(f"{name} from given data: {found} ± {half}, not {truth}")
