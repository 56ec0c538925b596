"""The 45 degree bend of Bathe & Bolourchi (1979) by Reissner's rod: solved by shooting, and with the
two-node elements of the literature, whose mesh explains the published displacements.

    /usr/bin/python3 forty_five_degree_bend.py

An eighth of a circle of radius 100 in with a unit square section, E = 1e7 psi, nu = 0, clamped with
its tangent along +y, a dead load of 600 lb along z at its tip. Prints displacements of the tip [in].
"""
import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve

RADIUS, LOAD, E, G = 100.0, 600.0, 1e7, 5e6
ANGLE = np.pi / 4


def frame(angle):
    """Tangent, inward normal and binormal of the undeformed axis, as columns."""
    t1 = np.array([np.sin(angle), np.cos(angle), 0])
    t2 = np.array([-np.cos(angle), np.sin(angle), 0])
    return np.array([t1, t2, np.cross(t1, t2)]).T


def skew(v):
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    zero = np.zeros_like(x)
    return np.stack([np.stack([zero, -z, y], -1), np.stack([z, zero, -x], -1),
                     np.stack([-y, x, zero], -1)], -2)


def by_shooting(torsion, shear):
    """r' = R (C^-1 R^T n + e1), R' = R [D^-1 R^T m + K0], m' = -r' x n with the constant n; the
    moment at the clamp is found so that none is left at the tip."""
    C, D = np.array([E, shear * G, shear * G]), np.array([G * torsion, E / 12, E / 12])
    K0 = np.array([0, 0, -1 / RADIUS])  # material curvature of the undeformed axis

    def tip(clamp, load):
        n = np.array([0, 0, load])

        def rates(_, y):
            R = y[3:12].reshape(3, 3)
            along = R @ (R.T @ n / C + [1, 0, 0])
            return np.concatenate([along, (R @ skew(R.T @ y[12:] / D + K0)).ravel(),
                                   -np.cross(along, n)])

        start = np.concatenate([np.zeros(3), frame(0).ravel(), clamp])
        return solve_ivp(rates, (0, RADIUS * ANGLE), start, method="DOP853", rtol=1e-12,
                         atol=1e-10).y[:, -1]

    clamp = LOAD / 60 * np.array([70.71, -29.29, 0])
    for load in np.linspace(LOAD / 60, LOAD, 60):
        clamp = fsolve(lambda m: tip(m, load)[12:], clamp, xtol=1e-11)
    return tip(clamp, LOAD)[:3] - RADIUS * np.array([1 - np.cos(ANGLE), np.sin(ANGLE), 0])


def exponential(v):
    t2 = (v * v).sum(-1)[..., None, None] + 1e-30
    t, S = np.sqrt(t2), skew(v)
    return np.eye(3) + np.sin(t) / t * S + (1 - np.cos(t)) / t2 * (S @ S)


def logarithm(R):
    """Of rotations by less than a right angle."""
    a = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0],
                  R[..., 1, 0] - R[..., 0, 1]], -1) / 2
    s2 = (a * a).sum(-1) + 1e-30
    s = np.sqrt(s2)
    return a * np.where(abs(s2) < 1e-12, 1 + s2 / 6, np.arcsin(s) / s)[..., None]


def by_elements(torsion, shear, count, load_steps=12):
    """Straight elements with one Gauss point, as in J. C. Simo, L. Vu-Quoc, Comput. Methods Appl.
    Mech. Eng. 58 (1986), 79-116. The energy's gradient by complex steps, Newton's method."""
    angle = np.linspace(0, ANGLE, count + 1)
    X = RADIUS * np.stack([1 - np.cos(angle), np.sin(angle), 0 * angle], -1)
    edges = np.diff(X, axis=0)
    length = np.linalg.norm(edges, axis=1)
    t1, t3 = edges / length[:, None], np.tile([0.0, 0, 1], (count, 1))
    axes = np.stack([t1, np.cross(t3, t1), t3], -1)
    C, D = np.array([E, shear * G, shear * G]), np.array([G * torsion, E / 12, E / 12])
    turned = lambda M: np.swapaxes(M, -1, -2)

    def energy(x, load):
        x = x.reshape(x.shape[:-1] + (count, 6))
        clamp = np.zeros(x.shape[:-2] + (1, 3), dtype=x.dtype)
        r = X + np.concatenate([clamp, x[..., :3]], -2)
        Q = exponential(np.concatenate([clamp, x[..., 3:]], -2))
        w = logarithm(Q[..., 1:, :, :] @ turned(Q[..., :-1, :, :]))
        section = turned(exponential(w / 2) @ Q[..., :-1, :, :] @ axes)
        stretch = (section @ (np.diff(r, axis=-2) / length[:, None])[..., None])[..., 0] - [1, 0, 0]
        bend = (section @ (w / length[:, None])[..., None])[..., 0]
        strain = (stretch**2 * C).sum(-1) + (bend**2 * D).sum(-1)
        return 0.5 * (length * strain).sum(-1) - load * x[..., -1, 2]

    size = 6 * count

    def gradient(x, load):
        return energy(x + 1e-30j * np.eye(size), load).imag / 1e-30

    x = np.full(size, 1e-9)
    for load in np.linspace(LOAD / load_steps, LOAD, load_steps):
        for _ in range(30):
            h = 1e-6
            hessian = np.stack([gradient(x + h * e, load) - gradient(x - h * e, load)
                                for e in np.eye(size)]) / (2 * h)
            change = np.linalg.solve((hessian + hessian.T) / 2, -gradient(x, load))
            x = x + change
            if abs(change).max() < 1e-9:
                break
    return x[-6:-3]


if __name__ == "__main__":
    for torsion, shear in ((0.140577014955, 5 / 6), (1 / 6, 1.0)):
        print(f"J = {torsion:.4f} in^4, k = {shear:.4f}")
        for count in (8, 16):
            print(f"  {count} two-node elements: {np.round(by_elements(torsion, shear, count), 2)}")
        print(f"  shooting: {np.round(by_shooting(torsion, shear), 3)}")
