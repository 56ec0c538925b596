"""Statistics of a study in its results file are those of its stored trajectories, by numpy."""
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import xarray as xr

tumble = os.environ["TUMBLE"]
root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
model = root / "examples" / "ensembles" / "pendulum-table.yaml"


def run(folder, *arguments):
    subprocess.run([tumble, "run", str(model), "-o", str(folder), *arguments], check=True,
                   stdout=subprocess.DEVNULL)
    with xr.open_dataset(folder / "results.nc") as data:
        return data.load()


def close(name, found, expected, tolerance):
    scale = np.max(np.abs(expected))
    error = np.max(np.abs(found - expected)) / scale
    if not error <= tolerance:
        sys.exit(f"{name}: differs by {error:g} of the largest value")


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    data = run(work / "all", "--set", "study.store=all")
    rows = np.loadtxt(model.with_suffix(".csv"), delimiter=",", skiprows=1)
    assert np.array_equal(data.inputs.values, rows)
    assert list(data.input.values) == ["bodies.bob.mass", "bodies.bob.position[0]",
                                       "forces.friction.damping"]
    assert np.allclose(data["quantile"], [0.05, 0.5, 0.95, 0.25, 0.75], rtol=0, atol=1e-12)
    assert (data["status"] == 0).all() and np.isnan(data.failure_time).all()
    assert (data["count"] == 200).all()
    assert data.attrs["realizations"] == 200 and data.attrs["method"] == "table"
    for name in ("tip_position", "tip_acceleration", "hinge_angle"):
        values = data[name].values
        n = len(values)
        # Rounding of sums of 200 numbers; cancellation where the scatter is small beside the mean.
        close(name + "_mean", data[name + "_mean"].values, values.mean(axis=0), 1e-14)
        deviation = values.std(axis=0, ddof=1)
        close(name + "_std", data[name + "_std"].values, deviation, 1e-13)
        close(name + "_mean_se", data[name + "_mean_se"].values, deviation / np.sqrt(n), 1e-13)
        centred = values - values.mean(axis=0)
        if values.ndim == 3:
            covariance = np.einsum("rta,rtb->tab", centred, centred) / (n - 1)
        else:
            covariance = (centred**2).sum(axis=0) / (n - 1)
        close(name + "_cov", data[name + "_cov"].values, covariance, 1e-13)
        # numpy's default is the type 7 of Hyndman and Fan.
        quantiles = np.quantile(values, data["quantile"].values, axis=0)
        close(name + "_quantile", data[name + "_quantile"].values, quantiles, 1e-14)

    # A sketch of 200 values with k = 200 has compacted nothing: exact.
    sketch = run(work / "sketch", "--set", "study.quantile_method=sketch")
    assert np.array_equal(sketch.tip_position_quantile, data.tip_position_quantile)
    assert np.array_equal(sketch.tip_position.values[1], data.tip_position.values[17])
