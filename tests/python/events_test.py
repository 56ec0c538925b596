"""Events: times against closed forms and their distribution by transformation, what ends runs, and
the same results from shards, after a resumption, and replayed."""
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import _results as results

examples = pathlib.Path(__file__).resolve().parents[2] / "examples" / "events"
g, h = 9.81, 2.0


def landing(v):
    return (v + np.sqrt(v * v + 2 * g * h)) / g


def require(condition, text):
    if not condition:
        sys.exit(text)


def stones(folder):
    data = results.run(examples / "stone.yaml", folder / "stones", "-n", "2000",
                       "--set", "study.store=all")
    v = data.inputs.values[:, 0]
    results.near("landings", data.quantity_landing.values, landing(v), 1e-10)
    results.near("tops", data.quantity_highest.values, v / g, 1e-10)
    require(int(data.attrs["failed"]) == 0, "an end is no failure")
    require(float(data.attrs["ended"]) > 0 and list(data.event.values) == ["top", "lands"],
            "the nominal run tells its events")
    # Quantiles of a growing function of v are those of v. Each is hit with the standard error of
    # its rank, sqrt(p (1 - p)/n); five of these go wrong once in a million draws.
    for p, quantile in zip(data["quantile"].values, data.quantity_landing_quantile.values):
        from statistics import NormalDist
        law = NormalDist(3, 0.6)
        rank = law.cdf(g * quantile / 2 - h / quantile)
        require(abs(rank - p) < 5 * np.sqrt(p * (1 - p) / 2000), f"quantile {p}: has rank {rank}")
    # Statistics at a time are of the stones that fly then, and say how many these are.
    t = data.time.values
    flying = t[None, :] <= landing(v)[:, None]
    require(np.array_equal(data["count"].values, flying.sum(axis=0)), "count")
    z = data.stone_position.values[:, :, 2]
    require(np.array_equal(np.isfinite(z), flying), "what is missing")
    exact = np.where(flying, h + v[:, None] * t - 0.5 * g * t * t, np.nan)
    some = data["count"].values > 0
    results.near("mean height", data.stone_position_mean.values[some, 2],
                 np.nanmean(exact[:, some], axis=0), 1e-9)
    require(np.all(np.isnan(data.stone_position_nominal.values[t > landing(3)])), "the nominal run")
    require("ends realisations" in data.attrs["warnings"], "a warning says so")
    return data


def same(a, b, what):
    for name in a.data_vars:
        if name.startswith(("stone", "quantity", "count", "inputs", "track")):
            require(np.array_equal(a[name].values, b[name].values, equal_nan=a[name].dtype.kind == "f"),
                    f"{what}: {name} has other bits")


def ways(folder):
    whole = results.run(examples / "latch.yaml", folder / "whole")
    results.run(examples / "latch.yaml", folder / "part", "-n", "70")
    resumed = results.run(examples / "latch.yaml", folder / "part", "-n", "200", "--resume")
    same(whole, resumed, "extended")
    for i in (1, 2):
        subprocess.run([results.TUMBLE, "run", examples / "latch.yaml", "-o", folder / f"shard{i}",
                        "--shard", f"{i}/2", "--no-report"], check=True, capture_output=True)
    subprocess.run([results.TUMBLE, "merge", folder / "shard1", folder / "shard2", "-o",
                    folder / "merged"], check=True, capture_output=True)
    import xarray as xr
    with xr.open_dataset(folder / "merged" / "results.nc") as merged:
        same(whole, merged.load(), "merged")
    # x = (v/2) sin 2t meets at 0.4 if v > 0.8.
    v = whole.inputs.sel(input="bodies.mass.velocity[0]").values
    meeting = whole.quantity_meeting.values
    require(np.array_equal(np.isfinite(meeting), v > 0.8), "who meets")
    meets = v > 0.8
    results.near("meetings", meeting[meets], 0.5 * np.arcsin(0.8 / v[meets]), 2e-4)
    require(np.array_equal(whole.quantity_meetings.values == 0, ~meets), "counts")


def thermostat(folder):
    data = results.run(examples / "thermostat.yaml", folder / "heat", "-n", "64")
    lag = data.inputs.values[:, 0]
    warm_up, half = lag * np.log(9 / 4), lag * np.log(1.5)
    # From 1 to 6, then down to 4 and so on: the k-th switching on is at warm_up + (2 k - 1) half.
    k = data.quantity_cycles.values
    require(np.array_equal(k, np.floor(((20 - warm_up) / half + 1) / 2)), "cycles")
    results.near("last", data.quantity_last.values, warm_up + (2 * k - 1) * half, 2e-3)


def refusals(folder):
    for model, setting, text in (
            ("stone", "study.method=sensitivity", "needs all runs to their end"),
            ("latch", "events.meets.change=bodies.mass.mass", "must be the path"),
            ("latch", "events.meets.when=track.displacment", "nothing is named"),
            ("latch", "quantities.meeting.of=meet", "must be the name of an event"),
            ("latch", "events.meets.direction=up", "rising")):
        said = results.run(examples / f"{model}.yaml", folder / "refused", "--set", setting, status=2)
        require(text in said, f"{setting}: said {said}")
        require(not (folder / "refused").exists(), "nothing is written")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    stones(folder)
    ways(folder)
    thermostat(folder)
    refusals(folder)
