"""Polynomial chaos and Monte Carlo on the same germ agree: the planar pendulum of Wu et al. (2016), both as
the paper has it, 36 runs at Gauss points and 1000 draws."""
import os
import pathlib
import sys
import tempfile

import numpy as np

import _results as results

examples = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"]) / "examples" / "wu-2016"


def run(folder, model, *arguments):
    return results.run(examples / model, folder, *arguments)


def check(name, chaos, draws, probes):
    """Within 4 standard errors plus the error that the chaos study states, at all times. (Four
    standard errors are left by chance once in 16000; the 200 times are far from independent.)"""
    for probe in probes:
        for statistic in ("mean", "std"):
            q = f"{probe}_position_{statistic}"
            bound = 4 * draws[q + "_se"].fillna(0) + chaos[q + "_error"].fillna(0) + 1e-9
            excess = float((np.abs(chaos[q] - draws[q]) / bound).max())
            if not excess <= 1:
                sys.exit(f"{name}: {q} differs by {excess:.2f} times what is allowed")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        chaos = run(work / "chaos", "planar-pendulum.yaml")
        draws = run(work / "draws", "planar-pendulum-mc.yaml")
        assert chaos.attrs["realizations"] == 36 + 64 and draws.attrs["realizations"] == 1000
        assert int((chaos.role == 0).sum()) == 36 and "chaos_warnings" not in chaos.attrs
        # The paper's abscissae in each of the two germs.
        germ = chaos.inputs.sel(input="fields.arm.poisson_ratio.germ[0]").values[chaos.role.values == 0]
        assert np.allclose(np.unique(np.round(germ, 4)),
                           [-3.3243, -1.8892, -0.6167, 0.6167, 1.8892, 3.3243], atol=1e-9)
        check("planar pendulum", chaos, draws, ["tip"])
        # It grows with time to some millimetres and more, and is not merely agreement on nothing.
        assert float(draws.tip_position_std.isel(time=-1).max()) > 2e-3
