"""Quantities of interest that Python computes, for a block of realisations at a time."""

import functools
import hashlib
import os
import sysconfig
import types
import uuid
from typing import Any, Callable, Dict, Iterator, List, Sequence, Tuple

import numpy as np

_LIBRARIES = tuple(os.path.realpath(path) for path in sysconfig.get_paths().values())


class Probed:
    """What the probes saw in several realisations: `probed["tip.position"]` has the shape (realisation, time, component),
    `probed["tip.position.z"]` and scalars (realisation, time)."""

    _COMPONENTS = {3: ["x", "y", "z"], 4: ["w", "x", "y", "z"], 6: ["xx", "yy", "zz", "xy", "xz", "yz"]}

    def __init__(self, values: np.ndarray, layout: Sequence[Tuple[str, str, str, int, int]]):
        self._values = values
        self._places = {}
        for probe, quantity, _, first, size in layout:
            name = f"{probe}.{quantity}"
            self._places[name] = first if size == 1 else slice(first, first + size)
            for k, component in enumerate(self._COMPONENTS.get(size, [])):
                self._places[f"{name}.{component}"] = first + k

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._places:
            raise KeyError(f"{name!r} is not probed; there are {', '.join(self._places)}")
        return self._values[:, :, self._places[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        """How many realisations."""
        return len(self._values)

    def keys(self) -> List[str]:
        return list(self._places)


class MixesRealizations(BaseException):
    """No Exception: it does not count as a realisation without a value, it ends the study."""


class Quantity:
    """A function as the library calls it. An answer that is wrong in the nominal run ends the study before it begins; one
    that raises later has no value for the realisation that makes it raise."""

    def __init__(self, name: str, function: Callable, unit: str, layout: Sequence[Tuple[str, str, str, int, int]]):
        self.name, self.function, self.unit, self.layout = name, function, unit, layout
        self.compared = False
        self.reason = ""

    def entry(self) -> Dict[str, Any]:
        called = getattr(self.function, "__qualname__", type(self.function).__name__)
        return {"name": self.name, "unit": self.unit, "function": self, "fingerprint": fingerprint(self.function),
                "description": f"{called}(), a function of Python"}

    def answer(self, time: np.ndarray, values: np.ndarray) -> np.ndarray:
        found = np.asarray(self.function(time, Probed(values, self.layout)), float)
        if found.shape != (len(values),):
            raise ValueError(f"the quantity {self.name} of {len(values)} realisations must be an array of shape "
                             f"({len(values)},), not {found.shape}: time is the second axis of what is probed")
        return found

    def try_out(self, time: np.ndarray, values: np.ndarray) -> None:
        self.answer(time, values)
        self.answer(time, np.repeat(values, 3, axis=0))

    def __call__(self, time: np.ndarray, values: np.ndarray) -> np.ndarray:
        try:
            found = self.answer(time, values)
            if len(values) > 1 and not self.compared:
                self.compare(time, values, found)
            return found
        except Exception as error:
            if len(values) == 1 and not self.reason:
                self.reason = f"{type(error).__name__}: {error}"
            raise

    def compare(self, time: np.ndarray, values: np.ndarray, found: np.ndarray) -> None:
        """A sum over the wrong axis is a number as good as any; asked for alone, a realisation then has another."""
        alone = np.concatenate([self.answer(time, values[k:k + 1]) for k in (0, len(values) - 1)])
        beside = found[[0, -1]]
        size = np.nanmax(np.abs(np.append(beside, 0.0)))
        if not np.allclose(alone, beside, rtol=1e-9, atol=1e-9 * size, equal_nan=True):
            raise MixesRealizations(
                f"the quantity {self.name} mixes realisations: alone the first and the last of {len(values)} have the values "
                f"{alone}, beside the others {beside}. The first axis of what is probed is the realisation")
        self.compared = True


def quantities_of(given: Dict[str, Any], layout: Sequence[Tuple[str, str, str, int, int]]) -> List[Quantity]:
    """From {"name": function} or {"name": (function, "unit")}."""
    found = []
    for name, value in given.items():
        function, unit = value if isinstance(value, tuple) else (value, "1")
        if not callable(function):
            raise TypeError(f"the quantity {name} must be a function, or (function, unit), not {value!r}")
        found.append(Quantity(name, function, unit, layout))
    return found


def _is_library(function: types.FunctionType) -> bool:
    file = function.__globals__.get("__file__")
    return bool(file) and os.path.realpath(file).startswith(_LIBRARIES)


class _Fingerprint:
    """Of a function: its code, the functions it calls, and the plain values it reads. Not of files, clocks, or the insides of
    objects, and of libraries the version alone."""

    def __init__(self):
        self.digest = hashlib.sha256()
        self.seen = set()

    def text(self, *words: Any) -> None:
        for word in words:
            data = word if isinstance(word, bytes) else str(word).encode()
            self.digest.update(len(data).to_bytes(8, "little") + data)

    def add(self, value: Any) -> None:
        if isinstance(value, types.CodeType):
            self.text("code", value.co_code, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
            for constant in value.co_consts:
                self.add(constant)
        elif isinstance(value, types.FunctionType):
            self.function(value)
        elif isinstance(value, types.MethodType):
            self.add(value.__func__)
            self.add(value.__self__)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self.add(part)
        elif isinstance(value, types.ModuleType):
            self.text("module", value.__name__, getattr(value, "__version__", ""))
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc, type)):
            self.text("name", getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__))
        elif isinstance(value, (np.ndarray, np.generic)) and value.dtype != object:
            self.text("array", value.dtype, np.shape(value), np.ascontiguousarray(value).tobytes())
        elif value is None or value is Ellipsis or isinstance(value, (bool, int, float, complex, str, bytes)):
            self.text(type(value).__name__, repr(value))
        elif isinstance(value, (tuple, list)):
            self.text(type(value).__name__, len(value))
            for item in value:
                self.add(item)
        elif isinstance(value, (set, frozenset)):
            self.text("set", sorted(map(repr, value)))
        elif isinstance(value, dict):
            self.text("dict", len(value))
            for item in value.items():
                self.add(item)
        else:
            raise TypeError(f"the insides of {type(value).__name__} are not known")

    def function(self, value: types.FunctionType) -> None:
        if _is_library(value):
            self.text("name", value.__module__, value.__qualname__)
            return
        if id(value) in self.seen:
            return
        self.seen.add(id(value))
        self.add(value.__code__)
        self.add(value.__defaults__)
        self.add(value.__kwdefaults__)
        for cell in value.__closure__ or ():
            self.add(cell.cell_contents)
        for name in sorted(_names(value.__code__)):
            if name in value.__globals__:
                self.text("global", name)
                self.add(value.__globals__[name])


def _names(code: types.CodeType) -> set:
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _names(constant)
    return names


def fingerprint(function: Callable) -> str:
    """The same for the same function; one that is not known well enough to tell never has the same twice."""
    found = _Fingerprint()
    try:
        found.add(function)
    except (TypeError, ValueError):
        return "not told apart, " + uuid.uuid4().hex
    return found.digest.hexdigest()
