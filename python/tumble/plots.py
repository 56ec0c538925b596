"""The standard figures, in matplotlib."""

import numpy as np


def _axes(axes):
    if axes is not None:
        return axes
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(7, 3.5))[1]


class Plots:
    """results.plot.band("pobs.acceleration.z") and the like; each takes `axes` and returns them."""

    def __init__(self, results):
        self._results = results

    def _label(self, axes, name):
        unit = self._results.unit(name)
        axes.set_xlabel("t [s]")
        axes.set_ylabel(f"{name} [{unit}]" if unit and unit != "1" else name)

    def band(self, name, axes=None):
        """Mean, nominal run and the region between the outer quantiles over time."""
        axes, r = _axes(axes), self._results
        time = r.data.time.values
        quantile = r.statistic(name, "quantile")
        p = r.data["quantile"].values
        axes.fill_between(time, quantile[0], quantile[2], alpha=0.3, lw=0, label=f"{100 * (p[2] - p[0]):.3g} % region")
        axes.plot(time, r.statistic(name, "mean"), label="mean")
        axes.plot(time, r.statistic(name, "nominal"), "--", lw=1, label="nominal")
        axes.legend()
        self._label(axes, name)
        return axes

    def std(self, name, axes=None):
        """The standard deviation over time, with its 95 % interval where there is one."""
        axes, r = _axes(axes), self._results
        time, std = r.data.time.values, r.statistic(name, "std")
        axes.plot(time, std)
        try:
            lower, upper = r.statistic(name, "std_interval_lower"), r.statistic(name, "std_interval_upper")
            axes.fill_between(time, lower, upper, alpha=0.3, lw=0)
        except KeyError:
            pass
        self._label(axes, f"std of {name}")
        return axes

    def inputs(self, path, axes=None, bins=40):
        """A histogram of a random input."""
        axes, data = _axes(axes), self._results.data
        axes.hist(data["inputs"].sel(input=path).values, bins=bins, density=True, alpha=0.6)
        axes.set_xlabel(path)
        axes.set_ylabel("density")
        return axes

    def quantity(self, name, axes=None, bins=40):
        """A histogram of a quantity of interest."""
        axes, values = _axes(axes), self._results.samples(name)
        axes.hist(values[np.isfinite(values)], bins=bins, density=True, alpha=0.6)
        axes.set_xlabel(f"{name} [{self._results.unit(name)}]")
        axes.set_ylabel("density")
        return axes

    def bounds(self, name, axes=None):
        """The bounds of a worst-case study over time, and what its runs reached."""
        axes, r = _axes(axes), self._results
        time = r.data.time.values
        axes.fill_between(time, r.statistic(name, "bound_lower"), r.statistic(name, "bound_upper"), alpha=0.3, lw=0,
                          label="bounds")
        axes.plot(time, r.statistic(name, "found_min"), lw=1, color="C1", label="reached by runs")
        axes.plot(time, r.statistic(name, "found_max"), lw=1, color="C1")
        axes.legend()
        self._label(axes, name)
        return axes
