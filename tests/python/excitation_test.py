"""Random drives by plain Monte Carlo through the program, against closed forms. The linear oscillator under white
noise: variances from rest to the stationary state, and the first passage. A quarter of a car on a road: the
acceleration of the body, plain and weighted, against integrals of its spectrum."""
import os
import pathlib
import sys
import tempfile

import numpy as np

import _results as results

ROOT = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
W, ZETA = 2 * np.pi, 0.05
FIRST_PASSAGE, ITS_ERROR = 0.0783, 0.0003  # 1.2e6 runs with exact transitions


def variance(t):
    """Of x under ideal white noise from rest, the stationary one being 1 (T. K. Caughey, H. J. Stumpf,
    J. Appl. Mech. 28, 1961)."""
    wd = W * np.sqrt(1 - ZETA**2)
    sine = np.sin(wd * t)
    return 1 - np.exp(-2 * ZETA * W * t) / wd**2 * (
        wd**2 + 2 * (ZETA * W * sine)**2 + ZETA * W * wd * np.sin(2 * wd * t))


def check(data, count):
    t = data.time.values
    found = data.mass_position_std.values[:, 0]**2 + data.mass_position_mean.values[:, 0]**2
    # Five standard errors of a variance at each of a few times far apart, and the noise that the band leaves
    # out: it is least damped right after the start, where x goes like the cube of the time.
    for time in (0.5, 1.0, 2.5, 5.0, 7.5, 10.0):
        i = np.argmin(np.abs(t - time))
        ratio = found[i] / variance(t[i])
        if not abs(ratio - 1) < 5 * np.sqrt(2 / count) + 0.01 / (1 + 20 * time):
            sys.exit(f"variance at {time} s: {ratio:.4f} of the exact one")
    crossed = np.isfinite(data.quantity_leaves.values).mean()
    # The band takes 0.3 % of the rate at which x crosses.
    allowed = 4.5 * np.sqrt(FIRST_PASSAGE / count) + ITS_ERROR + 0.003 * FIRST_PASSAGE
    print(f"{count} runs: first passage {crossed:.5f}, exact {FIRST_PASSAGE}; variance at 10 s {found[-1]:.4f}")
    if not abs(crossed - FIRST_PASSAGE) < allowed:
        sys.exit(f"first passage: {crossed:.5f}, exact {FIRST_PASSAGE}, more than {allowed:.5f} apart")
    if not abs(float(data.quantity_leaves_probability) - crossed) < 1e-12:
        sys.exit("the probability that is stored is another")


QUARTER_CAR = """
constants: {body: 350, wheel: 38, k: 24e3, c: 1400, tyre: 200e3, ct: 100}
bodies:
  body: {mass: body, position: [0, 0, 1], inertia: [1, 1, 1]}
  wheel: {mass: wheel, position: [0, 0, 0.5], inertia: [1, 1, 1]}
  road: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
drives:
  rough: {type: road, class: C, speed: 20, to: 1.5}
  begin: {type: smooth_step, start: 0, end: 1}
  height: {type: product, of: [rough, begin]}
joints:
  guide_body: {type: prismatic, between: [ground, body], point: [0, 0, 1], axis: [0, 0, 1]}
  guide_wheel: {type: prismatic, between: [ground, wheel], point: [0, 0, 0.5], axis: [0, 0, 1]}
  bed: {type: fixed, between: [ground, road], point: [0, 0, 0], motion: {z: height}}
forces:
  strut: {type: bushing, between: [wheel, body], point: [0, 0, 0.5], stiffness: [0, 0, k, 0, 0, 0], damping: [0, 0, c, 0, 0, 0]}
  tyre: {type: bushing, between: [road, wheel], point: [0, 0, 0], stiffness: [0, 0, tyre, 0, 0, 0], damping: [0, 0, ct, 0, 0, 0]}
probes:
  body: {body: body, quantities: [acceleration]}
  road: {body: road, quantities: [position]}
quantities:
  plain: {of: body.acceleration.z, kind: rms, from: 4}
  felt: {of: body.acceleration.z, kind: rms, weighting: Wk, from: 4}
  height: {of: road.position.z, kind: rms, from: 4}
simulation: {duration: 8, step: 2.5e-3, output_step: 5e-3, time_error: false}
study: {method: monte-carlo, realizations: 500, seed: 3, quantile_method: sketch}
"""


def quarter_car_spectra(f):
    """|H|^2 from the height of the road to the acceleration of the body, and of the weighting Wk (ISO 2631-1)."""
    s = 2j * np.pi * f
    m, mw, k, c, kt, ct = 350, 38, 24e3, 1400, 200e3, 100
    strut, tyre = k + c * s, kt + ct * s
    # m s^2 x = strut (y - x); mw s^2 y = tyre (u - y) - strut (y - x)
    x = strut * tyre / ((m * s**2 + strut) * (mw * s**2 + strut + tyre) - strut**2)
    w1, w2, w3, w5, w6 = 2 * np.pi * np.array([0.4, 100, 12.5, 2.37, 3.35])
    r2 = np.sqrt(2)
    wk = (s**2 / (s**2 + r2 * w1 * s + w1**2) * w2**2 / (s**2 + r2 * w2 * s + w2**2) *
          (1 + s / w3) / (1 + s / (0.63 * w3) + (s / w3)**2) *
          (1 + s / (0.91 * w5) + (s / w5)**2) / (1 + s / (0.91 * w6) + (s / w6)**2) * (w5 / w6)**2)
    return np.abs(s**2 * x)**2, np.abs(wk)**2


def check_quarter_car(folder):
    model = folder / "quarter-car.yaml"
    model.write_text(QUARTER_CAR)
    data = results.run(model, folder / "quarter-car")
    f = np.linspace(0.011 * 20, 1.5 * 20, 200_001)
    density = 256e-6 / 20 * (f / 2)**-2.0
    gain, weighting = quarter_car_spectra(f)
    expected = {"plain": np.trapz(gain * density, f), "felt": np.trapz(gain * weighting * density, f),
                "height": np.trapz(density, f)}
    for name, variance in expected.items():
        squares = data[f"quantity_{name}"].values**2
        error = squares.std(ddof=1) / np.sqrt(squares.size)
        print(f"quarter car, {name}: {squares.mean():.6g} +- {error:.2g}, by its spectrum {variance:.6g}")
        # Five standard errors, and 1 % for steps, outputs and what is left of the start.
        if not abs(squares.mean() - variance) < 5 * error + 0.01 * variance:
            sys.exit(f"quarter car, {name}: mean square {squares.mean():g}, by its spectrum {variance:g}")


def main(count=2000):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data = results.run(ROOT / "examples/random-excitation/oscillator.yaml", folder / "out", "-n", str(count))
        check(data, count)
        check_quarter_car(folder)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
