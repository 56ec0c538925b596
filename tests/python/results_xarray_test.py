"""Results open in xarray under the documented names, with units and attributes."""
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import xarray

TUMBLE = os.environ["TUMBLE"]

# A driven pendulum whose drive has a kink at 0.05 s, where the motor starts.
MODEL = """\
title: A driven pendulum
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0], motion: {rz: motor}}
drives:
  motor: {type: piecewise_linear, times: [0, 0.05, 0.1], values: [0, 0, 1]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position, acceleration, orientation, euler_123]}
  hinge: {joint: hinge, quantities: [force, torque, angle]}
  all: {system: true, quantities: [kinetic_energy]}
simulation: {duration: 0.1, step: 1e-3, output_step: 0.01}
"""


SUFFIXES = (("_nominal", "time"), ("_nominal_right", "break"), ("_time_error", "time"),
            ("_time_error_right", "break"))


class ResultsInXarray(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        (path / "model.yaml").write_text(MODEL)
        subprocess.run([TUMBLE, "run", "model.yaml", "-o", "out"], cwd=path, check=True,
                       stdout=subprocess.DEVNULL)
        cls.file = path / "out" / "results.nc"
        cls.data = xarray.open_dataset(cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.data.close()
        cls.folder.cleanup()

    def test_dimensions_and_coordinates(self):
        self.assertEqual(dict(self.data.sizes), {"time": 11, "axis": 3, "quat": 4, "break": 1})
        self.assertEqual(list(self.data["axis"].values), ["x", "y", "z"])
        self.assertEqual(list(self.data["quat"].values), ["w", "x", "y", "z"])
        # Plain seconds: xarray must not turn them into dates or time differences.
        self.assertEqual(self.data["time"].dtype, np.float64)
        self.assertEqual(self.data["break"].dtype, np.float64)
        self.assertEqual(list(self.data["time"].values), [k * 0.01 for k in range(11)])
        np.testing.assert_allclose(self.data["break"].values, [0.05], rtol=1e-15)

    def test_variables_of_probes(self):
        expected = {
            "tip_position": ("axis", "m"),
            "tip_acceleration": ("axis", "m/s^2"),
            "tip_orientation": ("quat", "1"),
            "tip_euler_123": ("axis", "rad"),
            "hinge_force": ("axis", "N"),
            "hinge_torque": ("axis", "N m"),
            "hinge_angle": (None, "rad"),
            "all_kinetic_energy": (None, "J"),
        }
        for name, (component, unit) in expected.items():
            tail = () if component is None else (component,)
            for suffix, along in SUFFIXES:
                variable = self.data[name + suffix]
                self.assertEqual(variable.dims, (along,) + tail, name)
                self.assertEqual(variable.attrs["units"], unit)
                self.assertTrue(variable.attrs["long_name"].startswith(name.split("_")[0] + " "))
                self.assertEqual(variable.dtype, np.float64)
                self.assertTrue(np.isfinite(variable.values).all(), name)
        self.assertEqual(set(self.data.data_vars),
                         {n + s for n in expected for s, _ in SUFFIXES} | {"energy_mismatch_nominal"})
        # The work of the motor is counted: by steps of a millisecond not exactly, but nearly.
        self.assertLess(float(self.data["energy_mismatch_nominal"]), 1e-3)
        self.assertGreater(float(self.data["energy_mismatch_nominal"]), 0)

    def test_time_and_units_of_coordinates(self):
        self.assertEqual(self.data["time"].attrs["units"], "s")
        self.assertEqual(self.data["break"].attrs["units"], "s")

    def test_values_can_be_selected_by_name(self):
        start = self.data["tip_position_nominal"].sel(time=0, axis="x")
        self.assertAlmostEqual(float(start), 1.0, places=12)

    def test_left_and_right_limit_of_a_kink(self):
        # The motor turns at 0 before and at 20 rad/s after 0.05 s: at rest on the left; on the
        # right the tip, 1 m from the axis, is drawn inwards with 400 m/s^2.
        left = self.data["all_kinetic_energy_nominal"].sel(time=0.05, method="nearest")
        right = self.data["all_kinetic_energy_nominal_right"].sel({"break": 0.05}, method="nearest")
        self.assertAlmostEqual(float(left), 0.0, places=9)
        # (J + m r^2) w^2 / 2 = (0.05 + 2 * 0.25) * 400 / 2
        self.assertAlmostEqual(float(right), 110.0, places=6)
        inwards = self.data["tip_acceleration_nominal_right"].sel(axis="x").values[0]
        self.assertAlmostEqual(inwards, -400.0, delta=1e-3)

    def test_global_attributes(self):
        attributes = self.data.attrs
        self.assertEqual(attributes["Conventions"], "CF-1.8")
        self.assertEqual(attributes["title"], "A driven pendulum")
        self.assertRegex(attributes["tumble_version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(attributes["method"], "nominal")
        self.assertEqual(attributes["realizations"], 1)
        self.assertEqual(attributes["failed"], 0)
        self.assertEqual(attributes["model_sha256"],
                         hashlib.sha256(attributes["model"].encode()).hexdigest())
        self.assertIn("bob", attributes["model"])
        for name in ("steps", "iterations", "factorizations", "restarts"):
            self.assertGreater(attributes[name], 0, name)
        self.assertLess(attributes["constraint_drift"], 1e-6)
        for name in ("wall_time", "host", "threads"):
            self.assertIn(name, attributes)

    def test_recorded_model_gives_the_same_results(self):
        path = self.file.parent / "again.yaml"
        path.write_text(self.data.attrs["model"])
        subprocess.run([TUMBLE, "run", path.name, "-o", "again"], cwd=path.parent, check=True,
                       stdout=subprocess.DEVNULL)
        with xarray.open_dataset(path.parent / "again" / "results.nc") as again:
            self.assertTrue(self.data.identical(again.assign_attrs(self.data.attrs)))


if __name__ == "__main__":
    unittest.main()
