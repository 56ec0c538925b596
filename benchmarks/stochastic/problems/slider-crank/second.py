"""Closed form: the slider's place follows from geometry, the motor's torque from the power of weight and inertia."""
import numpy as np

W, GRAVITY = 20.0, 9.81
ROD_CENTRE, ROD_MASS, ROD_INERTIA = 0.25, 1.2, 0.01
CRANK_CENTRE, CRANK_MASS, SLIDER_MASS = 0.05, 2.0, 3.0
FIRST, SECOND = "joints.crankpin.point[0]", "joints.pin.point[0]"
TOLERANCE = 1e-9           # of the largest value; of scalars that are peaks
EVERY_DRAW = True


def motion(r, l, t):
    """x, x'' of the slider and the torque about +y on the crank; r, l: (n, 1), t: (times)."""
    a = W * t[None]
    s = r / l * np.sin(a)
    c = np.sqrt(1 - s**2)
    # The rod turns by b about +y: sin b = -s.
    b1 = -r / l * W * np.cos(a) / c
    b2 = (r / l * W**2 * np.sin(a) - s * b1**2) / c      # of cos(b) b' = -(r/l) w cos a, with cos b = c, sin b = -s
    x = r * np.cos(a) + l * c
    x1 = -r * W * np.sin(a) - l * b1 * -s                # d(l cos b)/dt = -l sin b b'
    x2 = -r * W**2 * np.cos(a) - l * (c * b1**2 + -s * b2)
    d = ROD_CENTRE - r                                   # of the rod's centre from the crank's pin: it is not moved with the pins
    vx, vz = -r * W * np.sin(a) + d * s * b1, -r * W * np.cos(a) - d * c * b1
    ax = -r * W**2 * np.cos(a) - d * (c * b1**2 - s * b2)
    az = r * W**2 * np.sin(a) + d * (-s * b1**2 - c * b2)
    climb = ROD_MASS * vz - CRANK_MASS * CRANK_CENTRE * W * np.cos(a)
    power = ROD_MASS * (vx * ax + vz * az) + ROD_INERTIA * b1 * b2 + SLIDER_MASS * x1 * x2 + GRAVITY * climb
    return x, x2, power / W


def machines(first, second, times):
    r, l = first[:, None], (second - first)[:, None]
    x, x2, torque = motion(r, l, np.asarray(times))
    dense = np.linspace(0, 0.4, 8001)
    _, fine_x2, fine_torque = motion(r, l, dense)
    # The probe is a point of the slider at its nominal place, 0.4 m at t = 0, where the pin is bored at r + l.
    return {"x": x + (0.4 - second[:, None]), "ax": x2, "torque": torque, "peak_acceleration": np.max(np.abs(fine_x2), axis=1),
            "torque_100ms": motion(r, l, np.array([0.1]))[2][:, 0], "peak_torque": np.max(fine_torque, axis=1)}


def responses(draws, times):
    return machines(draws[FIRST], draws[SECOND], times)


def nodes():
    """Machines and weights of a Gauss-Hermite rule."""
    g, w = np.polynomial.hermite_e.hermegauss(12)
    w = w / w.sum()
    r, l = np.meshgrid(0.1 + 0.002 * g, 0.3 + 0.004 * g, indexing="ij")
    return {FIRST: r.ravel(), SECOND: (r + l).ravel()}, np.outer(w, w).ravel()
