"""The five-body machine in minimal coordinates: Rb5 is free, Rb3 and Rb4 hang on it by hinges, Rb2 slides along x on its drive, Rb1 is
given. 9 degrees of freedom. Equations and numbers as problems/five-body/README.md has them."""
import numpy as np

from .integrators import radau
from .rigid_tree import Tree, rotation_vector

KINKS = (1e-3, 6e-3, 11e-3, 16e-3)


def lift(t, begin, side):
    """Height and rate of a support that rises by 10 mm in 5 ms; at a kink on the side asked for."""
    rising = begin < t + side * 1e-10 < begin + 5e-3      # rounding must not decide on which side of a kink t is
    return 2.0 * min(max(t - begin, 0.0), 5e-3), 2.0 if rising else 0.0


class FiveBody:
    def __init__(self, mass, centre, inertia):
        """Of Rb5, for n machines: (n), (n, 3) and (n, 3, 3)."""
        n = len(mass)
        cylinder = 5013 * np.pi * 0.02**2 * 0.2
        across = cylinder * (3 * 0.02**2 + 0.2**2) / 12
        tensor = np.diag([across, across, cylinder * 0.02**2 / 2])
        tree = Tree(n, [0, 0, -9.81])
        tree.add("rb5", None, "free", [0, 0, 0.5], mass, centre, inertia)
        tree.add("rb3", "rb5", "revolute", [2.5, 0, 0.5], cylinder, [2.5, 0, 0.3], tensor, [0, 1, 0])
        tree.add("rb4", "rb5", "revolute", [-2.5, 0, 0.5], cylinder, [-2.5, 0, 0.3], tensor, [0, 1, 0])
        tree.add("rb2", None, "prismatic", [-2.5, 0, 0], cylinder, [-2.5, 0, 0], tensor, [1, 0, 0])
        self.tree = tree

    def motion(self, t, y, side):
        n = self.tree.n
        z1, rate1 = lift(t, 1e-3, side)
        z2, rate2 = lift(t, 11e-3, side)
        up = np.array([0.0, 0.0, 1.0])
        done = self.tree.kinematics(y, {"rb2": (z2 * up, rate2 * up)})
        rb5, rb3, rb4, rb2 = done
        loads = []
        for upper, x, below in ((rb3, 2.5, None), (rb4, -2.5, rb2)):
            point = np.array([x, 0, 0.15])
            place, speed, _, _ = upper.at(point)
            if below is None:
                foot, foot_speed = np.broadcast_to(point + z1 * up, (n, 3)), np.broadcast_to(rate1 * up, (n, 3))
            else:
                foot, foot_speed, _, _ = below.at(point)
            # The lower body does not turn: its axes are the ground's.
            force = 1e9 * (place - foot) + 2.4e6 * (speed - foot_speed) - 14715 * up
            theta = rotation_vector(upper.R)
            twist = 1.6e8 * theta
            # The moment that has the energy 1/2 k |theta|^2 as its potential is T^-T k theta = k theta, as T^-T leaves theta alone.
            moment = twist + 1.3e6 * upper.w
            name = "rb3" if below is None else "rb4"
            loads.append((name, place, -force, -moment))
            if below is not None:
                loads.append(("rb2", place, force, None))       # it slides only: the moment does no work
        return done, self.tree.accelerations(done, loads)

    def rates(self, t, y, side):
        _, acceleration = self.motion(t, y, side)
        return self.tree.rates(y, acceleration)

    def run(self, times, longest=1e-4):
        """Place and acceleration of the observation point (n, times, 3) and the angular acceleration of Rb5."""
        # Behind each kink fast motions die out: the cylinders on their dampers, 2e6 1/s, and the tilt of Rb5, 6e3 1/s.
        graded = 2e-6 * 1.35**np.arange(19)
        begins = [0.0] + [k for k in KINKS if k < max(times)]
        grid = np.unique(np.concatenate([begins, times] + [begin + graded for begin in begins]).round(12))
        grid = grid[grid <= max(times) + 1e-12]
        states = radau(self.rates, self.tree.rest(), grid, longest)
        place, acceleration, turning = [], [], []
        for t in times:
            y = states[np.argmin(np.abs(grid - t))]
            done, du = self.motion(t, y, -1)
            x, _, V, b = done[0].at(np.array([-2.0, -1.0, 0.5]))
            place.append(x)
            acceleration.append(np.einsum("nij,nj->ni", V, du) + b)
            turning.append(np.einsum("nij,nj->ni", done[0].W, du))
        return np.array(place).swapaxes(0, 1), np.array(acceleration).swapaxes(0, 1), np.array(turning).swapaxes(0, 1)
