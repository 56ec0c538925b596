#!/usr/bin/python3
"""Quantities of interest as functions of Python: the statistics of the library's own, failures, mistakes, resuming."""

import functools
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import unittest
import warnings

import numpy as np

import tumble
from tumble.quantities import fingerprint

EXAMPLES = os.path.join(os.environ["TUMBLE_SOURCE_DIR"], "examples")
SPRING = os.path.join(EXAMPLES, "ensembles", "spring-peaks.yaml")


def ball(**quantities):
    """Thrown up with an uncertain speed v: z(1) = v - g / 2."""
    model = tumble.Model(
        title="ball", gravity=[0, 0, -9.81],
        bodies={"ball": dict(mass=1, position=[0, 0, 0], velocity=[0, 0, 10], inertia=[0.1, 0.1, 0.1, 0, 0, 0])},
        probes={"ball": dict(body="ball", quantities=["position", "orientation"]), "world": dict(system=True, quantities=["total_energy"])},
        quantities=quantities or {"height": dict(of="ball.position.z", kind="final")},
        study=dict(method="monte-carlo", realizations=200, seed=1),
        simulation=dict(duration=1, step=1e-2, output_step=0.1))
    model["bodies.ball.velocity[2]"] = tumble.normal(10, 1)
    return model


def last(time, probed):
    return probed["ball.position.z"][:, -1]


def fails_above(limit, time, probed):
    z = probed["ball.position.z"][:, -1]
    if (z > limit).any():
        raise ValueError("too high")
    return z


