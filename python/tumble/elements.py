"""What forces and constraints written in Python see and answer.

A plain function is asked for one state of one realisation at a time. One that was added with `vectorised=True` is asked
for many states at once: those of all realisations that run side by side, and those displaced a little that derivatives
are made of. Everything then has a further first axis, the row: a position has the shape (rows, 3), a rotation
(rows, 3, 3), a number or drive (rows,); so have answers, and what is the same for all rows may be given once. Only the
time is one number.

Every row is a state of its own: what is said of it may depend neither on the others nor on how many there are, not even
by rounding, because results have the same bits however many realisations run side by side. Arithmetic and functions of
NumPy, element by element, and sums over the last axis are of this kind; a mean over the first axis is not, and products of
matrices (`a @ b` of two-dimensional arrays) may round differently. Now and then answers are compared with those to each row alone,
and a ValueError tells of a difference.
"""

from typing import List, NamedTuple, Sequence, Tuple, Union

import numpy as np

Number = Union[float, np.ndarray]  #: an array with a row for each state, if the function is vectorised
Vector = Union[Sequence[float], np.ndarray]


class BodyState(NamedTuple):
    """A body at one instant, in ground axes: its reference point is the nominal centre of mass."""

    position: np.ndarray
    rotation: np.ndarray  #: body axes to ground axes
    velocity: np.ndarray
    angular_velocity: np.ndarray

    def point(self, offset: Sequence[float]) -> np.ndarray:
        """Where the point is that lies at `offset` from the reference point in body axes; of every row."""
        return self.position + self.turned(offset)

    def point_velocity(self, offset: Sequence[float]) -> np.ndarray:
        """The velocity of that point."""
        return self.velocity + np.cross(self.angular_velocity, self.turned(offset))

    def turned(self, vector: Sequence[float]) -> np.ndarray:
        """A vector of body axes, in ground axes."""
        x, y, z = np.asarray(vector, float)
        R = self.rotation
        return R[..., 0] * x + R[..., 1] * y + R[..., 2] * z


class Context(NamedTuple):
    """What a function is called with. Of a vectorised one, all but the time are arrays with a row for each state."""

    time: float
    bodies: List[BodyState]  #: in the order in which they were named
    numbers: List[Number]  #: likewise
    drives: List[Tuple[Number, Number, Number]]  #: value, rate and second derivative


class Row(NamedTuple):
    """One condition phi(q, t) = 0: its value; its gradient, for each body (translation, rotation) in ground axes; and
    d^2 phi/dt^2 with all accelerations zero."""

    value: Number  #: vectorised: (rows,), as the other numbers; vectors of the gradient (rows, 3)
    gradient: Sequence[Tuple[Vector, Vector]]
    acceleration_bias: Number = 0.0
    time_rate: Number = 0.0
