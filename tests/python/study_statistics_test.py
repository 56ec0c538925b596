"""Statistics of a study in its results file are those of its stored trajectories, by numpy."""
import os
import pathlib
import tempfile

import numpy as np
from scipy.stats import binom, kurtosis, skew, gaussian_kde, iqr

import _results as results
from _results import close

root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
model = root / "examples" / "ensembles" / "pendulum-table.yaml"


def run(folder, *arguments):
    return results.run(model, folder, *arguments)


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    data = run(work / "all", "--set", "study.store=all", "--set",
               "study.densities={times: [0.5, 2], points: 50}")
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
        # scipy.stats.binom gives the ranks, 1-based; none for too few values.
        ordered = np.sort(values, axis=0)
        for i, p in enumerate(data["quantile"].values):
            below = int(binom.ppf(0.025, n, p))
            while binom.cdf(below - 1, n, p) > 0.025:
                below -= 1
            while binom.cdf(below, n, p) <= 0.025:
                below += 1
            above = n
            while binom.sf(above - 2, n, p) <= 0.025:
                above -= 1
            assert 1 <= below <= n * p <= above <= n, (below, above)
            assert np.array_equal(data[name + "_quantile_lower"][i], ordered[below - 1])
            assert np.array_equal(data[name + "_quantile_upper"][i], ordered[above - 1])
        with np.errstate(invalid="ignore", divide="ignore"):
            skewness = skew(values, axis=0, bias=False)**2
            shape = np.maximum(kurtosis(values, axis=0, bias=False, fisher=False),
                               1.2 + 1.5 * (1 + 24 / n) * skewness + 1.8 * np.minimum(1, skewness))
            error = deviation / 2 * np.sqrt((np.minimum(shape, n) - (n - 3) / (n - 1)) / n)
        # Where nearly nothing scatters, rounding does.
        scatters = deviation > 1e-9 * deviation.max()
        close(name + "_std_se", data[name + "_std_se"].values[scatters], error[scatters], 1e-9)
        assert np.array_equal(data[name + "_min"], values.min(axis=0))
        assert np.array_equal(data[name + "_max"], values.max(axis=0))
        assert np.array_equal(data[name + "_min_realization"], values.argmin(axis=0))
        assert np.array_equal(data[name + "_max_realization"], values.argmax(axis=0))
        assert np.array_equal(data[name + "_peak_min"], values.min(axis=1))
        assert np.array_equal(data[name + "_peak_max"], values.max(axis=1))
        times = data["time"].values
        assert np.array_equal(data[name + "_peak_max_time"], times[values.argmax(axis=1)])
        nominal = data[name + "_nominal"].values
        assert np.array_equal(data[name + "_nominal_peak_min"], nominal.min(axis=0))
        assert np.array_equal(data[name + "_nominal_peak_min_time"], times[nominal.argmin(axis=0)])
        squares = (values.reshape(n, len(times), -1) ** 2).sum(axis=2)
        integrals = np.trapz(squares, times, axis=1)
        close(name + "_square_integral", data[name + "_square_integral"].values, integrals, 1e-13)
        counts = data["convergence_n"].values
        assert counts[0] == 1 and counts[-1] == n
        curve = np.sqrt([integrals[:k].mean() for k in counts])
        close(name + "_convergence", data[name + "_convergence"].values, curve, 1e-13)
        se = [integrals[:k].std(ddof=1) / np.sqrt(k) / (2 * c) for k, c in zip(counts[1:], curve[1:])]
        # The tip's distance from the hinge does not scatter at all, but for rounding.
        assert np.allclose(data[name + "_convergence_se"].values[1:], se, rtol=1e-10,
                           atol=1e-13 * curve[0])
        # The density is that of SciPy with the bandwidth stated.
        for i, when in enumerate(data["density_time"].values):
            at = int(np.flatnonzero(times == when))
            sample = values[:, at].reshape(n, -1)
            found = [data[name + "_density" + s].values[i].reshape(50, -1) for s in ("", "_at")]
            widths = data[name + "_density_bandwidth"].values[i].reshape(-1)
            for a in range(sample.shape[1]):
                if sample[:, a].std() == 0:
                    assert np.isnan(found[0][:, a]).all()
                    continue
                rule = 0.9 * min(sample[:, a].std(ddof=1), iqr(sample[:, a]) / 1.34) * n**-0.2
                assert abs(widths[a] / rule - 1) < 1e-12
                kde = gaussian_kde(sample[:, a], bw_method=rule / sample[:, a].std(ddof=1))
                close(name + "_density", found[0][:, a], kde(found[1][:, a]), 1e-10)

    # A sketch of 200 values with k = 200 has compacted nothing: exact.
    sketch = run(work / "sketch", "--set", "study.quantile_method=sketch")
    assert np.array_equal(sketch.tip_position_quantile, data.tip_position_quantile)
    assert np.array_equal(sketch.tip_position.values[1], data.tip_position.values[17])
