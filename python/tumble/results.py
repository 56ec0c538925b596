"""Results: a run in memory, a results file of a study, and pictures of both."""

import html
import pathlib
import webbrowser
from typing import Dict, List, Optional, Tuple, Union

import numpy as np

from . import _native
from .plots import Plots


def _axis(name: str) -> Tuple[str, Optional[int]]:
    """"tip.acceleration.z" -> "tip.acceleration", 2."""
    head, _, tail = name.rpartition(".")
    return (head, "xyz".index(tail)) if head and tail in ("x", "y", "z") else (name, None)


class Run:
    """Probed quantities over one run: run["tip.acceleration"] is (time, 3), run["tip.acceleration.z"] (time,)."""

    def __init__(self, found: dict):
        self.time: np.ndarray = found["time"]
        self.series: Dict[str, np.ndarray] = {}
        self.units: Dict[str, str] = {}
        self.time_errors: Dict[str, np.ndarray] = {}
        for entry in found["series"]:
            name = f"{entry['probe']}.{entry['quantity']}"
            self.series[name] = entry["values"]
            self.units[name] = entry["unit"]
            if "time_error" in entry:
                self.time_errors[name] = entry["time_error"]
        self.warnings: List[str] = list(found.get("warnings", []))
        self.statistics: dict = found.get("statistics", {})

    def __getitem__(self, name: str) -> np.ndarray:
        if name in self.series:
            return self.series[name]
        head, axis = _axis(name)
        if axis is None or head not in self.series:
            raise KeyError(f"{name}; there are {', '.join(self.series)}")
        return self.series[head][:, axis]

    def to_xarray(self):
        import xarray

        found = xarray.Dataset(coords={"time": ("time", self.time, {"units": "s"})})
        for name, values in self.series.items():
            dims = ("time",) if values.ndim == 1 else ("time", "axis" if values.shape[1] == 3 else "component")
            found[name.replace(".", "_")] = (dims, values, {"units": self.units[name]})
        return found.assign_coords(axis=["x", "y", "z"]) if "axis" in found.dims else found

    def __repr__(self) -> str:
        return f"<tumble.Run of {self.time[-1]:g} s: {', '.join(self.series)}>"


