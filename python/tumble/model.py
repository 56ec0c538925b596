"""A model: a description, settings on top of it, and what can be done with it."""

import hashlib
import json
import operator
import os
import pathlib
import tempfile
import warnings
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _native
from .laws import Law, normal  # noqa: F401, of an example
from .progress import Listener, TumbleWarning
from .quantities import MixesRealizations, fingerprint, quantities_of
from .results import Identification, Results, Run


def load(path: Union[str, os.PathLike]) -> "Model":
    """Reads a model file. Mistakes in it are an InputError with every one of them.

    >>> load("examples/classics/pendulum.yaml").title
    'Pendulum'
    """
    return Model(_native.read_model_file(pathlib.Path(path)), name=str(path))


def _text(value: Any) -> str:
    """YAML that the command line's --set would be given."""
    if isinstance(value, Law):
        value = value.as_dict()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return value if isinstance(value, str) else json.dumps(value, default=_plain)


def _plain(value: Any):
    if isinstance(value, Law):
        return value.as_dict()
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise TypeError(f"{value!r} has no place in a model")


def _fingerprint(entry: dict) -> str:
    """Of all that decides what it does, as the text of the model knows nothing of it: with another a study is not resumed."""
    rest = json.dumps({key: value for key, value in entry.items() if key != "function"})
    return hashlib.sha256((fingerprint(entry["function"]) + rest).encode()).hexdigest()


def _element(function: Callable, bodies: Sequence[str], name: Optional[str], drives: Sequence[str],
             numbers: Optional[Mapping[str, float]], vectorised: bool) -> dict:
    """A force or constraint as the library is told of it. Its name is its key among the parameters: user.NAME.NUMBER."""
    for what, names in ("bodies", bodies), ("drives", drives):
        if isinstance(names, str):
            raise TypeError(f"{what} must be a list of names, not {names!r}")
    found = {}
    for key, value in (numbers or {}).items():
        if isinstance(value, str):
            raise TypeError(f"numbers[{key!r}] must be a number, not {value!r}")
        found[key] = float(value)
    return dict(name=name or function.__name__, function=function, bodies=list(bodies), drives=list(drives),
                numbers=found, vectorised=bool(vectorised))


