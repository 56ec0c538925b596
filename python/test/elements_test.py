#!/usr/bin/python3
"""Forces and constraints written in Python: in lanes, for many states at a time, and where they fail."""

import os
import pathlib
import shutil
import signal
import tempfile
import threading
import time
import traceback
import unittest
import warnings

import netCDF4
import numpy as np
from scipy.special import ellipj

import tumble

MASS, STIFFNESS, START = 2.0, 300.0, 0.4


def mass(**more):
    """A mass without forces, released at START."""
    return tumble.Model(
        title="cubic", gravity=[0, 0, 0],
        bodies={"mass": dict(mass=MASS, position=[START, 0, 0], inertia=[1, 1, 1, 0, 0, 0])},
        probes={"mass": dict(body="mass", quantities=["position", "velocity"])},
        simulation=dict(duration=1, step=2e-3, output_step=0.05), **more)


def cubic(context):
    """F = -k |r|^2 r, of one state."""
    r = context.bodies[0].position
    return [(-context.numbers[0] * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) * r, (0, 0, 0))]


def cubic_rows(context):
    """The same of many."""
    r = context.bodies[0].position
    size = r[:, 0] * r[:, 0] + r[:, 1] * r[:, 1] + r[:, 2] * r[:, 2]
    return [((-context.numbers[0] * size)[:, None] * r, (0, 0, 0))]


def with_force(function, vectorised, stiffness=STIFFNESS, **more):
    model = mass(**more)
    model.add_force(function, ["mass"], name="cubic", numbers={"stiffness": stiffness}, vectorised=vectorised)
    return model


def closed_form(times, k=STIFFNESS, m=MASS):
    """x'' = -(k/m) x^3 from rest: x = a cn(a sqrt(k/m) t | 1/2) (Abramowitz and Stegun 16.16)."""
    return START * ellipj(START * np.sqrt(k / m) * times, 0.5)[1]


def uncertain(function, vectorised, n=20, stiffness=STIFFNESS):
    model = with_force(function, vectorised, stiffness,
                       study=dict(method="monte-carlo", realizations=n, seed=3, store="all"))
    model["bodies.mass.velocity[1]"] = tumble.normal(0, 0.2)
    model["bodies.mass.mass"] = tumble.normal(MASS, 0.1)
    return model


def values(study):
    """The floating-point variables of the results, but for those that tell the time it took."""
    with netCDF4.Dataset(study.file) as data:
        return {name: np.ma.filled(data[name][...].astype(float), np.nan) for name in data.variables
                if np.dtype(data[name].dtype).kind == "f" and name not in ("wall_time", "realizations_per_second")}


class Values(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def same(self, one, other):
        self.assertEqual(set(one), set(other))
        self.assertGreater(len(one), 3)
        for name in one:
            np.testing.assert_array_equal(one[name], other[name], err_msg=name)


class CubicSpring(Values):
    def test_is_that_of_a_closed_form_and_of_a_formula(self):
        r = "mass.position"
        formula = mass(forces={"cubic": dict(type="expression", body="mass", parameters=dict(k=STIFFNESS),
                                             force=[f"-k*{r}.{x}*({r}.x^2 + {r}.y^2 + {r}.z^2)" for x in "xyz"])}).run()
        for function, vectorised in (cubic, False), (cubic_rows, True):
            run = with_force(function, vectorised).run()
            np.testing.assert_allclose(run["mass.position.x"], closed_form(run.time), atol=2e-5)
            np.testing.assert_allclose(run["mass.position.x"], formula["mass.position.x"], atol=1e-10)

    def test_is_that_of_a_closed_form_in_every_lane(self):
        X = np.array([[k, m] for k in (100.0, 200.0, 300.0, 350.0) for m in (1.5, 2.0, 2.5)])
        for function, vectorised in (cubic, False), (cubic_rows, True):
            evaluator = with_force(function, vectorised).evaluator(["user.cubic.stiffness", "bodies.mass.mass"])
            found = evaluator.evaluate(X, series=True, lanes=8)
            for (k, m), path in zip(X, found.mass_position.sel(axis="x").values):
                np.testing.assert_allclose(path, closed_form(found.time.values, k, m), atol=3e-5)

    def test_has_the_same_bits_at_every_width_and_with_any_threads(self):
        for function, vectorised in (cubic, False), (cubic_rows, True):
            model = uncertain(function, vectorised)
            first = values(model.study(lanes=1, threads=1))
            for lanes, threads in (4, 1), (8, 1), (8, 2), (0, 0):
                self.same(first, values(model.study(lanes=lanes, threads=threads)))

    def test_is_asked_for_many_states_at_once(self):
        rows = []

        def counted(context):
            rows.append(len(context.bodies[0].position))
            return cubic_rows(context)

        model = uncertain(counted, True, n=16)
        model.study(lanes=1, threads=1)
        one = len(rows)
        rows.clear()
        model.study(lanes=8, threads=1)
        self.assertLess(2 * len(rows), one)
        self.assertEqual(max(rows), 8 * 24)

    def test_goes_on_where_it_was_interrupted(self):
        model = uncertain(cubic_rows, True, n=2000)
        whole = model.study()
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)

        def interrupt():
            while not any((folder / "cut").glob("*")):
                time.sleep(0.01)
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        try:
            model.study(output=folder / "cut")
        except KeyboardInterrupt:
            pass
        else:
            self.skipTest("it was quicker than the interruption")
        shutil.copytree(folder / "cut", folder / "half")
        self.same(values(whole), values(model.study(output=folder / "cut", if_exists="resume")))
        for other in (uncertain(cubic, False, n=2000), uncertain(cubic_rows, True, n=2000, stiffness=100.0)):
            for left in "cut", "half":  # finished, and not
                with self.assertRaisesRegex(tumble.RequestError, "function"):
                    other.study(output=folder / left, if_exists="resume")


