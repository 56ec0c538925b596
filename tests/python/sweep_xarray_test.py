"""The results of a sweep open in xarray: coordinates, shapes, and averages that numpy agrees with."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np
import xarray

TUMBLE = os.environ["TUMBLE"]

# A mass on a spring: v(t) = v0 cos(sqrt(k/m) t). The table varies v0, the sweep m and k.
MODEL = """\
bodies:
  cart: {mass: 2, position: [1, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, between: [ground, cart], point: [0, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: bushing, between: [ground, cart], point: [0, 0, 0], stiffness: [50, 0, 0, 0, 0, 0]}
probes:
  cart: {body: cart, quantities: [velocity]}
  all: {system: true, quantities: [total_energy]}
simulation: {duration: 1, step: 2e-4, output_step: 0.05}
study: {method: table, file: rows.csv, store: all}
"""
SPEEDS = [-1.0, 0.5, 1.0, 2.5]


class SweepInXarray(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name)
        (path / "model.yaml").write_text(MODEL)
        (path / "rows.csv").write_text("bodies.cart.velocity[0]\n" + "\n".join(map(str, SPEEDS)))
        subprocess.run([TUMBLE, "sweep", "model.yaml", "-o", "out", "--vary", "bodies.cart.mass=2,8",
                        "--vary", "forces.spring.stiffness[0]=50:150:3", "--vary",
                        "study.quantile_method=exact", "--set", "bodies.cart.velocity=[0, 0, 0]"],
                       cwd=path, check=True, stdout=subprocess.DEVNULL)
        cls.data = xarray.open_dataset(path / "out" / "results.nc")

    @classmethod
    def tearDownClass(cls):
        cls.data.close()
        cls.folder.cleanup()

    def test_coordinates(self):
        data = self.data
        self.assertEqual(data.sizes["sweep"], 6)
        for name in ("bodies.cart.mass", "forces.spring.stiffness[0]", "study.quantile_method"):
            self.assertIn(name, data.coords)
            self.assertEqual(data[name].dims, ("sweep",))
        np.testing.assert_array_equal(data["bodies.cart.mass"], [2, 2, 2, 8, 8, 8])
        np.testing.assert_array_equal(data["forces.spring.stiffness[0]"], [50, 100, 150] * 2)
        self.assertEqual(list(data["study.quantile_method"].values), ["exact"] * 6)
        np.testing.assert_array_equal(data["sweep"], range(6))
        self.assertEqual(list(data["axis"].values), ["x", "y", "z"])

    def test_shapes(self):
        shapes = {"cart_velocity_mean": ("sweep", "time", "axis"),
                  "cart_velocity_quantile": ("sweep", "quantile", "time", "axis"),
                  "cart_velocity": ("sweep", "realization", "time", "axis"),
                  "cart_velocity_std_time_mean": ("sweep", "axis"),
                  "all_total_energy_std_time_mean": ("sweep",),
                  "inputs": ("sweep", "realization", "input"), "status": ("sweep", "realization"),
                  "count": ("sweep", "time"), "failed": ("sweep",), "time": ("time",)}
        for name, dimensions in shapes.items():
            self.assertEqual(self.data[name].dims, dimensions, name)
        self.assertEqual(self.data.cart_velocity_std_time_mean.attrs["units"], "m/s")
        self.assertEqual(self.data.attrs["method"], "sweep")
        self.assertEqual(self.data.attrs["realizations"], 24)
        self.assertEqual(self.data.attrs["seed"], 1)
        self.assertIn("bodies.cart.mass=2,8", self.data.attrs["sweep"])
        self.assertNotIn("left_out", self.data.attrs)

    def test_numbers_of_points(self):
        for point in range(6):
            at = self.data.isel(sweep=point)
            omega = np.sqrt(float(at["forces.spring.stiffness[0]"]) / float(at["bodies.cart.mass"]))
            phase = omega * self.data.time.values
            speeds = np.outer(SPEEDS, np.cos(phase))
            np.testing.assert_allclose(at.cart_velocity.sel(axis="x"), speeds, atol=1e-4)
            np.testing.assert_allclose(at.cart_velocity_std.sel(axis="x"), speeds.std(0, ddof=1),
                                       atol=1e-4)
            np.testing.assert_allclose(at.cart_velocity_std_time_mean.sel(axis="x"),
                                       speeds.std(0, ddof=1).mean(), atol=1e-4)
            self.assertEqual(float(at.cart_velocity_std_time_mean.sel(axis="y")), 0)

    def test_averages(self):
        for name in ("cart_velocity_std", "all_total_energy_std"):
            np.testing.assert_allclose(self.data[name + "_time_mean"], self.data[name].mean("time"),
                                       rtol=1e-14)

    def test_as_a_table(self):
        table = (self.data.set_index(sweep=["bodies.cart.mass", "forces.spring.stiffness[0]"])
                 .cart_velocity_std_time_mean.sel(axis="x").unstack("sweep"))
        self.assertEqual(table.shape, (2, 3))
        self.assertEqual(float(table.sel({"bodies.cart.mass": 8, "forces.spring.stiffness[0]": 150})),
                         float(self.data.cart_velocity_std_time_mean.sel(axis="x")[5]))


if __name__ == "__main__":
    unittest.main()
