"""Variability response against validation/data/variability: a static cantilever, whose response is linear in the flexibility, and an
oscillator of one degree of freedom, for which the method is a conjecture that fails in a known way."""
import csv
import os
import pathlib
import tempfile

import numpy as np

import _results as results

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
model = root / "examples/beams/variability-response.yaml"


def reference(name, **where):
    with open(root / "validation/data/variability" / name, newline="") as file:
        return [row for row in csv.DictReader(file) if all(float(row[k]) == v for k, v in where.items())]


def run(folder, **numbers):
    settings = [word for path, value in numbers.items()
                for word in ("--set", f"{path.replace('__', '.')}={value}")]
    return results.run(model, folder, "--overwrite", *settings)


# Slender and light: the reference has neither shear nor mass.
slender = {"beams__arm__section__rectangle__height": 0.01, "beams__arm__section__rectangle__width": 0.01,
           "beams__arm__youngs_modulus": 3.2e10}

with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)

    # Static: the load grows slowly, nothing swings. Exact for every deviation, so for a large one.
    for load, column in (("{type: point_load, beam: arm, force: [0, 0.08, 0], drive: slow}", "VRF_over_ust2_tip_load"),
                         ("{type: line_load, beam: arm, force: [0, 0.08, 0], drive: slow}", "VRF_over_ust2_uniform_load")):
        data = run(work / "static", beams__arm__elements=64, bodies__mass__mass=0.05, forces__shaker=load,
                   drives="{slow: {type: smooth_step, start: 0, end: 1}}", simulation__duration=2, simulation__step=0.01,
                   simulation__output_step=0.5, study__variability__std=0.4, study__variability__check=0,
                   study__variability__phases=4, study__variability__waves="{to: 20, count: 21}")
        tip = data.tip_position_dvrf.isel(time=-1).sel(axis="y")
        mean = data.tip_position_dmrf.isel(time=-1).sel(axis="y") * 0.4**2
        for row in reference("static_vrf.csv"):
            kappa = float(row["kappa_L"])
            if kappa not in tip.wave_number:
                continue
            found = float(tip.sel(wave_number=kappa)) / float(mean.sel(wave_number=kappa)) ** 2
            assert abs(found - float(row[column])) < 1e-3, (column, kappa, found, row[column])

    # Random fields too, of every kind: where the response is linear, what waves say is what fields do, for
    # either law. Intervals hold it, of 95 % and at one time each; two of sixteen may not.
    missed = []
    for kernel in ("squared_exponential, length: 0.5", "exponential, length: 0.5", "matern, length: 0.4, smoothness: 1.5",
                   "peaked, length: 0.3"):
        for std in (0.1, 0.3):
            data = run(work / "fields", beams__arm__elements=32, bodies__mass__mass=0.05,
                       drives="{cosine: {type: smooth_step, start: 0, end: 1}}", simulation__duration=2, simulation__step=0.02,
                       simulation__output_step=1, study__variability__std=std, study__variability__check=512,
                       study__variability__phases=4, study__variability__waves="{to: 40, count: 81}",
                       study__variability__spectrum="{kernel: " + kernel + "}", study__max_failed=1)
            for law in ("gaussian", "lognormal"):
                place = dict(axis="y", law=law)
                lower, upper = (float(data[f"tip_position_conjecture_error_{end}"].sel(**place)[-1]) for end in ("lower", "upper"))
                slack = float(data.tip_position_variance_error.sel(axis="y")[-1] / data.tip_position_variance.sel(axis="y")[-1])
                assert -0.15 < lower and upper < 0.15, (kernel, std, law, lower, upper)
                if not lower - slack <= 0 <= upper + slack:
                    missed.append((kernel, std, law, lower, upper, slack))
    assert len(missed) <= 2, missed

    # The oscillator: DVRF and DMRF to 1 %.
    for std, phases, elements in ((0.01, 8, 64), (0.2, 16, 80)):
        data = run(work / "oscillator", **slender, beams__arm__elements=elements, simulation__step=2e-3,
                   study__variability__std=std, study__variability__check=0, study__variability__phases=phases,
                   study__variability__waves="{to: 20, count: 5}")
        compared = 0
        for row in reference("dvrf_sdof.csv", sigma_f=std):
            if float(row["kappa_rad_m"]) not in data.wave_number:
                continue
            place = dict(wave_number=float(row["kappa_rad_m"]), axis="y")
            at = int(round(float(row["t_s"]) / 0.01))
            for variable, column in (("dvrf", "DVRF_m2"), ("dmrf", "DMRF_m")):
                found = float(data["tip_position_" + variable].sel(**place)[at])
                assert abs(found / float(row[column]) - 1) < 0.01, (std, row, variable, found)
                compared += 1
        assert compared == 30, compared

    # How far it holds: the error of the deviation over the largest one, and the bound that does not hold. Elements
    # and steps are the same on both sides of the comparison, so few will do.
    data = run(work / "conjecture", beams__arm__elements=8, simulation__duration=0.6, simulation__step=5e-3,
               study__variability__std=0.2, study__variability__waves="{to: 16, count: 33}", study__variability__check=4096)
    by_waves = np.sqrt(data.tip_position_variance.sel(axis="y"))
    exact = data.tip_position_check_std.sel(axis="y", law="gaussian")
    bound = np.sqrt(data.tip_position_variance_bound.sel(axis="y"))
    for end in (0.3, 0.6):
        until = slice(0, end + 1e-9)
        scale = exact.sel(time=until).max()
        error = float(abs(by_waves - exact).sel(time=until).max() / scale)
        over = float((exact / bound).sel(time=until)[1:].max())
        row, = reference("dvrf_sdof_conjecture.csv", sigma_f=0.2, T_s=end)
        assert abs(error / float(row["std_error_rel_sup"]) - 1) < 0.1, (error, row)
        assert abs(over / float(row["worst_std_over_bound"]) - 1) < 0.1, (over, row)
    told = data.attrs["warnings"]
    assert "the bound of the variance does not hold: with Gaussian fields" in told, told
    assert "variability response is off where lognormal fields were run" in told, told
    # The interval of the error holds that of the reference, of which the largest ratio is at the same time.
    lower, upper = (data[f"tip_position_conjecture_error_{end}"].sel(axis="y", law="gaussian") for end in ("lower", "upper"))
    middle = data.tip_position_conjecture_error.sel(axis="y", law="gaussian")
    assert (lower[1:] <= middle[1:]).all() and (middle[1:] <= upper[1:]).all()

print("static, oscillator and conjecture agree with the references")
