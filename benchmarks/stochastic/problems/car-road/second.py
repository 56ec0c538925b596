"""Kane's equations in ten minimal coordinates, by the classical Runge-Kutta method: independent/car.py."""
import re

import numpy as np

from independent.car import BASE, Car, top_of

SPEED, BEGIN = 20.0, 0.5
DELAY = BASE / SPEED
FREQUENCIES = np.array([0.5561, 0.6878, 0.8507, 1.052, 1.301, 1.61, 1.991, 2.462, 3.046, 3.767, 4.659, 5.763, 7.128, 8.816, 10.9, 13.49])
TOLERANCE = 2e-3           # peaks are looked for every 4 ms
DRAWS = 64


def step(t):
    s = min(max(t / BEGIN, 0.0), 1.0)
    return 10 * s**3 - 15 * s**4 + 6 * s**5, 30 * s**2 * (1 - s)**2 / BEGIN


def responses(draws, times):
    amplitudes = {side: [np.array([draws[f"drives.f{side}_{kind}{k + 1}.amplitude"] for k in range(16)]) for kind in "cs"] for side in "lr"}

    def height(side, t, since):
        turns = 2 * np.pi * FREQUENCIES * t
        c, s = amplitudes[side]
        value = np.cos(turns) @ c + np.sin(turns) @ s
        rate = (2 * np.pi * FREQUENCIES * np.cos(turns)) @ s - (2 * np.pi * FREQUENCIES * np.sin(turns)) @ c
        share, growth = step(since)
        return share * value, share * rate + growth * value

    def road(t):
        tracks = [height(side, t - late, t - late) for late in (0.0, DELAY) for side in "lr"]
        return [track[0] for track in tracks], [track[1] for track in tracks]
    out, grid, fine = Car(draws, road).run(np.asarray(times), 5.0, 2e-3, 4e-3)
    even = np.isclose(grid / 4e-3, np.round(grid / 4e-3), atol=1e-6)
    return {"az": out["az"], "tyre": out["tyre"], "driver_peak": top_of(np.abs(fine["az"][:, even])), "tyre_least": -top_of(-fine["tyre"][:, even])}