class Model:
    """A machine, from a file (`tumble.load`), from text, or from the sections of a model file as dicts.

    >>> ball = Model(title="ball", gravity=[0, 0, -9.81],
    ...              bodies={"ball": dict(mass=1, position=[0, 0, 0], inertia=[0.1, 0.1, 0.1, 0, 0, 0])},
    ...              probes={"ball": dict(body="ball", quantities=["position"])},
    ...              simulation=dict(duration=1, step=1e-3, output_step=0.1))
    >>> bool(abs(ball.run()["ball.position.z"][-1] + 0.5 * 9.81) < 1e-9)
    True

    Numbers, and whole fields, by their path; a law makes a number random:

    >>> ball["bodies.ball.mass"] = 2.0
    >>> ball["gravity"] = [0, 0, -1.62]
    >>> ball["bodies.ball.velocity[0]"] = normal(3, 0.1)
    """

    def __init__(self, description: Optional[str] = None, *, name: str = "model", **sections: Any):
        if (description is None) == (not sections):
            raise TypeError("a Model is made of a text or of sections, one of the two")
        self._description = description if description is not None else json.dumps(sections, default=_plain, indent=1)
        self.name = name
        self._settings: Dict[str, Any] = {}
        self._forces: List[dict] = []
        self._constraints: List[dict] = []
        self._file: Optional[_native.ModelFile] = None

    # What it is ------------------------------------------------------------------------------------------------------

    def __setitem__(self, path: str, value: Any) -> None:
        if isinstance(value, Law) and not path.startswith("uncertainty."):
            path = "uncertainty." + path
        before = dict(self._settings)
        self._settings.pop(path, None)  # the last one comes last
        self._settings[path] = value
        self._file = None
        try:
            self._read()
        except _native.InputError:
            self._settings = before  # what is wrong is not kept
            raise

    def __getitem__(self, path: str) -> float:
        """The nominal value of a number, by its path."""
        for parameter in self.parameters():
            if parameter["path"] == path:
                return parameter["value"]
        raise KeyError(path)

    def copy(self) -> "Model":
        """Another one, to change without changing this."""
        other = Model(self._description, name=self.name)
        other._settings = dict(self._settings)
        other._forces = list(self._forces)
        other._constraints = list(self._constraints)
        return other

    @property
    def overrides(self) -> List[str]:
        """The settings, as `--set` of the command line would have them."""
        return [f"{path}={_text(value)}" for path, value in self._settings.items()]

    def _read(self, more: Sequence[str] = ()) -> "_native.ModelFile":
        if more:
            return self._with_elements(_native.read_model(self._description, self.name, self.overrides + list(more)))
        if self._file is None:
            self._file = self._with_elements(_native.read_model(self._description, self.name, self.overrides))
        return self._file

    def _with_elements(self, file):
        if not self._forces and not self._constraints:
            return file
        forces, constraints = ([dict(entry, fingerprint=_fingerprint(entry)) for entry in entries]
                               for entries in (self._forces, self._constraints))
        return _native.add_elements(file, forces, constraints)

    @property
    def title(self) -> str:
        return self._read().title

    @property
    def yaml(self) -> str:
        """The model file with all settings in it."""
        return self._read().effective_yaml

    def save(self, path: Union[str, os.PathLike]) -> None:
        pathlib.Path(path).write_text(self.yaml, encoding="utf-8")

    def parameters(self) -> List[dict]:
        """Every number: path, unit, value, whether it is random."""
        return json.loads(self._read().parameters())

    def laws(self) -> Dict[str, dict]:
        """The law of every random input with what was solved for, by parameter path."""
        return json.loads(self._read().laws())

    # Elements in Python ----------------------------------------------------------------------------------------------

    def add_force(self, function: Callable, bodies: Sequence[str], *, name: Optional[str] = None,
                  drives: Sequence[str] = (), numbers: Optional[Mapping[str, float]] = None,
                  vectorised: bool = False) -> None:
        """A force that Python computes: function(context) gives (force, torque) for each body, in ground axes and about
        its reference point. Slow beside forces of the library.

        A `vectorised` function is asked for several states at once, and is called far less often: all that it gets and
        gives has a row for each of them (see `tumble.elements`).

        >>> ball = Model(gravity=[0, 0, 0], bodies={"ball": dict(mass=2, position=[1, 0, 0], inertia=[1, 1, 1, 0, 0, 0])},
        ...              probes={"ball": dict(body="ball", quantities=["position"])},
        ...              simulation=dict(duration=1, step=1e-3, output_step=0.5))
        >>> def spring(context):
        ...     position, stiffness = context.bodies[0].position, context.numbers[0]    # (rows, 3), (rows,)
        ...     return [(-stiffness[:, None] * position, (0, 0, 0))]
        >>> ball.add_force(spring, ["ball"], numbers={"stiffness": 8.0}, vectorised=True)
        >>> bool(abs(ball.run()["ball.position.x"][-1] - np.cos(2.0)) < 1e-5)
        True
        """
        self._forces.append(_element(function, bodies, name, drives, numbers, vectorised))
        self._file = None

    def add_constraint(self, function: Callable, bodies: Sequence[str], rows: int = 1, *, name: Optional[str] = None,
                       drives: Sequence[str] = (), numbers: Optional[Mapping[str, float]] = None,
                       vectorised: bool = False) -> None:
        """Conditions that Python computes: function(context) gives a `Row` for each. Slow, and `vectorised`, as forces are."""
        self._constraints.append(dict(_element(function, bodies, name, drives, numbers, vectorised), rows=operator.index(rows)))
        self._file = None

    # What is done with it --------------------------------------------------------------------------------------------

    def run(self, *, progress: Optional[bool] = None) -> Run:
        """The nominal run, in memory."""
        return Run(_native.run(self._read(), self.name, Listener(progress)))

    def study(self, method: Optional[str] = None, n: Optional[int] = None, seed: Optional[int] = None, *,
              output: Union[str, os.PathLike, None] = None, if_exists: str = "refuse", threads: int = 0, lanes: int = 0,
              keep_journal: bool = False, progress: Optional[bool] = None,
              quantities: Optional[Mapping[str, Any]] = None, **settings: Any) -> Results:
        """Runs the study of the model, with these changes; further `settings` are fields of the section `study`. With a
        `method` the section is made anew: what the file says of another method's runs is not kept.

        Without `output` results go to a temporary directory that lives as long as what is returned. Ctrl-C ends it in
        order; with an `output` of your own, `if_exists="resume"` then goes on.

        `quantities` are further quantities of interest, {"name": function} or {"name": (function, "unit")}: a function of
        the output times and of what is probed, `probed["tip.position.z"]` with a row for each realisation, gives one number
        for each. Slow beside those of the section `quantities`, as it holds the interpreter.

        >>> ball = Model(title="ball", gravity=[0, 0, -9.81],
        ...              bodies={"ball": dict(mass=1, position=[0, 0, 0], inertia=[0.1, 0.1, 0.1, 0, 0, 0])},
        ...              probes={"ball": dict(body="ball", quantities=["position"])},
        ...              simulation=dict(duration=1, step=1e-3, output_step=0.1))
        >>> ball["bodies.ball.velocity[2]"] = normal(10, 1)
        >>> found = ball.study("monte-carlo", n=16, seed=1,
        ...                    quantities={"way": (lambda time, probed: np.ptp(probed["ball.position.z"], axis=1), "m")})
        >>> found.samples("way").shape
        (16,)
        """
        fields = {"method": method, "realizations": n, "seed": seed, **settings}
        fields = {key: value for key, value in fields.items() if value is not None}
        more = [f"study={_text(fields)}"] if method else [f"study.{key}={_text(value)}" for key, value in fields.items()]
        keeper = None
        if output is None:
            keeper = tempfile.TemporaryDirectory(prefix="tumble-")
            output, if_exists = keeper.name, "overwrite"
        file = self._read(more)
        functions = quantities_of(dict(quantities or {}), _native.probed_numbers(file) if quantities else [])
        if functions:
            file = _native.add_quantities(file, [function.entry() for function in functions])
        try:
            found = _native.run_study(file, self.name, pathlib.Path(output), if_exists, threads, lanes,
                                      keep_journal, "", Listener(progress))
        except MixesRealizations as error:
            raise ValueError(str(error)) from None
        for function in functions:
            if function.reason:
                warnings.warn(f"the quantity {function.name} has no value where it raises, for instance {function.reason}",
                              TumbleWarning, stacklevel=2)
        if found["too_many_failed"]:
            raise _native.TooManyFailed(found["too_many_failed"])
        return Results(found["file"], found, keeper)

    def reliability(self, quantity: str, *, above: Optional[float] = None, below: Optional[float] = None,
                    method: str = "subset", runs: int = 10000, seed: int = 1, output=None, if_exists: str = "refuse",
                    threads: int = 0, progress: Optional[bool] = None, **settings: Any) -> Results:
        """The probability that a quantity of interest passes a limit (docs/guide/reliability.md)."""
        request = {"quantity": quantity, "method": method, "runs": runs, **settings}
        request.update({k: v for k, v in (("above", above), ("below", below)) if v is not None})
        model = self.copy()
        model._settings["study"] = {"method": "reliability", "seed": seed, "reliability": request}
        return model.study(output=output, if_exists=if_exists, threads=threads, progress=progress)

    def sensitivity(self, n: int, *, seed: int = 1, output=None, if_exists: str = "refuse", threads: int = 0,
                    progress: Optional[bool] = None, **settings: Any) -> Results:
        """Sobol' indices of the random inputs; `settings` are fields of `study.sensitivity`."""
        model = self.copy()
        study = {"method": "sensitivity", "realizations": n, "seed": seed}
        if settings:
            study["sensitivity"] = settings
        model._settings["study"] = study
        return model.study(output=output, if_exists=if_exists, threads=threads, progress=progress)

    def sweep(self, vary: Mapping[str, Iterable[float]], *, output=None, if_exists: str = "refuse", threads: int = 0,
              keep_points: bool = False, progress: Optional[bool] = None) -> Results:
        """The study at every combination of these values: {"path": [values]}."""
        lines = [f"{path}={','.join(repr(float(v)) for v in values)}" for path, values in vary.items()]
        keeper = None
        if output is None:
            keeper = tempfile.TemporaryDirectory(prefix="tumble-")
            output, if_exists = keeper.name, "overwrite"
        found = _native.run_sweep(self._description, self.name, self.overrides, lines, pathlib.Path(output), if_exists,
                                  threads, keep_points, Listener(progress))
        if found["too_many_failed"]:
            raise _native.TooManyFailed(found["too_many_failed"])
        return Results(found["file"], found, keeper)

    def identify(self, data: Union[str, os.PathLike], *, method: str = "ml", output=None, if_exists: str = "refuse",
                 threads: int = 0, progress: Optional[bool] = None) -> Identification:
        """Parameters from measurements, by the section `identification` (docs/guide/identification.md)."""
        keeper = None
        if output is None:
            keeper = tempfile.TemporaryDirectory(prefix="tumble-")
            output, if_exists = keeper.name, "overwrite"
        found = _native.run_identification(self._description, self.name, self.overrides, pathlib.Path(data),
                                           pathlib.Path(output), method, if_exists, threads, Listener(progress))
        return Identification(found["file"], found, keeper)

    def equilibrium(self, kind: str = "automatic", load_steps: int = 1, *, progress: Optional[bool] = None) -> dict:
        """What the probes see where the machine rests, or moves steadily: {"probe.quantity": value}."""
        if kind not in ("automatic", "rest", "steady"):
            raise ValueError("kind is automatic, rest or steady")
        return _native.equilibrium(self._read(), self.name, kind, load_steps, Listener(progress))[-1]

    def modes(self, count: int = 10, *, at_start: bool = False, undamped: bool = False, load_steps: int = 1,
              progress: Optional[bool] = None) -> List[dict]:
        """Small vibrations about equilibrium: frequency [Hz], damping_ratio, eigenvalue, shape by probe."""
        return _native.modes(self._read(), self.name, count, at_start, undamped, load_steps, Listener(progress))

    def linearize(self, inputs: Sequence[str] = (), outputs: Sequence[str] = (), *, about: str = "equilibrium",
                  load_steps: int = 1, progress: Optional[bool] = None):
        """The linearised equations dx/dt = A x + B u, z = C x + D u in minimal coordinates, as an xarray Dataset with
        the names of states, inputs and outputs as coordinates."""
        import xarray

        found = _native.linearize(self._read(), self.name, about, load_steps, list(inputs), list(outputs), Listener(progress))
        coords = {}
        for key in ("state", "input", "output"):
            names, units = found[key + "s"]
            coords[key] = names
            coords[key + "_unit"] = (key, units)
        coords["state_2"] = coords["state"]
        return xarray.Dataset({"A": (("state", "state_2"), found["A"]), "B": (("state", "input"), found["B"]),
                               "C": (("output", "state"), found["C"]), "D": (("output", "input"), found["D"])}, coords)

    def frequency_response(self, frequencies: Iterable[float], inputs: Sequence[str] = (), outputs: Sequence[str] = (), *,
                           about: str = "equilibrium", load_steps: int = 1, progress: Optional[bool] = None):
        """What outputs do where an input is harmonic with amplitude 1: complex numbers over (frequency, output, input), as an
        xarray DataArray. `abs` is the amplitude, `numpy.angle` the phase."""
        import xarray

        hertz = [float(f) for f in frequencies]
        found = _native.frequency_response(self._read(), self.name, hertz, about, load_steps, list(inputs), list(outputs),
                                           Listener(progress))
        return xarray.DataArray(found["real"] + 1j * found["imaginary"], dims=("frequency", "output", "input"),
                                coords={"frequency": ("frequency", hertz, {"units": "Hz"}),
                                        "output": found["outputs"][0], "input": found["inputs"][0]})

    def sample(self, n: int, seed: Optional[int] = None):
        """Draws of the random inputs as an xarray Dataset, the same that a study with this seed has."""
        import xarray

        paths, values = _native.sample(self._read(), n, seed)
        return xarray.Dataset({"inputs": (("realization", "input"), values)},
                              coords={"input": paths, "realization": np.arange(n)})

    def derivatives(self, path: str, *, progress: Optional[bool] = None) -> Run:
        """How probed quantities change with one number of the model."""
        return Run(_native.derivatives(self._read(), self.name, path, Listener(progress)))

    def evaluator(self, inputs: Sequence[str] = ()) -> "Evaluator":
        """The model as a function of some of its numbers, or of its random ones, for samplers of your own."""
        return Evaluator(self, inputs)

    def evaluate(self, X: np.ndarray, inputs: Sequence[str] = (), **options: Any):
        """As `evaluator(inputs)(X)`."""
        return self.evaluator(inputs)(X, **options)

    def __repr__(self) -> str:
        return f"<tumble.Model {self.title or self.name!r}, {len(self.parameters())} parameters>"


