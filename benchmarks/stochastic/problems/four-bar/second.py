"""Closed form: on the unit sphere the linkage is a quadrangle, whose third corner is at given angles from two others; the motor's torque
from the power of weight and inertia."""
import numpy as np

W, GRAVITY = 10.0, 9.81
UP = np.array([0.0, 0.0, 1.0])
AXES = {"crankpin": [0.262003, 0.219846, 0.939693], "pin": [0.660603, 0.729516, 0.177227], "pivot": [0.819152, 0.0, 0.573576]}
BODIES = {"crank": (1.0, [0.10, 0.08, 0.40], [0.02, 0.02, 0.01]), "coupler": (1.5, [0.23, 0.24, 0.28], [0.03, 0.03, 0.02]),
          "rocker": (1.2, [0.37, 0.18, 0.19], [0.02, 0.03, 0.02])}
RANDOM = [("crankpin", 0), ("crankpin", 1), ("pin", 2), ("pivot", 1)]
TOLERANCE = 5e-6           # reactions of Tumble: rounding shows below a step of 5e-5 s
EVERY_DRAW = True


def turned(axis, angle, v):
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return c * v + s * np.cross(axis, v) + (1 - c) * np.sum(axis * v, -1, keepdims=True) * axis


def angle_about(axis, a, b):
    """From a to b, right-handed about the axis."""
    return np.arctan2(np.sum(axis * np.cross(a, b), -1), np.sum(a * b, -1) - np.sum(a * axis, -1) * np.sum(b * axis, -1))


class Linkage:
    def __init__(self, axes):
        self.B, self.C, self.D = (axes[name] / np.linalg.norm(axes[name], axis=-1, keepdims=True) for name in ("crankpin", "pin", "pivot"))
        self.cos_bc, self.cos_cd = np.sum(self.B * self.C, -1), np.sum(self.C * self.D, -1)
        self.side = np.sign(np.sum(self.C * np.cross(self.B, self.D), -1))

    def corners(self, t):
        B = turned(UP, np.full(len(self.B), W * t), self.B)
        D = self.D
        g = np.sum(B * D, -1)
        a, b = (self.cos_bc - g * self.cos_cd) / (1 - g**2), (self.cos_cd - g * self.cos_bc) / (1 - g**2)
        flat = a[:, None] * B + b[:, None] * D
        out = np.cross(B, D)
        height = np.sqrt(1 - np.sum(flat**2, -1)) / np.linalg.norm(out, axis=-1)
        return B, flat + (self.side * height)[:, None] * out

    def angle(self, t):
        return angle_about(self.D, self.C, self.corners(t)[1])

    def energy(self, t, h=1e-5):
        """Kinetic and potential. The coupler's rotation turns (B0, C0) into (B, C)."""
        total = 0
        rotations = {}
        for shift in (-h, 0, h):
            B, C = self.corners(t + shift)
            rotations[shift] = {"crank": self.frame_change(UP + 0 * B, self.B, UP + 0 * B, B), "coupler": self.frame_change(self.B, self.C, B, C),
                                "rocker": self.frame_change(self.D, self.C, self.D, C)}
        for name, (mass, centre, inertia) in BODIES.items():
            R = rotations[0][name]
            change = np.swapaxes(R, 1, 2) @ (rotations[h][name] - rotations[-h][name]) / (2 * h)
            w = 0.5 * np.stack([change[:, 2, 1] - change[:, 1, 2], change[:, 0, 2] - change[:, 2, 0], change[:, 1, 0] - change[:, 0, 1]], -1)
            v = np.cross(w, np.array(centre))
            total = total + 0.5 * mass * np.sum(v**2, -1) + 0.5 * np.sum(np.array(inertia) * w**2, -1)
            total = total + mass * GRAVITY * (R @ np.array(centre))[:, 2]
        return total

    @staticmethod
    def frame_change(a0, b0, a1, b1):
        def frame(a, b):
            c = np.cross(a, b)
            c = c / np.linalg.norm(c, axis=-1, keepdims=True)
            return np.stack([a, np.cross(c, a), c], -1)
        return frame(a1, b1) @ np.swapaxes(frame(a0, b0), 1, 2)

    def torque(self, t, h=2e-3):
        """The motor's power over its rate: the derivative of the energy, by differences of sixth order."""
        weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
        return sum(c * (self.energy(t + k * h) - self.energy(t - k * h)) for k, c in weights.items()) / h / W

    def rate(self, t, h=1e-3):
        weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
        return sum(c * (self.angle(t + k * h) - self.angle(t - k * h)) for k, c in weights.items()) / h


def responses(draws, times):
    n = len(next(iter(draws.values())))
    axes = {name: np.tile(np.array(axis), (n, 1)) for name, axis in AXES.items()}
    for name, i in RANDOM:
        axes[name][:, i] = draws[f"joints.{name}.axis[{i}]"]
    linkage = Linkage(axes)
    dense = np.array([linkage.angle(t) for t in np.linspace(0, 0.6, 1201)])
    return {"angle": np.array([linkage.angle(t) for t in times]).T, "rate": np.array([linkage.rate(t) for t in times]).T,
            "torque": np.array([linkage.torque(t) for t in times]).T, "angle_300ms": linkage.angle(0.3),
            "swing": dense.max(0) - dense.min(0), "torque_300ms": linkage.torque(0.3)}


def nodes():
    g, w = np.polynomial.hermite_e.hermegauss(5)
    w = w / w.sum()
    grid = np.stack(np.meshgrid(g, g, g, g, indexing="ij"), -1).reshape(-1, 4)
    weights = np.prod(np.stack(np.meshgrid(w, w, w, w, indexing="ij"), -1).reshape(-1, 4), axis=1)
    return {f"joints.{name}.axis[{i}]": AXES[name][i] + 0.02 * grid[:, j] for j, (name, i) in enumerate(RANDOM)}, weights
GRID = [f"joints.{name}.axis[{i}]" for name, i in RANDOM]
