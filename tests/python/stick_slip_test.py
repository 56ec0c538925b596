"""A mass that sticks and slips under LuGre friction, written with a state variable, against an
integration by SciPy: the motion, the second order of the steps, and when it breaks loose."""
import pathlib
import sys
import tempfile

import numpy as np
from scipy.integrate import solve_ivp

import _results as results

model = (pathlib.Path(__file__).resolve().parents[2] / "examples" / "friction" / "stick-slip.yaml")
s0, s1, s2, Fc, Fs, vs, k, speed = 1e5, np.sqrt(1e5), 0.4, 1.0, 1.5, 1e-3, 2.0, 0.1


def rates(t, y):
    x, v, z = y
    dz = v - s0 * abs(v) * z / (Fc + (Fs - Fc) * np.exp(-(v / vs)**2))
    return [v, k * (speed * t - x) - (s0 * z + s1 * dz + s2 * v), dz]


def slips(t, y):
    return y[1] - 0.02


slips.direction = 1


def require(condition, text):
    if not condition:
        sys.exit(text)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    nominal = "study.realizations=2"
    runs = [results.run(model, folder / str(i), "--set", f"simulation.step={h}", "--set", nominal)
            for i, h in enumerate((1e-3, 5e-4))]
    t = runs[0].time.values
    exact = solve_ivp(rates, (0, 20), [0, 0, 0], method="Radau", t_eval=t, events=slips, rtol=1e-9,
                      atol=1e-12)
    require(exact.status == 0, "SciPy did not get to the end")
    error = [np.max(np.abs(run.mass_displacement_nominal.values[:, 2] - exact.y[0])) for run in runs]
    require(error[0] < 1e-4, f"the motion is off by {error[0]:g} m")
    require(3.5 < error[0] / error[1] < 4.5, f"halved steps: {error}")
    # Bristles swing about the level when the mass comes to rest: the first of each 0.5 s counts.
    times = [exact.t_events[0][0]]
    for time in exact.t_events[0]:
        if time >= times[-1] + 0.5:
            times.append(time)
    found = runs[1].event_time.values
    require(len(times) >= 2, "it hardly slips")
    require(len(found) == len(times), f"{len(found)} slips, {len(times)} of SciPy's")
    results.near("slips", found, times, 1e-4)