def wire(context):
    """A bead on the circle |p|^2 = r(t)^2 in the plane y = 0, of many states."""
    p, v, r = context.bodies[0].position, context.bodies[0].velocity, context.numbers[0]
    return [tumble.Row((np.sum(p * p, axis=1) - r * r) / 2, [(p, (0, 0, 0))], np.sum(v * v, axis=1)),
            tumble.Row(p[:, 1], [((0, 1, 0), (0, 0, 0))])]


def wire_alone(context):
    p, v, r = context.bodies[0].position, context.bodies[0].velocity, context.numbers[0]
    return [tumble.Row((np.sum(p * p) - r * r) / 2, [(p, (0, 0, 0))], np.sum(v * v)),
            tumble.Row(p[1], [((0, 1, 0), (0, 0, 0))])]


class Constraints(Values):
    def bead(self, function, vectorised):
        model = tumble.Model(
            gravity=[0, 0, -9.81], bodies={"bead": dict(mass=1, position=[1, 0, 0], inertia=[1, 1, 1, 0, 0, 0])},
            probes={"bead": dict(body="bead", quantities=["position", "velocity"])},
            study=dict(method="monte-carlo", realizations=12, seed=1, store="all"),
            simulation=dict(duration=0.5, step=1e-3, output_step=0.05))
        model["bodies.bead.mass"] = tumble.normal(1, 0.1)
        model.add_constraint(function, ["bead"], rows=2, name="wire", numbers={"radius": 1.0}, vectorised=vectorised)
        return model

    def test_hold_and_keep_energy(self):
        for function, vectorised in (wire, True), (wire_alone, False):
            run = self.bead(function, vectorised).run()
            np.testing.assert_allclose(np.linalg.norm(run["bead.position"], axis=1), 1, atol=1e-9)
            energy = 0.5 * np.sum(run["bead.velocity"] ** 2, axis=1) + 9.81 * run["bead.position.z"]
            np.testing.assert_allclose(energy, 0, atol=1e-4)

    def test_have_the_same_bits_at_every_width(self):
        for function, vectorised in (wire, True), (wire_alone, False):
            model = self.bead(function, vectorised)
            first = values(model.study(lanes=1))
            for lanes in 4, 8:
                self.same(first, values(model.study(lanes=lanes)))


