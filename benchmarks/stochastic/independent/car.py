"""The car in minimal coordinates: its body is free, four wheel carriers slide in it. Pieces of road are given. 10 degrees of freedom."""
import numpy as np

from .integrators import runge_kutta
from .rigid_tree import Tree, full_inertia

G, FRONT, REAR, HALF_TRACK = 9.81, 1.25, 1.45, 0.75
CAR, PEOPLE, PEOPLE_X, LUGGAGE, LUGGAGE_X, CARRIER = 1150.0, 230.0, -0.05, 47.0, -1.7, 38.0
SPRING, TYRE, GRIP, SIDE_DAMPING, TYRE_DAMPING = 24e3, 200e3, 80e3, 2e3, 100.0
BASE = FRONT + REAR
FRONT_LOAD = G * (CAR * REAR + PEOPLE * (PEOPLE_X + REAR) + LUGGAGE * (LUGGAGE_X + REAR)) / BASE / 2
REAR_LOAD = G * (CAR * FRONT + PEOPLE * (FRONT - PEOPLE_X) + LUGGAGE * (FRONT - LUGGAGE_X)) / BASE / 2
CORNERS = {"fl": (FRONT, HALF_TRACK, FRONT_LOAD), "fr": (FRONT, -HALF_TRACK, FRONT_LOAD), "rl": (-REAR, HALF_TRACK, REAR_LOAD),
           "rr": (-REAR, -HALF_TRACK, REAR_LOAD)}
DRIVER = np.array([0.25, 0.37, 0.5])


class Car:
    """`road(t)`: heights and rates of the four pieces of road, each (4, n) or (4, 1)."""

    def __init__(self, draws, road):
        n = len(next(iter(draws.values())))
        tree = Tree(n, [0, 0, -G])
        tree.add("car", None, "free", [0, 0, 0.55], CAR, [0, 0, 0.55], np.diag([420.0, 1750.0, 1950.0]))
        tree.add("people", "car", "fixed", [PEOPLE_X, 0, 0.5], draws["bodies.people.mass"],
                 np.stack([draws[f"bodies.people.position[{i}]"] for i in range(3)], 1),
                 full_inertia(np.stack([draws[f"bodies.people.inertia[{i}]"] for i in range(6)], 1)))
        tree.add("luggage", "car", "fixed", [LUGGAGE_X, 0, 0.5], draws["bodies.luggage.mass"], [LUGGAGE_X, 0, 0.6], np.diag([3.0, 2.0, 3.0]))
        for name, (x, y, _) in CORNERS.items():
            tree.add(name, "car", "prismatic", [x, y, 0.3], CARRIER, [x, y, 0.3], np.diag([0.8, 1.2, 0.8]), [0, 0, 1])
        self.tree, self.road = tree, road
        self.damper = draws["forces.strut_fl.damping"][:, None]
        self.stiffness = {end: draws[f"forces.tyre_{end}l.stiffness[2]"] for end in "fr"}

    def motion(self, t, y):
        done = self.tree.kinematics(y)
        car, heights = done[0], self.road(t)
        loads, tyres = [], {}
        for i, (name, (x, across, load)) in enumerate(CORNERS.items()):
            carrier = done[self.tree.index[name]]
            low, low_speed, _, _ = carrier.at(np.array([x, across, 0.3]))
            top, top_speed, _, _ = car.at(np.array([x, across, 0.8]))
            line = top - low
            length = np.linalg.norm(line, axis=1, keepdims=True)
            line = line / length
            rate = np.sum(line * (top_speed - low_speed), axis=1, keepdims=True)
            tension = SPRING * (length - 0.5) + self.damper * rate - load
            loads += [(name, low, tension * line, None), ("car", top, -tension * line, None)]
            foot, foot_speed, _, _ = carrier.at(np.array([x, across, 0.0]))
            off, off_rate = foot - np.array([x, across, 0.0]), foot_speed.copy()
            off[:, 2] -= heights[0][i]
            off_rate[:, 2] -= heights[1][i]
            force = -np.stack([GRIP * off[:, 0] + SIDE_DAMPING * off_rate[:, 0], GRIP * off[:, 1] + SIDE_DAMPING * off_rate[:, 1],
                               self.stiffness[name[0]] * off[:, 2] + TYRE_DAMPING * off_rate[:, 2] - load - CARRIER * G], 1)
            loads.append((name, foot, force, None))
            tyres[name] = force[:, 2]
        return done, self.tree.accelerations(done, loads), tyres

    def run(self, times, duration, longest, every):
        """At `times`: the driver's vertical acceleration, roll, and the load on the left rear tyre; and the last two every so often."""
        def rates(t, y):
            return self.tree.rates(y, self.motion(t, y)[1])
        grid = np.unique(np.concatenate([np.arange(0, duration + every / 2, every), times]).round(12))
        states = runge_kutta(rates, self.tree.rest(), grid, longest)
        acceleration, roll, tyre = [], [], []
        for t, y in zip(grid, states):
            done, du, tyres = self.motion(t, y)
            _, _, V, b = done[0].at(DRIVER)
            acceleration.append(np.einsum("nij,nj->ni", V, du)[:, 2] + b[:, 2])
            R = done[0].R                               # R = Rx(roll) Ry(pitch) Rz(yaw)
            roll.append(np.arctan2(-R[:, 1, 2], R[:, 2, 2]))
            tyre.append(tyres["rl"])
        at = [int(np.argmin(np.abs(grid - t))) for t in times]
        curves = {"az": np.array(acceleration), "roll": np.array(roll), "tyre": np.array(tyre)}
        return {name: values[at].T for name, values in curves.items()}, grid, {name: values.T for name, values in curves.items()}


def top_of(values):
    """The largest value along the last axis, between equally spaced samples by a parabola."""
    i = np.clip(np.argmax(values, axis=-1), 1, values.shape[-1] - 2)
    n = np.arange(len(values))
    a, b, c = values[n, i - 1], values[n, i], values[n, i + 1]
    bend = a - 2 * b + c
    return np.maximum(values.max(-1), np.where(bend < 0, b - (c - a)**2 / (8 * np.where(bend < 0, bend, -1)), b))
