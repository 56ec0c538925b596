#!/usr/bin/python3
"""Models in Python: numbers by path, single runs, statics, draws, elements of one's own."""

import csv
import math
import os
import subprocess
import unittest

import numpy as np

import tumble

EXAMPLES = os.path.join(os.environ["TUMBLE_SOURCE_DIR"], "examples")
PENDULUM = os.path.join(EXAMPLES, "classics", "pendulum.yaml")
CASE4 = os.path.join(EXAMPLES, "batou-soize-2012", "case4.yaml")


def spring_mass(k=100.0, m=2.0, x=0.1):
    """A mass on a spring along x, released from x: x cos(sqrt(k/m) t)."""
    return tumble.Model(
        title="spring", gravity=[0, 0, 0],
        bodies={"mass": dict(mass=m, position=[1 + x, 0, 0], inertia=[1, 1, 1, 0, 0, 0])},
        joints={"rail": dict(type="prismatic", between=["ground", "mass"], point=[0, 0, 0], axis=[1, 0, 0])},
        forces={"spring": dict(type="spring", between=["ground", "mass"], points=[[0, 0, 0], [1 + x, 0, 0]],
                               stiffness=k, length=1)},
        probes={"mass": dict(body="mass", quantities=["position"])},
        simulation=dict(duration=1, step=1e-3, output_step=0.01))


class Numbers(unittest.TestCase):
    def test_are_read_and_set_by_path(self):
        model = tumble.load(PENDULUM)
        self.assertAlmostEqual(model["bodies.rod.mass"], 7850 * math.pi * 1e-4, places=12)
        model["constants.length"] = 2
        self.assertAlmostEqual(model["bodies.rod.mass"], 2 * 7850 * math.pi * 1e-4, places=12)
        with self.assertRaises(KeyError):
            model["bodies.rod.weight"]

    def test_mistakes_are_told_and_not_kept(self):
        model = tumble.load(PENDULUM)
        with self.assertRaisesRegex(tumble.InputError, r"bodies\.rod\.colour"):
            model["bodies.rod.colour"] = "red"
        with self.assertRaises(ValueError):  # what it is for those who do not know us
            model["simulation.step"] = -1
        self.assertEqual(model.overrides, [])
        with self.assertRaisesRegex(tumble.InputError, "no-such-file"):
            tumble.load("no-such-file.yaml")
        with self.assertRaises(TypeError):
            tumble.Model()

    def test_a_law_makes_a_number_random(self):
        model = tumble.load(PENDULUM)
        model["bodies.rod.mass"] = tumble.normal(2.5, 0.1)
        self.assertEqual(model.laws()["bodies.rod.mass"]["law"], "normal")
        self.assertEqual(model.laws()["bodies.rod.mass"]["std"], 0.1)
        random = [p["path"] for p in model.parameters() if p["random"]]
        self.assertEqual(random, ["bodies.rod.mass"])

    def test_a_copy_is_another_model(self):
        model = tumble.load(PENDULUM)
        other = model.copy()
        other["constants.length"] = 3
        self.assertEqual(model["bodies.rod.position[0]"], 0.5)
        self.assertEqual(other["bodies.rod.position[0]"], 1.5)


class SingleRuns(unittest.TestCase):
    def test_follow_the_closed_form(self):
        run = spring_mass().run()
        expected = 1 + 0.1 * np.cos(math.sqrt(100 / 2) * run.time)
        # The error of the time integration, second order: (w h)^2 / 12 of the phase w t, and the numerical damping.
        np.testing.assert_allclose(run["mass.position.x"], expected, rtol=0, atol=5e-6)
        self.assertEqual(run.units["mass.position"], "m")
        self.assertEqual(run.to_xarray()["mass_position"].sel(axis="x").shape, run.time.shape)
        with self.assertRaisesRegex(KeyError, "there are mass.position"):
            run["mass.speed"]

    def test_have_the_numbers_of_the_command_line(self):
        subprocess.run([os.environ["TUMBLE"], "run", PENDULUM, "-o", "cli", "--overwrite", "--no-report", "-q"], check=True)
        run, cli = tumble.load(PENDULUM).run(), tumble.open_results("cli")
        for name, values in run.series.items():
            np.testing.assert_array_equal(values, cli.data[name.replace(".", "_") + "_nominal"].values)

    def test_end_with_a_reason_where_they_cannot_go_on(self):
        model = spring_mass()
        model.add_force(lambda c: [((math.nan if c.time > 0.5 else 0, 0, 0), (0, 0, 0))], ["mass"], name="nonsense")
        with self.assertRaisesRegex(tumble.SimulationError, "nonsense"):
            model.run()


