"""Integrators of many differential equations at once: y has one row for each machine."""
import numpy as np


def runge_kutta(rates, y, times, longest):
    """The classical method of fourth order; states at `times`, of which the first is that of y."""
    out = [y]
    for t0, t1 in zip(times[:-1], times[1:]):
        steps = max(1, int(np.ceil((t1 - t0) / longest - 1e-9)))
        h = (t1 - t0) / steps
        for i in range(steps):
            t = t0 + i * h
            k1 = rates(t, y)
            k2 = rates(t + h / 2, y + h / 2 * k1)
            k3 = rates(t + h / 2, y + h / 2 * k2)
            k4 = rates(t + h, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(y)
    return np.array(out)


ROOT = np.sqrt(6)
RADAU = np.array([[(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
                  [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
                  [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9]])
RADAU_TIMES = np.array([(4 - ROOT) / 10, (4 + ROOT) / 10, 1])


def radau(rates, y, times, longest, tolerance=1e-12):
    """Radau IIA with three stages, of fifth order, for stiff equations (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II,
    section IV.5). rates(t, y, side): `side` is 1 where a step begins and -1 within it and at its end, for jumps of the right side."""
    out = [y]
    for t0, t1 in zip(times[:-1], times[1:]):
        steps = max(1, int(np.ceil((t1 - t0) / longest - 1e-9)))
        h = (t1 - t0) / steps
        for i in range(steps):
            y = _radau_step(rates, t0 + i * h, y, h, tolerance)
        out.append(y)
    return np.array(out)


def _jacobian(rates, t, y):
    f = rates(t, y, 1)
    out = np.empty(y.shape + y.shape[1:])
    for j in range(y.shape[1]):
        step = 1e-7 * np.maximum(np.abs(y[:, j]), 1e-2)
        moved = y.copy()
        moved[:, j] += step
        out[:, :, j] = (rates(t, moved, 1) - f) / step[:, None]
    return out


def _radau_step(rates, t, y, h, tolerance):
    n, m = y.shape
    J = _jacobian(rates, t, y)
    system = np.einsum("ij,nkl->nikjl", -h * RADAU, J).reshape(n, 3 * m, 3 * m) + np.eye(3 * m)
    inverse = np.linalg.inv(system)
    z = np.zeros((n, 3, m))                     # stages less y
    for iteration in range(30):
        f = np.stack([rates(t + c * h, y + z[:, i], -1) for i, c in enumerate(RADAU_TIMES)], axis=1)
        wrong = h * np.einsum("ij,njk->nik", RADAU, f) - z
        change = np.einsum("nij,nj->ni", inverse, wrong.reshape(n, 3 * m)).reshape(n, 3, m)
        z = z + change
        if np.max(np.abs(change)) < tolerance:
            return y + z[:, 2]
    if np.max(np.abs(change)) < 1e4 * tolerance:      # rounding
        return y + z[:, 2]
    raise ArithmeticError(f"no convergence at t = {t:g}")
