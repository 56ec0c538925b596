"""Trees of rigid bodies in minimal coordinates, many machines at once.

Kane's equations: with the velocities v_i of centres of mass and the angular velocities w_i of the bodies linear in the speeds u,
    v_i = V_i u + base,  w_i = W_i u,   a_i = V_i u' + b_i,  al_i = W_i u' + c_i,
    sum_i (m_i V_i^T V_i + W_i^T I_i W_i) u' = sum_i V_i^T (F_i - m_i b_i) + W_i^T (T_i - I_i c_i - w_i x I_i w_i).
(T. R. Kane, D. A. Levinson, Dynamics: Theory and Applications, 1985). All in ground axes; bodies' frames are parallel to the ground's at
t = 0. This shares nothing with Tumble, which uses absolute coordinates and Lagrange multipliers.
"""
import numpy as np


def cross_matrix(a):
    """(n, 3) -> (n, 3, 3): cross_matrix(a) @ b = a x b."""
    out = np.zeros(a.shape[:-1] + (3, 3))
    out[..., 0, 1], out[..., 0, 2], out[..., 1, 2] = -a[..., 2], a[..., 1], -a[..., 0]
    out[..., 1, 0], out[..., 2, 0], out[..., 2, 1] = a[..., 2], -a[..., 1], a[..., 0]
    return out


def rotation_of(q):
    """Of quaternions (w, x, y, z) of any length."""
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    w, v = q[..., :1, None], q[..., 1:]
    x = cross_matrix(v)
    return np.eye(3) + 2 * w * x + 2 * x @ x


def about(axis, angle):
    """Rotations by angles (n) about one axis."""
    axis = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    k = cross_matrix(axis[None])[0]
    s, c = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + s * k + (1 - c) * (k @ k)


def rotation_vector(r):
    """Of rotations by less than half a turn."""
    axial = 0.5 * np.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], axis=1)
    sine = np.linalg.norm(axial, axis=1)
    cosine = 0.5 * (np.trace(r, axis1=1, axis2=2) - 1)
    angle = np.arctan2(sine, cosine)
    return axial * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-300), 1.0)[:, None]


def full_inertia(six):
    """(n, 6) xx, yy, zz, xy, xz, yz -> (n, 3, 3)."""
    xx, yy, zz, xy, xz, yz = np.asarray(six).T
    return np.stack([np.stack([xx, xy, xz], 1), np.stack([xy, yy, yz], 1), np.stack([xz, yz, zz], 1)], 1)


class Body:
    def __init__(self, name, parent, kind, place, axis, mass, centre, inertia):
        self.name, self.parent, self.kind, self.place = name, parent, kind, np.asarray(place, dtype=float)
        self.axis = None if axis is None else np.asarray(axis, dtype=float)
        self.mass, self.centre, self.inertia = mass, centre, inertia


class Kinematics:
    """Of one body: rotation, place of its reference point, speeds, partial velocities, accelerations at u' = 0."""
    __slots__ = ("R", "x", "v", "w", "V", "W", "a", "al", "start")

    def at(self, point):
        """Place, velocity, partial velocity and acceleration (at u' = 0) of a material point, given at t = 0 in ground axes."""
        r = np.einsum("nij,nj->ni", self.R, np.broadcast_to(point - self.start, self.x.shape))
        x = cross_matrix(r)
        turn = np.cross(self.w, r)
        return self.x + r, self.v + turn, self.V - x @ self.W, self.a + np.cross(self.al, r) + np.cross(self.w, turn)