class Evaluator:
    """A model as a function: an array of inputs (n, inputs) gives an array of quantities of interest (n, quantities).

    Rows run in lanes and on all cores. Rows that fail are NaN; `status` of the answer says so and `reasons` why. The
    object may be kept and called from several threads.
    """

    def __init__(self, model: Model, inputs: Sequence[str] = ()):
        self._native = _native.Evaluator(model._read(), list(inputs), Listener(False))
        self.inputs: List[str] = self._native.inputs
        self.quantities: List[str] = self._native.quantities
        self.units: List[str] = self._native.quantity_units
        self.nominal: np.ndarray = np.array(self._native.nominal)
        self.time: np.ndarray = np.array(self._native.times)

    def __call__(self, X: np.ndarray, **options: Any) -> np.ndarray:
        """The quantities of interest alone."""
        if not self.quantities:
            raise ValueError("the model has no quantities of interest: give it a section `quantities`, or ask for "
                             "evaluate(X, series=True)")
        return self.evaluate(X, **options)["quantities"].values

    def evaluate(self, X: np.ndarray, *, series: bool = False, threads: int = 0, lanes: int = 0,
                 progress: Optional[bool] = None):
        """An xarray Dataset: quantities, status (0 ok, 1 failed, 2 inadmissible), reason and, if asked for, the probes
        over time, each (row, time[, axis])."""
        import xarray

        X = np.atleast_2d(np.asarray(X, float))
        quantities, kept, status, reasons = self._native.evaluate(X, threads, lanes, series, Listener(progress))
        found = xarray.Dataset(
            {"quantities": (("row", "quantity"), quantities), "status": (("row",), status),
             "reason": (("row",), np.array(reasons, dtype=object))},
            coords={"quantity": self.quantities})
        found["status"].attrs.update(flag_values=[0, 1, 2], flag_meanings="ok failed inadmissible")
        if series:
            found = found.assign_coords(time=("time", self.time, {"units": "s"}))
            for probe, quantity, unit, first, size in self._native.series:
                block = kept[:, :, first] if size == 1 else kept[:, :, first:first + size]
                axes = ("row", "time") if size == 1 else ("row", "time", "axis" if size == 3 else "component")
                found[f"{probe}_{quantity}"] = (axes, block, {"units": unit})
                if size == 3:
                    found = found.assign_coords(axis=["x", "y", "z"])
        return found
