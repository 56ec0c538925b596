#!/usr/bin/env python3
"""Reference motions of examples/control, by SciPy's DOP853 from equations written out by hand.

Run it in this folder (Debian: python3-scipy); it writes cart-pole.csv and double-pendulum-pid.csv.
Nothing of Tumble is used: angles, torques and integrals of errors are the unknowns.
"""

import numpy as np
from scipy.integrate import solve_ivp

G = 9.81


def cart_pole(_, y):
    """x, theta, their rates, push. Lagrange's equations of a cart with a rod on a hinge."""
    x, a, v, w, push = y
    M, m, c, J = 1.0, 0.2, 0.5, 0.018
    k_x, k_v, k_a, k_w, limit, lag, rub = 3.2, 5.3, 44.0, 11.5, 20.0, 0.02, 0.01
    A = np.array([[M + m, m * c * np.cos(a)], [m * c * np.cos(a), J + m * c * c]])
    b = np.array([push + m * c * w * w * np.sin(a), m * G * c * np.sin(a) - rub * abs(w) * w])
    xdd, add = np.linalg.solve(A, b)
    command = k_x * x + k_v * v + k_a * a + k_w * w
    return [v, w, xdd, add, (limit * np.tanh(command / limit) - push) / lag]


def double_pendulum(t, y):
    """Absolute angles of both links from the vertical, their rates, the integrals of the errors."""
    p1, p2, w1, w2, i1, i2 = y
    m1, m2, l1, c1, c2, I1, I2 = 1.3, 0.7, 0.8, 0.45, 0.3, 0.06, 0.03
    a, w, hold = 1.6, 1.1, 0.7
    path, path_rate = a * np.sin(w * t) ** 2, a * w * np.sin(2 * w * t)
    elbow, elbow_rate = p2 - p1, w2 - w1
    t1 = 90 * (path - p1) + 120 * i1 + 14 * (path_rate - w1)
    t2 = 40 * (hold - elbow) + 60 * i2 - 4 * elbow_rate
    h = m2 * l1 * c2
    A = np.array([[I1 + m1 * c1**2 + m2 * l1**2, h * np.cos(p1 - p2)], [h * np.cos(p1 - p2), I2 + m2 * c2**2]])
    b = np.array(
        [
            t1 - t2 - h * np.sin(p1 - p2) * w2**2 - (m1 * c1 + m2 * l1) * G * np.sin(p1),
            t2 + h * np.sin(p1 - p2) * w1**2 - m2 * c2 * G * np.sin(p2),
        ]
    )
    w1d, w2d = np.linalg.solve(A, b)
    return [w1, w2, w1d, w2d, path - p1, hold - elbow]


def write(name, header, equations, start, duration, step):
    times = np.arange(0, round(duration / step) + 1) * step
    found = solve_ivp(equations, (0, duration), start, method="DOP853", t_eval=times, rtol=1e-13, atol=1e-14)
    finer = solve_ivp(
        equations, (0, duration), start, method="DOP853", t_eval=times, rtol=3e-14, atol=1e-15, max_step=2e-3
    )
    print(name, "differs between tolerances by", np.abs(found.y - finer.y).max())
    with open(name, "w") as out:
        out.write(header + "\n")
        for t, y in zip(times, finer.y.T):
            out.write(",".join(f"{value:.15g}" for value in [t, *y]) + "\n")


if __name__ == "__main__":
    write("cart-pole.csv", "time,x,theta,v,omega,push", cart_pole, [0, 0.25, 0, 0, 0], 4, 0.1)
    write("double-pendulum-pid.csv", "time,phi1,phi2,omega1,omega2,i1,i2", double_pendulum, [0] * 6, 2, 0.05)
