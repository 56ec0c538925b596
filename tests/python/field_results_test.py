"""Random fields in results: as documented, realisations follow from inputs, whatever the method."""
import os
import pathlib
import tempfile

import numpy as np

import _results as results
from _results import near

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
FIELD = "field_arm_poisson_ratio"


def run(folder, *arguments):
    return results.run(root / "examples/wu-2016/planar-pendulum.yaml", folder / "out", "--overwrite",
                       "--set", "simulation.duration=0.01", *arguments)


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    for method in ("chaos", "monte-carlo", "sobol"):
        study = ([] if method == "chaos" else
                 ["--set", f"study={{method: {method}, realizations: 64, seed: 3}}"])
        data = run(work, *study)
        place = data[FIELD + "_place"]
        near("mean", data[FIELD + "_mean"], 0.3, 1e-15)
        near("std", data[FIELD + "_std"], 0.015, 1e-15)
        error = data[FIELD + "_variance_error"]
        # The paper's largest error is 0.0032, at the ends; 5 elements have 41 places.
        assert place.size == 41 and 0.003 < error.max() < 0.0033, (place.size, error.max())
        assert place[0] == 0 and abs(place[-1] - 1) < 1e-14 and (np.diff(place) > 0).all()
        modes = data[FIELD + "_modes"]
        assert modes.dims == (FIELD + "_germ", FIELD + "_place")
        assert modes.attrs["distribution"] == "gaussian"
        near("error", error, 1 - (modes**2).sum(FIELD + "_germ") / 0.015**2, 1e-12)
        # The documented snippet.
        germ = data.inputs.sel(input=data[FIELD + "_germ"])
        values = germ.dot(modes) + data[FIELD + "_mean"]
        assert values.dims == ("realization", FIELD + "_place"), values.dims
        assert values.shape[0] == (36 + 64 if method == "chaos" else 64)
        # The correlation of the ends is exp(-d^2 / a^2), with a = 2 m; a series that leaves out the part
        # e of the variance at both misses at most e of it.
        ends = float((modes[:, 0] * modes[:, -1]).sum()) / 0.015**2
        near("correlation", ends, np.exp(-0.25), float(error.max()))
        # Every node has its ellipse.
        assert data.node5_position_principal_std.dims == ("time", "principal")
    # Without a study the field is there as well.
    text = (root / "examples/wu-2016/planar-pendulum.yaml").read_text()
    (work / "single.yaml").write_text(text[: text.index("study:")])
    single = results.run(work / "single.yaml", work / "one", "--set", "simulation.duration=0.01")
    assert single[FIELD + "_modes"].shape == (2, 41)
