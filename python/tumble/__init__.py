"""Stochastic multibody dynamics: how a machine moves when its bodies are not exactly known.

>>> import tumble
>>> model = tumble.load("examples/classics/pendulum.yaml")
>>> model["simulation.duration"] = 1.0
>>> run = model.run()
>>> round(float(run["tip.acceleration.z"].max()), 2)
29.41

The same functions stand behind the command line: a study has the same bits either way.
"""

from ._native import InputError, RequestError, SimulationError, TooManyFailed, version as __version__
from .elements import BodyState, Context, Row
from .laws import Law, beta, gamma, interval, law, lognormal, normal, triangular, truncated_normal, uniform
from .model import Evaluator, Model, load
from .quantities import Probed
from .results import Identification, Results, Run, Surrogate, open_results

__all__ = [
    "BodyState", "Context", "Evaluator", "Identification", "InputError", "Law", "Model", "Probed", "RequestError",
    "Results", "Row", "Run", "SimulationError", "Surrogate", "TooManyFailed", "beta", "gamma", "interval", "law", "load",
    "lognormal", "normal", "open_results", "triangular", "truncated_normal", "uniform",
]
