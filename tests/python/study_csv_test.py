"""`tumble run --csv` of a study: statistics in tables whose numbers are those of results.nc, to the last bit, and those
that numpy makes of the trajectories."""
import csv
import math
import pathlib
import tempfile

import numpy as np

import _results as results

MODEL = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position, orientation]}
  tip_position: {system: true, quantities: [kinetic_energy]}
simulation: {duration: 0.3, step: 1e-3, output_step: 0.05}
quantities:
  low: {of: tip.position.z, kind: minimum}
  down: {of: tip.position.z, kind: first_crossing, level: -0.4}
uncertainty:
  bodies.bob.position[0]: {law: uniform, min: 0.3, max: 0.7}
"""
COMPONENTS = {"axis": "xyz", "quat": "wxyz"}


def table(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    assert all(len(row) == len(rows[0]) for row in rows), path
    return rows


def columns(path):
    """By heading."""
    heading, *rows = table(path)
    assert len(set(heading)) == len(heading), heading
    return {name: np.array([float(row[i]) for row in rows]) for i, name in enumerate(heading)}


def same(found, expected, what):
    """To the last bit; NaN is NaN."""
    expected = np.asarray(expected, dtype=float)
    assert found.shape == expected.shape and ((found == expected) | (np.isnan(found) & np.isnan(expected))).all(), what


def compare(data, folder, probe, quantity, wanted):
    """All statistics over time that the results have are there under their names, and `wanted` are among them."""
    found = columns(folder / f"{probe}.{quantity}.statistics.csv")
    prefix = f"{probe}_{quantity}_"
    same(found.pop("time"), data["time"], "time")
    same(found.pop("count"), data["count"], "count")
    if prefix + "region_lower" not in data:
        for end, place in (("lower", 0), ("upper", 2)):
            data[f"{prefix}region_{end}"] = data[prefix + "quantile"][place]
            data[f"{prefix}region_{end}"].attrs["units"] = data[prefix + "quantile"].attrs["units"]
    told = set()
    for name, variable in data.items():
        statistic = name.removeprefix(prefix)
        dims = [d for d in variable.dims if d not in ("time", "quantile", *COMPONENTS)]
        if not name.startswith(prefix) or statistic.startswith("kinetic") or "time" not in variable.dims or dims:
            continue
        if statistic.endswith("_realization") or statistic in ("cov", "principal_std"):
            continue
        for p, label in enumerate(f"_{q:g}" for q in data["quantile"].values) if "quantile" in variable.dims else [(None, "")]:
            values = variable if p is None else variable[p]
            for c, letter in enumerate(COMPONENTS.get(values.dims[-1], [""])):
                heading = f"{statistic}{label}{'_' + letter if letter else ''} [{variable.attrs['units']}]"
                same(found.pop(heading), values[:, c] if letter else values, heading)
        told.add(statistic)
    assert not found, f"more than the results have: {list(found)}"
    assert told >= set(wanted), set(wanted) - told


def compare_quantities(data, folder, units, wanted):
    heading, *rows = table(folder / "quantities.statistics.csv")
    assert heading[:2] == ["quantity", "unit"] and set(wanted) <= set(heading), heading
    assert {row[0]: row[1] for row in rows} == units, rows
    for row in rows:
        for name, text in zip(heading[2:], row[2:]):
            statistic, _, probability = name.rpartition("_") if name[-1].isdigit() else (name, "", "")
            key = f"quantity_{row[0]}_{statistic}"
            assert (text != "") == (key in data), (name, row)
            if text:
                value = data[key]
                expected = float(value.sel(quantile=float(probability)) if probability else value)
                assert float(text) == expected or math.isnan(float(text)) and math.isnan(expected), (name, row)


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)

    def run(name, study, *arguments):
        (work / "model.yaml").write_text(MODEL + study)
        return results.run(work / "model.yaml", work / name, "--csv", *arguments), work / name

    data, folder = run("plain", "study: {method: monte-carlo, realizations: 90, seed: 2, store: all, quantiles: [0.25]}\n")
    names = {"tip.csv", "tip_position.csv", "tip.position.statistics.csv", "tip.orientation.statistics.csv",
             "tip_position.kinetic_energy.statistics.csv", "quantities.statistics.csv", "results.nc", "study.journal"}
    assert {path.name for path in folder.iterdir()} == names, list(folder.iterdir())
    assert set(data.attrs["csv_files"].split("\n")) == {name for name in names if name.endswith(".csv")}
    usual = ["nominal", "mean", "mean_se", "mean_interval_lower", "std", "std_se", "min", "max", "quantile", "quantile_lower",
             "quantile_upper", "time_error", "region_lower", "region_upper"]
    for probe, quantity in (("tip", "position"), ("tip", "orientation"), ("tip_position", "kinetic_energy")):
        compare(data, folder, probe, quantity, usual)
    found = columns(folder / "tip.position.statistics.csv")
    z = data["tip_position"].values[:, :, 2]
    np.testing.assert_allclose(found["mean_z [m]"], z.mean(axis=0), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found["std_z [m]"], z.std(axis=0, ddof=1), rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(found["quantile_0.25_z [m]"], np.quantile(z, 0.25, axis=0), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found["region_upper_z [m]"], np.quantile(z, 0.95, axis=0), rtol=1e-12, atol=1e-15)
    compare_quantities(data, folder, {"low": "m", "down": "s"},
                       ["nominal", "mean", "mean_se", "std", "quantile_0.05", "quantile_upper_0.25", "probability"])

    # Files of an earlier run that this one does not write would contradict it.
    results.run(work / "model.yaml", folder, "--overwrite", "-n", "20")
    assert {path.name for path in folder.iterdir()} == {"results.nc", "study.journal"}

    data, folder = run("region", "study: {method: monte-carlo, realizations: 90, region: tolerance}\n",
                       "--set", "probes.tip.quantities=[position]")
    compare(data, folder, "tip", "position", usual)

    data, folder = run("chaos", "study: {method: chaos, chaos: {degree: 3}}\n",
                       "--set", "quantities={low: {of: tip.position.z, kind: minimum}}")
    compare(data, folder, "tip", "position", ["mean", "mean_error", "std", "std_error", "chaos_error_upper", "quantile_upper"])
    compare_quantities(data, folder, {"low": "m"}, ["mean", "mean_error", "chaos_error"])
print("statistics in tables")