class Quantities(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_have_the_statistics_of_those_of_the_file(self):
        found = ball().study(quantities={"last": (last, "m")}).data
        np.testing.assert_array_equal(found["quantity_last"], found["quantity_height"])
        compared = 0
        for name in found.data_vars:
            # What every second output gives is not asked of a function; the others of these are equal to the bit.
            if name.startswith("quantity_height") and "output_error" not in name:
                other = found[name.replace("height", "last")]
                np.testing.assert_array_equal(found[name], other, name)
                self.assertEqual(found[name].attrs["units"], other.attrs["units"])
                compared += 1
        self.assertGreater(compared, 20)
        self.assertIn("last(), a function of Python", found["quantity_last"].attrs["long_name"])
        self.assertTrue(np.isnan(found["quantity_last_output_error"]).all())

    def test_settling_time_of_springs(self):
        """Let go 0.3 from rest, z - 1 = 0.3 exp(-d t) (cos w t + d / w sin w t); the last output outside of a band."""
        def settle(time, probed, band=0.2):
            outside = np.abs(probed["bob.position.z"] - 1) > band
            return np.where(outside.any(axis=1), time[len(time) - 1 - np.argmax(outside[:, ::-1], axis=1)], 0.0)

        model = tumble.load(SPRING)
        model["simulation.duration"] = 5.0
        found = model.study("monte-carlo", n=256, seed=3, quantities={"settle": (settle, "s")})
        values = found.samples("settle")
        inputs = {str(name): found.data["inputs"].sel(input=name).values for name in found.data["input"].values}
        k, m = inputs["forces.coil.stiffness"], inputs["bodies.bob.mass"]
        d = 0.1 / m
        w = np.sqrt(k / m - d * d)
        t = found.data["time"].values
        x = 0.3 * np.exp(-np.outer(d, t)) * (np.cos(np.outer(w, t)) + (d / w)[:, None] * np.sin(np.outer(w, t)))
        # Next to the band the error of the integration decides: steps of 2e-3 s leave 5e-4 rad of the phase, 1.5e-4 m.
        early, late = (settle(t, {"bob.position.z": x + 1}, band) for band in (0.2 + 3e-4, 0.2 - 3e-4))
        self.assertTrue((early <= values).all() and (values <= late).all())
        self.assertGreater((early == late).sum(), 200)
        self.assertGreater(np.std(values), 0.1)

    def test_see_vectors_scalars_and_quaternions(self):
        shapes = {}

        def look(time, probed):
            for name in ("ball.position", "ball.position.x", "ball.orientation", "ball.orientation.w", "world.total_energy"):
                shapes.setdefault(name, probed[name].shape)
            self.assertEqual(len(time), probed["world.total_energy"].shape[1])
            return probed["ball.orientation.w"][:, 0]

        self.assertEqual(set(ball().study(n=64, quantities={"w": look}).samples("w")), {1.0})
        self.assertEqual(shapes["ball.position"][1:], (11, 3))
        self.assertEqual(shapes["ball.position.x"][1:], (11,))
        self.assertEqual(shapes["ball.orientation"][1:], (11, 4))
        self.assertEqual(shapes["world.total_energy"][1:], (11,))

    def test_bits_do_not_depend_on_lanes_and_threads(self):
        def swing(time, probed):
            z = probed["bob.position.z"]
            return np.sqrt(np.mean(np.square(np.diff(z, axis=1) / np.diff(time)), axis=1))

        model = tumble.load(SPRING)
        runs = [model.study(n=130, threads=threads, lanes=lanes, quantities={"swing": (swing, "m/s")})
                for threads, lanes in ((1, 1), (2, 4), (0, 0))]
        for run in runs[1:]:
            for name in ("quantity_swing", "quantity_swing_mean", "quantity_swing_quantile", "quantity_swing_time_error"):
                np.testing.assert_array_equal(run.data[name], runs[0].data[name])
        self.assertEqual(len(set(runs[0].samples("swing"))), 130)

    def test_an_exception_costs_one_realisation_its_value(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found = ball().study(quantities={"low": (functools.partial(fails_above, 6.0), "m")})
        heights, low = found.samples("height"), found.samples("low")
        np.testing.assert_array_equal(np.isnan(low), heights > 6)
        np.testing.assert_array_equal(low[heights <= 6], heights[heights <= 6])
        lost = int((heights > 6).sum())
        self.assertGreater(lost, 5)
        sentences = " ".join(str(w.message) for w in said)
        self.assertIn(f"the quantity low is no finite number in {lost} of 200 realisations", sentences)
        self.assertIn("ValueError: too high", sentences)
        self.assertEqual(int(found.data["quantity_low_count"]), 200 - lost)
        self.assertAlmostEqual(float(found.data["quantity_low_mean"]), heights[heights <= 6].mean(), places=12)

    def test_numbers_that_are_none(self):
        def odd(time, probed):
            z = probed["ball.position.z"][:, -1]
            return np.where(z > 6, np.nan, np.where(z < 4, np.inf, z))

        with self.assertWarnsRegex(UserWarning, "the quantity odd is no finite number in"):
            warnings.simplefilter("always")
            found = ball().study(quantities={"odd": odd})
        z = found.samples("height")
        np.testing.assert_array_equal(np.isnan(found.samples("odd")), (z > 6) | (z < 4))

    def test_mistakes_end_the_study_before_it_begins(self):
        for function, error, words in (
                (lambda time, probed: probed["ball.speed"][:, -1], KeyError, "ball.position.z"),
                (lambda time, probed: probed["ball.position.z"].max(), ValueError, r"shape \(1,\)"),
                (lambda time, probed: probed["ball.position.z"][-1], ValueError, r"shape \(1,\)"),
                (lambda time, probed: probed["ball.position.z"][:, -1] / no_such_name, NameError, "no_such_name")):  # noqa: F821
            with self.assertRaisesRegex(error, words):
                ball().study(output="mistake", if_exists="overwrite", quantities={"wrong": function})
            self.assertFalse(os.path.exists("mistake/results.nc"))
        with self.assertRaisesRegex(TypeError, "must be a function"):
            ball().study(quantities={"wrong": 3})

    def test_mixing_realisations_is_found_out(self):
        with self.assertRaisesRegex(ValueError, "mixes realisations"):
            ball().study(quantities={"above": lambda time, probed: probed["ball.position.z"][:, -1] - probed["ball.position.z"].mean()})

    def test_names_and_methods_that_cannot_be_had(self):
        for name in ("height", "height_mean", "2nd", "a b", ""):
            with self.assertRaises(tumble.RequestError):
                ball().study(quantities={name: last})
        model = ball()
        model["study"] = {"method": "reliability", "reliability": {"quantity": "height", "above": 8}}
        with self.assertRaisesRegex(tumble.RequestError, "cannot be had with study.method: reliability"):
            model.study(quantities={"last": last})

    def test_shares_of_the_variance(self):
        model = ball()
        model["gravity[2]"] = tumble.normal(-9.81, 1)
        found = model.study("sensitivity", n=2000, quantities={"last": (last, "m")}).data
        first = dict(zip(found["group"].values.tolist(), found["quantity_last_sobol_group"].values))
        # z = v + g / 2 with deviations 1 and 1/2.
        self.assertAlmostEqual(first["bodies.ball.velocity[2]"], 0.8, delta=0.1)
        chaos = model.study("chaos", chaos={"degree": 2}, quantities={"last": (last, "m")}).data
        self.assertAlmostEqual(float(chaos["quantity_last_std"]), np.sqrt(1.25), places=6)

    def test_go_on_with_the_same_function_alone(self):
        shutil.rmtree("resumed", ignore_errors=True)
        ball().study(n=100, output="resumed", keep_journal=True, quantities={"last": (last, "m")})
        whole = ball().study(n=200, quantities={"last": (last, "m")})
        for quantities, words in (({"last": (lambda time, probed: probed["ball.position.z"][:, -2], "m")}, "quantity last"),
                                  (None, "quantity last is .* there and absent here"),
                                  ({"last": (last, "m"), "more": last}, "quantity more is absent there")):
            with self.assertRaisesRegex(tumble.RequestError, words):
                ball().study(n=200, output="resumed", if_exists="resume", quantities=quantities)
        found = ball().study(n=200, output="resumed", if_exists="resume", quantities={"last": (last, "m")})
        np.testing.assert_array_equal(found.samples("last"), whole.samples("last"))
        self.assertLess(found.summary["computed"], 200)
        again = ball().study(n=200, output="resumed", if_exists="resume", quantities={"last": (last, "m")})
        self.assertTrue(again.summary["already_there"])

    def test_go_on_after_a_kill(self):
        shutil.rmtree("killed", ignore_errors=True)
        script = textwrap.dedent(f"""
            import sys, warnings
            import tumble
            warnings.simplefilter("ignore")
            def top(time, probed):
                return probed["bob.velocity.z"].max(axis=1)
            found = tumble.load({SPRING!r}).study(n=6000, output=sys.argv[1], if_exists="resume", threads=1,
                                                  quantities={{"top": (top, "m/s")}})
            print(found.summary["computed"])
            """)
        call = [sys.executable, "-c", script]
        process = subprocess.Popen([*call, "killed"], stdout=subprocess.DEVNULL)
        journal = pathlib.Path("killed/study.journal")
        while process.poll() is None and not (journal.exists() and journal.stat().st_size > 500_000):
            time.sleep(0.01)
        self.assertIsNone(process.poll(), "it ended before it could be killed")
        process.send_signal(signal.SIGKILL)
        process.wait()
        computed = int(subprocess.run([*call, "killed"], check=True, capture_output=True, text=True).stdout)
        self.assertGreater(computed, 0)
        self.assertLess(computed, 6000)
        shutil.rmtree("not-killed", ignore_errors=True)
        subprocess.run([*call, "not-killed"], check=True, capture_output=True)
        one, other = (tumble.open_results(name) for name in ("killed", "not-killed"))
        np.testing.assert_array_equal(one.samples("top"), other.samples("top"))
        np.testing.assert_array_equal(one.data["quantity_top_density"], other.data["quantity_top_density"])

    def test_forces_are_part_of_a_study_too(self):
        def pushed(strength):
            model = ball()
            model.add_force(lambda context: [((strength, 0, 0), (0, 0, 0))], bodies=["ball"], name="push")
            return model

        shutil.rmtree("pushed", ignore_errors=True)
        found = pushed(1.0).study(n=64, output="pushed")
        self.assertAlmostEqual(found.statistic("ball.position.x", "mean")[-1], 0.5, places=9)
        with self.assertRaisesRegex(tumble.RequestError, "force push"):
            pushed(2.0).study(n=128, output="pushed", if_exists="resume")
        with self.assertRaisesRegex(tumble.RequestError, "does not hold them"):
            found.replay(3)  # its file knows nothing of the force
        self.assertIn("forces or constraints that another program added", found.report().read_text())
        self.assertNotIn("The scene is missing", ball().study(n=64, quantities={"last": last}).report().read_text())
        pushed(1.0).study(n=128, output="pushed", if_exists="resume")


FACTOR = 2.0


def helper(x):
    return FACTOR * x


class Fingerprints(unittest.TestCase):
    def made(self, text, **values):
        names = dict(values)
        exec(textwrap.dedent(text), names)
        return fingerprint(names["f"])

    def test_are_those_of_the_code_and_of_what_it_reads(self):
        text = "def f(t, p):\n    return g(p) * a\n"
        same = self.made(text, a=1.0, g=helper)
        self.assertEqual(same, self.made("# moved\n\n" + text, a=1.0, g=helper))
        self.assertNotEqual(same, self.made(text, a=2.0, g=helper))
        self.assertNotEqual(same, self.made(text, a=1.0, g=abs))
        self.assertNotEqual(same, self.made(text.replace("*", "+"), a=1.0, g=helper))
        self.assertNotEqual(self.made("def f(t, p, n=1):\n    return n\n"), self.made("def f(t, p, n=2):\n    return n\n"))
        self.assertNotEqual(self.made("f = lambda t, p: [x + 1 for x in p]"), self.made("f = lambda t, p: [x + 2 for x in p]"))
        array = np.arange(3.0)
        self.assertEqual(self.made("f = lambda t, p: a @ p", a=array), self.made("f = lambda t, p: a @ p", a=array.copy()))
        self.assertNotEqual(self.made("f = lambda t, p: a @ p", a=array), self.made("f = lambda t, p: a @ p", a=array + 1))

    def test_follow_helpers_closures_and_arguments(self):
        def scaled(factor):
            return lambda t, p: factor * p

        self.assertEqual(fingerprint(scaled(2)), fingerprint(scaled(2)))
        self.assertNotEqual(fingerprint(scaled(2)), fingerprint(scaled(3)))
        self.assertNotEqual(fingerprint(functools.partial(max, 1)), fingerprint(functools.partial(max, 2)))
        global FACTOR
        before = fingerprint(helper)
        FACTOR = 3.0
        try:
            self.assertNotEqual(before, fingerprint(helper))
        finally:
            FACTOR = 2.0

    def test_of_what_cannot_be_told_never_agree(self):
        class Odd:
            def __call__(self, t, p):
                return p

        odd = Odd()
        self.assertNotEqual(fingerprint(odd), fingerprint(odd))


if __name__ == "__main__":
    unittest.main()
