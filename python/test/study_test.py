#!/usr/bin/python3
"""Studies in Python: the bits of the command line, interruptions, evaluation of one's own points, figures."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")
import netCDF4
import numpy as np

import tumble

EXAMPLES = os.path.join(os.environ["TUMBLE_SOURCE_DIR"], "examples")
CASE4 = os.path.join(EXAMPLES, "batou-soize-2012", "case4.yaml")
MEASURED = {"wall_time", "realizations_per_second"}  # of the computer, not of the model


def ball():
    """Thrown up with an uncertain speed v: highest at v^2 / (2 g), and gone from the ground for 2 v / g."""
    model = tumble.Model(
        title="ball", gravity=[0, 0, -9.81],
        bodies={"ball": dict(mass=1, position=[0, 0, 0], velocity=[0, 0, 10], inertia=[0.1, 0.1, 0.1, 0, 0, 0])},
        probes={"ball": dict(body="ball", quantities=["position"])},
        quantities={"height": dict(of="ball.position.z", kind="final")},
        study=dict(method="monte-carlo", realizations=128, seed=1),
        simulation=dict(duration=1, step=1e-2, output_step=0.1))
    model["bodies.ball.velocity[2]"] = tumble.normal(10, 1)
    return model


def same_variables(one, other):
    """Every variable equal, NaN where NaN is."""
    with netCDF4.Dataset(one) as a, netCDF4.Dataset(other) as b:
        assert set(a.variables) == set(b.variables)
        for name in a.variables:
            if name in MEASURED:
                continue
            x, y = a[name][...], b[name][...]
            equal = np.array_equal(x, y) if x.dtype.kind in "OU" else np.array_equal(
                np.ma.filled(x.astype(float), np.nan), np.ma.filled(y.astype(float), np.nan), equal_nan=True)
            assert equal, name
        return len(a.variables)


class Studies(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_have_the_bits_of_the_command_line(self):
        subprocess.run([os.environ["TUMBLE"], "run", CASE4, "-n", "130", "-o", "cli", "--overwrite", "--no-report",
                        "-q", "--threads", "1"], check=True, stderr=subprocess.DEVNULL)
        found = tumble.load(CASE4).study(n=130, output="package", if_exists="overwrite")
        self.assertGreater(same_variables("cli/results.nc", found.file), 300)

    def test_know_mean_and_deviation(self):
        found = ball().study(n=4000)
        mean, error = found.statistic("ball.position.z", "mean")[-1], found.statistic("ball.position.z", "mean_se")[-1]
        # z(1) = v - g / 2, as the integrator has it: exact for constant forces. Beyond 5 errors once in 1.7 million.
        self.assertLess(abs(mean - (10 - 9.81 / 2)), 5 * error)
        self.assertAlmostEqual(error, 1 / np.sqrt(4000), delta=0.002)
        self.assertIn("4000 realisations", repr(found))
        self.assertIn("<table>", found._repr_html_())
        self.assertEqual(found.unit("ball.position.z"), "m")

    def test_refuse_to_replace_what_is_there(self):
        shutil.rmtree("there", ignore_errors=True)
        ball().study(output="there")
        with self.assertRaises(tumble.RequestError):
            ball().study(output="there")
        self.assertTrue(ball().study(output="there", if_exists="resume").summary["already_there"])

    def test_tell_warnings(self):
        with self.assertWarnsRegex(UserWarning, "infinite"):
            warnings.simplefilter("always")
            tumble.load(CASE4).study(n=16)

    def test_raise_where_too_many_fail(self):
        model = ball()
        model["bodies.ball.mass"] = tumble.normal(0.1, 1)
        with self.assertRaises(tumble.TooManyFailed):
            model.study(max_failed=0)

    def test_of_reliability(self):
        found = ball().reliability("height", above=10 - 9.81 / 2 + 2, method="monte-carlo", runs=2000)
        p = float(found.data["probability"])
        self.assertLess(float(found.data["probability_lower"]), 0.02275)  # two deviations
        self.assertGreater(float(found.data["probability_upper"]), 0.02275)
        self.assertGreater(p, 0)

    def test_of_a_sweep(self):
        found = ball().sweep({"gravity[2]": [-9.81, -1.62]})
        names = [n for n in found.data.data_vars if n.startswith("ball_position_mean")]
        self.assertTrue(names)

    def test_are_replayed_and_reported(self):
        found = ball().study()
        again = found.replay(3)
        start = float(found.data["inputs"].values[3, 0])
        self.assertAlmostEqual(again.statistic("ball.position.z", "nominal")[-1], start - 9.81 / 2, places=9)
        self.assertTrue(found.report().read_text().startswith("<!doctype html"))

    def test_end_in_order_at_an_interrupt(self):
        """The process gets a signal in the middle; what was finished is not computed again."""
        shutil.rmtree("interrupted", ignore_errors=True)
        n = 4000
        script = textwrap.dedent(f"""
            import tumble, warnings
            warnings.simplefilter("ignore")
            try:
                tumble.load({CASE4!r}).study(n={n}, output="interrupted", threads=1)
            except KeyboardInterrupt as stop:
                print("stopped:", stop)
            """)
        process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        journal = pathlib.Path("interrupted/study.journal")
        while process.poll() is None and not (journal.exists() and journal.stat().st_size > 10_000_000):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        output = process.communicate(timeout=200)[0]
        self.assertIn("stopped: interrupted", output)
        self.assertIn("resume", output)
        found = tumble.load(CASE4).study(n=n, output="interrupted", if_exists="resume")
        self.assertGreater(found.summary["computed"], 0)
        self.assertLess(found.summary["computed"], n)
        whole = tumble.load(CASE4).study(n=n, output="whole", if_exists="overwrite")
        self.assertGreater(same_variables(whole.file, found.file), 300)


    def test_an_interrupt_is_over_when_it_was_raised(self):
        """A study that another thread begins afterwards does not end at it."""
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            tumble.load(CASE4).study(n=200000, threads=1)
        found = []
        other = threading.Thread(target=lambda: found.append(ball().study().summary["computed"]))
        other.start()
        other.join()
        self.assertEqual(found, [128])


class Evaluation(unittest.TestCase):
    def test_gives_what_a_study_of_a_table_gives(self):
        model = tumble.load(CASE4)
        draws = model.sample(70, seed=3)
        evaluator = model.evaluator()
        self.assertEqual(evaluator.inputs, list(draws.input.values))
        found = evaluator.evaluate(draws.inputs.values, series=True)
        study = model.copy()
        study["study.store"] = "all"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            stored = study.study(n=70, seed=3)
        np.testing.assert_array_equal(found["pobs_acceleration"].values, stored.data["pobs_acceleration"].values)
        self.assertEqual(set(found.status.values), {0})

    def test_rows_that_fail_are_nan_and_say_why(self):
        evaluator = ball().evaluator(["bodies.ball.mass", "bodies.ball.velocity[2]"])
        np.testing.assert_array_equal(evaluator.nominal, [1, 10])
        found = evaluator.evaluate([[1, 10], [-1, 10], [2, 4]])
        self.assertEqual(list(found.status.values), [0, 2, 0])
        self.assertIn("mass", found.reason.values[1])
        np.testing.assert_allclose(found.quantities.values[:, 0], [10 - 9.81 / 2, np.nan, 4 - 9.81 / 2], atol=1e-9)

    def test_checks_what_it_is_given(self):
        with self.assertRaisesRegex(ValueError, "rows of 1 inputs"):
            ball().evaluate(np.zeros((3, 2)))
        with self.assertRaisesRegex(tumble.InputError, "bodies.ball.mass"):
            ball().evaluator(["bodies.ball.mas"])


class Surrogates(unittest.TestCase):
    def test_answer_at_new_points(self):
        model = ball()
        model["bodies.ball.position[2]"] = tumble.uniform(-1, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            study = model.study("chaos", chaos={"degree": 2})
        surrogate = study.surrogate()
        self.assertEqual(set(surrogate.parameters), {"bodies.ball.velocity[2]", "bodies.ball.position[2]"})
        order = [surrogate.parameters.index(p) for p in ("bodies.ball.velocity[2]", "bodies.ball.position[2]")]
        X = np.array([[11.3, 0.25], [8.0, -0.75]])
        found = surrogate("ball.position.z", X[:, np.argsort(order)])
        t = study.data.time.values  # linear in both, so that the polynomials are exact
        np.testing.assert_allclose(found, X[:, 1:] + X[:, :1] * t - 0.5 * 9.81 * t**2, atol=1e-9)
        U = np.full((1, 2), 0.5)
        np.testing.assert_allclose(surrogate.at_probabilities("ball.position.z", U)[0], 10 * t - 0.5 * 9.81 * t**2, atol=1e-9)
        with self.assertRaisesRegex(ValueError, "never is"):
            surrogate("ball.position.z", [[2.0, 2.0]])
        with self.assertRaisesRegex(ValueError, "no polynomials of ball_speed"):
            surrogate("ball.speed", X)
        with self.assertRaisesRegex(RuntimeError, "no polynomials"):
            ball().study().surrogate()


class Figures(unittest.TestCase):
    def test_show_the_numbers(self):
        found = ball().study()
        axes = found.plot.band("ball.position.z")
        lines = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
        np.testing.assert_array_equal(lines["mean"], found.statistic("ball.position.z", "mean"))
        self.assertEqual(axes.get_ylabel(), "ball.position.z [m]")
        axes.figure.savefig("band.png")
        self.assertGreater(os.path.getsize("band.png"), 5000)
        self.assertEqual(len(found.plot.std("ball.position.z").get_lines()), 1)
        self.assertTrue(found.plot.inputs("bodies.ball.velocity[2]").patches)
        self.assertTrue(found.plot.quantity("height").patches)


if __name__ == "__main__":
    unittest.main()
