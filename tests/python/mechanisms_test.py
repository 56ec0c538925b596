"""Kinematics and inverse dynamics of driven mechanisms, against closed forms of their geometry: the four-bar linkage by the
intersection of two circles, the slider-crank by its square root, required torques by the balance of power."""
import pathlib
import sys
import tempfile

import numpy as np

import _results as results

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples/classics"
g = np.array([0, -9.81])                # in the plane of x and z


class Motion:
    """Of a point or an angle: value, rate and second derivative by time."""

    def __init__(self, value, rate, second):
        self.value, self.rate, self.second = (np.asarray(x, dtype=float) for x in (value, rate, second))

    def __add__(self, other):
        return Motion(self.value + other.value, self.rate + other.rate, self.second + other.second)

    def __rmul__(self, factor):
        return Motion(factor * self.value, factor * self.rate, factor * self.second)


def crank(r, w, t):
    """The end of a crank; angles are about +y, from x to -z."""
    a = w * t
    e = np.array([np.cos(a), -np.sin(a)])
    d = np.array([-np.sin(a), -np.cos(a)])
    return Motion(r * e, r * w * d, -r * w**2 * e)


def apex(B, D, b, c):
    """The point at the distances b and c from B and D, on the left of the way from B to D: |C - B|^2 = b^2 and |C - D|^2 = c^2,
    differentiated twice."""
    along = D.value - B.value
    length = np.hypot(*along)
    x = (length**2 + b**2 - c**2) / (2 * length)
    e = along / length
    C = B.value + x * e + np.sqrt(b**2 - x**2) * np.array([-e[1], e[0]])
    rows = np.array([C - B.value, C - D.value])
    v = np.linalg.solve(rows, [rows[0] @ B.rate, rows[1] @ D.rate])
    a = np.linalg.solve(rows, [rows[0] @ B.second - np.sum((v - B.rate)**2), rows[1] @ D.second - np.sum((v - D.rate)**2)])
    return Motion(C, v, a)


def turning(P, Q):
    """Rate and second derivative of the angle, about +y, of the line from P to Q."""
    d, v, a = Q.value - P.value, Q.rate - P.rate, Q.second - P.second
    square = d @ d
    cross = lambda u, w: u[1] * w[0] - u[0] * w[1]
    w = cross(d, v) / square
    return w, (cross(d, a) - 2 * w * (d @ v)) / square


def power(mass, inertia, centre, w, alpha):
    """That a body takes up."""
    return mass * centre.rate @ (centre.second - g) + inertia * w * alpha


still = lambda *place: Motion(place, (0, 0), (0, 0))
middle = lambda P, Q: 0.5 * (P + Q)

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    data = results.run(EXAMPLES / "four-bar.yaml", work / "four-bar")
    w = 10.0
    exact = {key: [] for key in ("position", "velocity", "acceleration", "coupler", "coupler_rate", "rocker", "torque")}
    for t in data.time.values:
        A, B, D = still(0, 0), crank(0.2, w, t), still(0.5, 0)
        C = apex(B, D, 0.5, 0.4)
        coupler, rocker = turning(B, C), turning(D, C)
        taken = (power(1, 0.004, middle(A, B), w, 0) + power(2, 0.04, middle(B, C), *coupler) +
                 power(1.5, 0.02, middle(D, C), *rocker))
        for key, value in (("position", C.value), ("velocity", C.rate), ("acceleration", C.second), ("coupler", coupler[0]),
                           ("coupler_rate", coupler[1]), ("rocker", rocker[0]), ("torque", taken / w)):
            exact[key].append(value)
    plane = lambda name: data[name].values[:, [0, 2]]
    # Positions to rounding of the joints, rates to the error of the step, which falls with its square.
    results.close("four-bar: position", plane("pin_position_nominal"), exact["position"], 1e-11)
    results.close("four-bar: velocity", plane("pin_velocity_nominal"), exact["velocity"], 1e-5)
    results.close("four-bar: acceleration", plane("pin_acceleration_nominal"), exact["acceleration"], 1e-4)
    results.close("four-bar: coupler", data.coupler_angular_velocity_nominal.values[:, 1], exact["coupler"], 1e-5)
    results.close("four-bar: its rate", data.coupler_angular_acceleration_nominal.values[:, 1], exact["coupler_rate"], 1e-4)
    results.close("four-bar: rocker", data.rocker_angle_rate_nominal.values, exact["rocker"], 1e-5)
    results.close("four-bar: torque of the motor", data.main_torque_nominal.values[:, 1], exact["torque"], 1e-4)

    data = results.run(EXAMPLES / "slider-crank.yaml", work / "slider-crank")
    r, l, w = 0.1, 0.3, 50.0
    t = data.time.values
    s, c = np.sin(w * t), np.cos(w * t)
    root = np.sqrt(l**2 - r**2 * s**2)
    x = r * c + root
    v = -r * w * s - r**2 * w * s * c / root
    a = -r * w**2 * c - r**2 * w**2 * ((c**2 - s**2) / root + r**2 * s**2 * c**2 / root**3)
    results.close("slider: position", data.slider_position_nominal.values[:, 0], x, 1e-11)
    results.close("slider: velocity", data.slider_velocity_nominal.values[:, 0], v, 1e-5)
    results.close("slider: acceleration", data.slider_acceleration_nominal.values[:, 0], a, 1e-4)
    torque = []
    for i, instant in enumerate(t):
        A, B = still(0, 0), crank(r, w, instant)
        C = Motion((x[i], 0), (v[i], 0), (a[i], 0))
        torque.append((power(2, 0.004, middle(A, B), w, 0) + power(1.2, 0.01, middle(B, C), *turning(B, C)) +
                       power(3, 0.003, C, 0, 0)) / w)
    results.close("slider-crank: torque of the motor", data.main_torque_nominal.values[:, 1], torque, 1e-4)