class Results:
    """The results of a study or a sweep: `data` is an xarray Dataset of the whole file."""

    def __init__(self, file: Union[str, pathlib.Path], summary: Optional[dict] = None, keeper=None):
        self.file = pathlib.Path(file)
        self.summary: dict = summary or {}
        self._keeper = keeper  # of a temporary directory
        self._data = None
        self.plot = Plots(self)

    @property
    def directory(self) -> pathlib.Path:
        return self.file.parent

    @property
    def data(self):
        """The file, opened when it is first asked for. Its variables: docs/guide/ensembles.md."""
        if self._data is None:
            import xarray

            self._data = xarray.open_dataset(self.file)
        return self._data

    @property
    def warnings(self) -> List[str]:
        text = self.data.attrs.get("warnings", "")
        return [line for line in text.split("\n") if line]

    def statistic(self, name: str, statistic: str) -> np.ndarray:
        """A statistic of a quantity over time: statistic("tip.position.z", "mean"). Of quantities of interest, its
        number: statistic("peak", "mean")."""
        if "." not in name:
            return self.data[f"quantity_{name}_{statistic}"].values
        head, axis = _axis(name)
        found = self.data[f"{head.replace('.', '_')}_{statistic}"]
        if axis is None:
            return found.values
        return found.isel({next(d for d in found.dims if d.startswith("axis")): axis}).values

    def samples(self, name: str) -> np.ndarray:
        """The values of a quantity of interest in all realisations; NaN of those that failed."""
        return self.data[f"quantity_{name}"].values

    def unit(self, name: str) -> str:
        head, _ = _axis(name if "." in name else f"quantity_{name}")
        for end in ("_nominal", "_mean", "_bound_lower"):
            if head.replace(".", "_") + end in self.data:
                return self.data[head.replace(".", "_") + end].attrs.get("units", "")
        return ""

    def surrogate(self) -> "Surrogate":
        """The polynomials of a study by polynomial chaos, to be asked at new points."""
        return Surrogate(self.file)

    def replay(self, realization: int) -> "Results":
        """One realisation again, with the bits it had."""
        return Results(_native.replay(self.directory, realization, None), {}, self._keeper)

    def report(self) -> pathlib.Path:
        """Makes the page report.html beside the results, and says where it is."""
        page = self.directory / "report.html"
        if not page.exists() or page.stat().st_mtime < self.file.stat().st_mtime:
            _native.make_report([self.directory], page)
        return page

    def show(self) -> pathlib.Path:
        """Opens the page in a browser."""
        page = self.report()
        webbrowser.open(page.resolve().as_uri())
        return page

    def close(self) -> None:
        if self._data is not None:
            self._data.close()
            self._data = None

    def _rows(self) -> List[Tuple[str, str, str, str, str]]:
        """Where each quantity is most uncertain: name, time, mean, deviation, unit."""
        rows = []
        for name in self.data.data_vars:
            if not name.endswith("_std") or f"{name[:-4]}_mean" not in self.data or "time" not in self.data[name].dims:
                continue
            std, mean = self.data[name], self.data[f"{name[:-4]}_mean"]
            if std.ndim > 2 or not np.isfinite(std.values).any():
                continue
            at = np.unravel_index(np.nanargmax(std.values), std.shape)
            label = name[:-4] + ("" if std.ndim == 1 else " " + str("xyz"[at[1]] if std.shape[1] == 3 else at[1]))
            rows.append((label, f"{float(self.data.time[at[0]]):.4g}", f"{mean.values[at]:.5g}{self._error(name[:-4] + '_mean', at)}",
                         f"{std.values[at]:.3g}{self._error(name, at)}", std.attrs.get("units", "")))
        return rows

    def _error(self, name: str, at) -> str:
        """Of a draw its standard error, of polynomials what runs kept out of the fit measured."""
        for end in ("_se", "_error"):
            if name + end in self.data:
                return f" ± {self.data[name + end].values[at]:.2g}"
        return ""

    def _title(self) -> str:
        n = self.data.sizes.get("realization")
        title = self.data.attrs.get("title") or self.file.parent.name
        return title + (f", {n} realisations" if n else "")

    def __repr__(self) -> str:
        lines = [f"<tumble.Results {self._title()}>"]
        lines += [f"  {label:<32} t = {time} s: mean {mean}, std {std} {unit}" for label, time, mean, std, unit in self._rows()[:8]]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        cells = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows())
        table = ("<table><thead><tr><th>where most uncertain</th><th>t [s]</th><th>mean</th><th>std</th><th>unit</th></tr>"
                 f"</thead><tbody>{cells}</tbody></table>" if cells else "")
        said = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.warnings)
        return (f"<div><strong>{html.escape(self._title())}</strong>{table}" + (f"<ul>{said}</ul>" if said else "") + "</div>")


class Surrogate:
    """The polynomials of a study by polynomial chaos as functions.

    `parameters` names the numbers that it takes, where inputs are independent; always it takes probabilities of `germs`.
    How good it is, the errors in the results say.
    """

    def __init__(self, file: Union[str, pathlib.Path]):
        self._native = _native.Surrogate(pathlib.Path(file))
        self.germs: List[str] = self._native.germs
        self.parameters: List[str] = self._native.parameters
        self.outputs: List[str] = self._native.outputs

    def __call__(self, name: str, X: np.ndarray) -> np.ndarray:
        """"tip.position.z" at rows of parameters: (rows, time)."""
        return self.at_probabilities(name, self._native.points_of(np.atleast_2d(np.asarray(X, float))))

    def at_probabilities(self, name: str, U: np.ndarray) -> np.ndarray:
        """The same at points of the unit cube, a probability for each germ."""
        head, axis = _axis(name)
        found = self._native.evaluate(head.replace(".", "_"), np.atleast_2d(np.asarray(U, float)))
        return found if axis is None else found[..., axis]


class Identification(Results):
    """What measurements say about parameters; `model_file` is the model with the estimate."""

    @property
    def model_file(self) -> pathlib.Path:
        return pathlib.Path(self.summary["model"])


def open_results(path: Union[str, pathlib.Path]) -> Results:
    """Results that are there already: of `tumble run`, or of an earlier session."""
    path = pathlib.Path(path)
    return Results(path / "results.nc" if path.is_dir() else path)