class Tree:
    """Bodies are added parents first. `place` of a joint, `centre` of mass: ground axes at t = 0; the latter, mass and inertia may
    differ from machine to machine: (n, 3), (n) and (n, 3, 3)."""

    def __init__(self, machines, gravity):
        self.n, self.gravity = machines, np.asarray(gravity, dtype=float)
        self.bodies, self.index, self.speeds, self.size = [], {}, 0, 0
        self.first_speed, self.first_place = [], []

    def add(self, name, parent, kind, place, mass, centre, inertia, axis=None):
        n = self.n
        body = Body(name, parent, kind, place, axis, np.broadcast_to(mass, (n,)), np.broadcast_to(centre, (n, 3)),
                    np.broadcast_to(inertia, (n, 3, 3)))
        self.index[name] = len(self.bodies)
        self.bodies.append(body)
        self.first_speed.append(self.speeds)
        self.first_place.append(self.size)
        self.speeds += {"free": 6, "fixed": 0}.get(kind, 1)
        self.size += {"free": 7, "fixed": 0}.get(kind, 1)

    def rest(self):
        """The state (places, speeds) as described, at rest."""
        y = np.zeros((self.n, self.size + self.speeds))
        for body, first in zip(self.bodies, self.first_place):
            if body.kind == "free":
                y[:, first:first + 3] = body.place
                y[:, first + 3] = 1
        return y

    def kinematics(self, y, bases=None):
        """`bases`: place and velocity that the foot of a joint on the ground has beyond its own, by body."""
        n, done = self.n, []
        u = y[:, self.size:]
        zero = np.zeros((n, 3))
        for body, s, p in zip(self.bodies, self.first_speed, self.first_place):
            k = Kinematics()
            k.start = body.place
            if body.kind == "free":
                k.x, k.R = y[:, p:p + 3], rotation_of(y[:, p + 3:p + 7])
                k.v, k.w = u[:, s:s + 3], u[:, s + 3:s + 6]
                k.V, k.W = np.zeros((n, 3, self.speeds)), np.zeros((n, 3, self.speeds))
                k.V[:, range(3), range(s, s + 3)] = 1
                k.W[:, range(3), range(s + 3, s + 6)] = 1
                k.a, k.al = zero, zero
            else:
                if body.parent is None:
                    shift, rate = (bases or {}).get(body.name, (zero, zero))
                    k.x, k.R = np.broadcast_to(body.place + shift, (n, 3)), np.broadcast_to(np.eye(3), (n, 3, 3))
                    k.v, k.w, k.a, k.al = np.broadcast_to(rate, (n, 3)), zero, zero, zero
                    k.V, k.W = np.zeros((n, 3, self.speeds)), np.zeros((n, 3, self.speeds))
                else:
                    parent = done[self.index[body.parent]]
                    k.x, k.v, k.V, k.a = parent.at(body.place)
                    k.R, k.w, k.W, k.al = parent.R, parent.w, parent.W, parent.al
                if body.kind != "fixed":
                    self._move(body, k, y[:, p], u[:, s], s)
            done.append(k)
        return done

    def _move(self, body, k, place, rate, s):
        axis = k.R @ body.axis
        if body.kind == "revolute":
            k.al = k.al + np.cross(k.w, axis) * rate[:, None]
            k.R = k.R @ about(body.axis, place)
            k.w = k.w + axis * rate[:, None]
            k.W = k.W.copy()
            k.W[:, :, s] += axis
        else:
            along = axis * place[:, None]
            k.x = k.x + along
            k.a = k.a + np.cross(k.al, along) + np.cross(k.w, np.cross(k.w, along)) + 2 * np.cross(k.w, axis) * rate[:, None]
            k.v = k.v + np.cross(k.w, along) + axis * rate[:, None]
            k.V = k.V - cross_matrix(along) @ k.W
            k.V[:, :, s] += axis

    def accelerations(self, done, loads):
        """u' under `loads`: (body, point of application in ground axes now or None, force, moment)."""
        n = self.n
        M = np.zeros((n, self.speeds, self.speeds))
        f = np.zeros((n, self.speeds))
        for body, k in zip(self.bodies, done):
            _, _, V, b = k.at(body.centre)
            I = k.R @ body.inertia @ np.swapaxes(k.R, 1, 2)
            Vt, Wt = np.swapaxes(V, 1, 2), np.swapaxes(k.W, 1, 2)
            M += body.mass[:, None, None] * (Vt @ V) + Wt @ I @ k.W
            force = body.mass[:, None] * (self.gravity - b)
            spin = np.einsum("nij,nj->ni", I, k.w)
            moment = -np.einsum("nij,nj->ni", I, k.al) - np.cross(k.w, spin)
            f += np.einsum("nij,nj->ni", Vt, force) + np.einsum("nij,nj->ni", Wt, moment)
        for name, point, force, moment in loads:
            k = done[self.index[name]]
            if force is not None:
                V = k.V - cross_matrix(point - k.x) @ k.W
                f += np.einsum("nij,ni->nj", V, force)
            if moment is not None:
                f += np.einsum("nij,ni->nj", k.W, moment)
        return np.linalg.solve(M, f[:, :, None])[:, :, 0]

    def rates(self, y, accelerations):
        """dy/dt."""
        out = np.empty_like(y)
        u = y[:, self.size:]
        for body, s, p in zip(self.bodies, self.first_speed, self.first_place):
            if body.kind == "free":
                out[:, p:p + 3] = u[:, s:s + 3]
                q, w = y[:, p + 3:p + 7], u[:, s + 3:s + 6]
                out[:, p + 3] = -0.5 * np.sum(w * q[:, 1:], axis=1)      # q' = 1/2 (0, w) q, w in ground axes
                out[:, p + 4:p + 7] = 0.5 * (w * q[:, :1] + np.cross(w, q[:, 1:]))
            elif body.kind != "fixed":
                out[:, p] = u[:, s]
        out[:, self.size:] = accelerations
        return out