class Statics(unittest.TestCase):
    def test_modes(self):
        mode = spring_mass().modes(1)[0]
        self.assertAlmostEqual(mode["frequency"], math.sqrt(100 / 2) / (2 * math.pi), places=9)
        self.assertAlmostEqual(abs(mode["shape"]["mass"][0]), 1, places=9)

    def test_equilibrium(self):
        model = spring_mass()
        model["gravity"] = [9.81, 0, 0]
        found = model.equilibrium("rest")
        self.assertAlmostEqual(found["mass.position"][0], 1 + 2 * 9.81 / 100, places=9)


class Draws(unittest.TestCase):
    def test_are_those_of_the_command_line(self):
        subprocess.run([os.environ["TUMBLE"], "sample", CASE4, "-n", "20", "--seed", "7", "-o", "draws.csv",
                        "--overwrite"], check=True, stdout=subprocess.DEVNULL)
        with open("draws.csv") as file:
            rows = list(csv.reader(file))
        found = tumble.load(CASE4).sample(20, seed=7)
        self.assertEqual(list(found.input.values), rows[0])
        np.testing.assert_array_equal(found.inputs.values, np.array(rows[1:], float))


class Derivatives(unittest.TestCase):
    def test_agree_with_the_closed_form(self):
        k, m, x = 100.0, 2.0, 0.1
        found = spring_mass(k, m, x).derivatives("forces.spring.stiffness")
        w = math.sqrt(k / m)
        expected = -x * np.sin(w * found.time) * found.time / (2 * w * m)
        np.testing.assert_allclose(found["mass.position.x"], expected, atol=1e-6)


class ElementsInPython(unittest.TestCase):
    def test_a_force_moves_the_mass_as_the_spring_does(self):
        model = spring_mass(k=0.0)
        model.add_force(lambda c: [((-c.numbers[0] * (c.bodies[0].position[0] - 1), 0, 0), (0, 0, 0))], ["mass"],
                        name="python_spring", numbers={"stiffness": 100.0})
        np.testing.assert_allclose(model.run()["mass.position.x"], spring_mass().run()["mass.position.x"], atol=1e-9)

    def test_a_constraint_holds(self):
        """A bead on a circular wire: |r|^2 = 1."""
        bead = tumble.Model(
            gravity=[0, 0, -9.81], bodies={"bead": dict(mass=1, position=[1, 0, 0], inertia=[1, 1, 1, 0, 0, 0])},
            probes={"bead": dict(body="bead", quantities=["position", "velocity"])},
            simulation=dict(duration=1, step=1e-3, output_step=0.05))

        def wire(c):
            p, v = c.bodies[0].position, c.bodies[0].velocity
            return [tumble.Row(p @ p / 2 - 0.5, [(p, (0, 0, 0))], v @ v),
                    tumble.Row(p[1], [((0, 1, 0), (0, 0, 0))])]

        bead.add_constraint(wire, ["bead"], rows=2)
        run = bead.run()
        np.testing.assert_allclose(np.linalg.norm(run["bead.position"], axis=1), 1, atol=1e-9)
        energy = 0.5 * np.sum(run["bead.velocity"] ** 2, axis=1) + 9.81 * run["bead.position.z"]
        np.testing.assert_allclose(energy, 0, atol=1e-4)

    def test_what_goes_wrong_in_python_comes_back(self):
        model = spring_mass()

        def broken(context):
            raise ZeroDivisionError("by me")

        model.add_force(broken, ["mass"])
        with self.assertRaisesRegex(ZeroDivisionError, "by me"):
            model.run()


if __name__ == "__main__":
    unittest.main()