class Failures(Values):
    def evaluate(self, function, vectorised, lanes):
        """Rows with stiffness 100, 200, ...; the function breaks in the third and the tenth."""
        model = with_force(function, vectorised)
        X = np.arange(100.0, 1300.0, 100.0)[:, None]
        return model.evaluator(["user.cubic.stiffness"]).evaluate(X, series=True, lanes=lanes)

    def test_cost_the_realization_alone(self):
        def breaks(context):
            if context.numbers[0] in (300.0, 1000.0) and context.time > 0.3:
                raise ZeroDivisionError("by me")
            return cubic(context)

        def breaks_rows(context):
            bad = np.isin(context.numbers[0], (300.0, 1000.0))
            if context.time > 0.3 and bad.any():
                raise ZeroDivisionError("by me")
            return cubic_rows(context)

        good = self.evaluate(cubic_rows, True, 8)
        for function, vectorised in (breaks, False), (breaks_rows, True):
            for lanes in 1, 4, 8:
                found = self.evaluate(function, vectorised, lanes)
                bad = found.status.values == 1
                np.testing.assert_array_equal(np.flatnonzero(bad), [2, 9])
                self.assertRegex(found.reason.values[2],
                                 r"^user force 'cubic': ZeroDivisionError: by me at t = 0\.30\d* s")
                np.testing.assert_array_equal(found.mass_position.values[~bad], good.mass_position.values[~bad])

    def test_of_what_is_no_number_try_a_smaller_step(self):
        def nothing(context):
            answer = cubic_rows(context)[0][0]
            answer[(context.numbers[0] == 500.0) & (context.time > 0.5)] = np.nan
            return [(answer, (0, 0, 0))]

        found = self.evaluate(nothing, True, 8)
        np.testing.assert_array_equal(np.flatnonzero(found.status.values), [4])
        self.assertIn("user force 'cubic': the force on body 'mass' is not finite at t = 0.5", found.reason.values[4])

    def test_come_back_from_a_single_run(self):
        def broken(context):
            raise ZeroDivisionError("by me")

        for vectorised in False, True:
            try:  # not assertRaises, which takes the traceback off
                with_force(broken, vectorised).run()
            except ZeroDivisionError as error:
                self.assertEqual(str(error), "by me")
                self.assertIn("broken", [frame.name for frame in traceback.extract_tb(error.__traceback__)])
            else:
                self.fail("nothing was raised")
            with self.assertRaisesRegex(ZeroDivisionError, "by me"):
                uncertain(broken, vectorised).study()

    def test_of_answers_of_a_wrong_shape_say_which_is_wanted(self):
        for answer, words in (([(np.zeros((2, 3)), (0, 0, 0))], r"a force must be .* not of shape \(2, 3\)"),
                              ([(np.zeros(4), (0, 0, 0))], r"not of shape \(4,\)"), ([], "for each of its bodies"),
                              (5, "for each of its bodies"),
                              ([((0, 0, 0), "abc")], "a torque must be .*, not 'abc'")):
            for vectorised in False, True:
                with self.assertRaisesRegex(ValueError, words):
                    with_force(lambda context: answer, vectorised).run()

    def test_rows_that_are_mixed_are_refused(self):
        def mixing(context):
            return [(-100 * context.bodies[0].position.mean(axis=0), (0, 0, 0))]

        def noticing(context):
            return [(-100 * context.bodies[0].position * (1 + 1e-14 * len(context.bodies[0].position)), (0, 0, 0))]

        for function, words in (mixing, "mixes rows"), (noticing, "rounds differently"):
            model = with_force(function, True)
            for ask in model.run, uncertain(function, True).study:
                with self.assertRaisesRegex(ValueError, words):
                    ask()

    def test_of_arguments_say_which(self):
        model = mass()
        for arguments, words in ((dict(bodies="mass"), "bodies must be a list of names, not 'mass'"),
                                 (dict(bodies=["mass"], numbers={"k": "5"}), r"numbers\['k'\] must be a number, not '5'")):
            with self.assertRaisesRegex(TypeError, words):
                model.add_force(cubic, **arguments)
            with self.assertRaisesRegex(TypeError, words):
                model.add_constraint(wire, **arguments)

    def test_an_interruption_is_no_failure_of_a_realization(self):
        def leaves(context):
            if context.time > 0.5:
                raise SystemExit("enough")
            return cubic_rows(context)

        with self.assertRaises(SystemExit):
            uncertain(leaves, True).study()


class Bodies(unittest.TestCase):
    def test_points_of_one_state_and_of_many(self):
        rng = np.random.default_rng(1)
        R = np.linalg.qr(rng.normal(size=(5, 3, 3)))[0]
        p, v, w = rng.normal(size=(3, 5, 3))
        offset = [0.3, -0.2, 0.5]
        many = tumble.elements.BodyState(p, R, v, w)
        for k in range(5):
            one = tumble.elements.BodyState(p[k], R[k], v[k], w[k])
            np.testing.assert_array_equal(many.point(offset)[k], one.point(offset))
            np.testing.assert_array_equal(many.point_velocity(offset)[k], one.point_velocity(offset))
            np.testing.assert_allclose(one.point(offset), p[k] + R[k] @ offset, rtol=1e-14)
            np.testing.assert_allclose(one.point_velocity(offset), v[k] + np.cross(w[k], R[k] @ offset), atol=1e-14)


if __name__ == "__main__":
    unittest.main()
