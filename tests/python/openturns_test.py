"""The recipe of docs/guide/other-tools.md for OpenTURNS works as printed. Without OpenTURNS there is nothing to test."""
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

try:
    import openturns
except ImportError:
    print("skipped: python3-openturns is not installed")
    sys.exit(77)

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
folder = tempfile.TemporaryDirectory()
pathlib.Path(folder.name, "tumble").symlink_to(shutil.which(os.environ["TUMBLE"]) or pathlib.Path(os.environ["TUMBLE"]).resolve())
os.environ["PATH"] = folder.name + os.pathsep + os.environ["PATH"]
os.chdir(root)
text = (root / "docs/guide/other-tools.md").read_text()
(recipe,) = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
exec(compile(recipe, "docs/guide/other-tools.md", "exec"))


def fastest(stiffness, mass):
    """Of a mass let go 0.3 m from where its spring rests, damping 0.2 N s/m: v = -0.3 w0^2 / w exp(-d t) sin(w t) is
    largest upwards at w t = pi + atan(w / d)."""
    d, squared = 0.1 / mass, stiffness / mass
    w = math.sqrt(squared - d * d)
    return 0.3 * math.sqrt(squared) * math.exp(-d / w * (math.pi + math.atan(w / d)))


class Recipe(unittest.TestCase):
    def test_values_are_those_of_a_mass_on_a_spring(self):
        self.assertEqual(list(speed.getInputDescription()), ["forces.coil.stiffness", "bodies.bob.mass"])
        points = openturns.Sample([[40.0, 1.0], [45.0, 1.1], [30.0, 0.9]])
        values = speed(points)
        self.assertEqual(values.getSize(), 3)
        for point, value in zip(points, values):
            self.assertEqual(list(speed(point)), list(value))  # one by one or together: the same bits
            # Steps of 2e-3 s leave (w h)^2 / 12, 1.5e-5 of it; what outputs every 0.02 s leave is less than 1e-4.
            self.assertAlmostEqual(value[0], fastest(*point), delta=2e-4 * value[0])

    def test_taylor_expansion_of_the_moments(self):
        inputs = openturns.ComposedDistribution([openturns.Normal(40, 0.4), openturns.Normal(1, 0.01)])
        moments = openturns.TaylorExpansionMoments(openturns.CompositeRandomVector(speed, openturns.RandomVector(inputs)))
        by_stiffness = (fastest(40.04, 1) - fastest(39.96, 1)) / 0.08
        by_mass = (fastest(40, 1.001) - fastest(40, 0.999)) / 0.002
        expected = math.hypot(0.4 * by_stiffness, 0.01 * by_mass)
        self.assertAlmostEqual(moments.getCovariance()[0, 0] ** 0.5, expected, delta=5e-3 * expected)


if __name__ == "__main__":
    unittest.main()
