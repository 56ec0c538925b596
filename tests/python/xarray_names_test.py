"""Which variables of results a dot does not reach in xarray, because it or Python has the name: those that the guide tells of."""
import keyword
import os
import pathlib
import tempfile

import numpy as np
import xarray

import _results as results

MODEL = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0], motion: {rz: motor}}
drives:
  motor: {type: piecewise_linear, times: [0, 0.05, 0.1], values: [0, 0, 1]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position, orientation]}
quantities:
  low: {of: tip.position.z, kind: minimum}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
uncertainty:
  bodies.bob.mass: {law: normal, mean: 2, std: 0.1}
"""
STUDIES = ("study: {method: monte-carlo, realizations: 70, store: [3], densities: {times: [0.1]}, region: tolerance}",
           "study: {method: chaos, chaos: {degree: 2}}")

guide = (pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"]) / "docs/guide/ensembles.md").read_text()
with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    hidden = set()
    for number, study in enumerate(STUDIES):
        (work / "model.yaml").write_text(MODEL + study + "\n")
        data = results.run(work / "model.yaml", work / str(number))
        hidden |= {str(name) for name in data.variables if hasattr(xarray.Dataset, str(name)) or keyword.iskeyword(str(name))}
        assert callable(data.count) and callable(data.quantile), "xarray gave up its methods: tell users"
        assert data["count"].dims == ("time",) and np.allclose(data["quantile"], [0.05, 0.5, 0.95])
    assert hidden == {"count", "quantile", "break"}, hidden
    for name in hidden:
        assert f'data["{name}"]' in guide, name
print("names in xarray:", *sorted(hidden))
