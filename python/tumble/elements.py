"""What forces and constraints written in Python see and answer.

They are called for one realisation at a time and never run in lanes: a model that has them is slow.
"""

from typing import List, NamedTuple, Sequence, Tuple

import numpy as np


class BodyState(NamedTuple):
    """A body at one instant, in ground axes: its reference point is the nominal centre of mass."""

    position: np.ndarray
    rotation: np.ndarray  #: body axes to ground axes
    velocity: np.ndarray
    angular_velocity: np.ndarray

    def point(self, offset: Sequence[float]) -> np.ndarray:
        """Where the point is that lies at `offset` from the reference point in body axes."""
        return self.position + self.rotation @ np.asarray(offset, float)

    def point_velocity(self, offset: Sequence[float]) -> np.ndarray:
        return self.velocity + np.cross(self.angular_velocity, self.rotation @ np.asarray(offset, float))


class Context(NamedTuple):
    """What a function is called with."""

    time: float
    bodies: List[BodyState]  #: in the order in which they were named
    numbers: List[float]  #: likewise
    drives: List[Tuple[float, float, float]]  #: value, rate and second derivative


class Row(NamedTuple):
    """One condition phi(q, t) = 0: its value; its gradient, for each body (translation, rotation) in ground axes; and
    d^2 phi/dt^2 with all accelerations zero."""

    value: float
    gradient: Sequence[Tuple[Sequence[float], Sequence[float]]]
    acceleration_bias: float = 0.0
    time_rate: float = 0.0
