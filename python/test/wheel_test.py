#!/usr/bin/python3
"""`pip install .` packs what is built, and what it installs works away from the checkout."""

import os
import shutil
import subprocess
import sys
import unittest

ROOT = os.environ["TUMBLE_SOURCE_DIR"]
BUILD = os.path.dirname(os.environ["PYTHONPATH"])


class Wheel(unittest.TestCase):
    def test_is_installed_and_runs(self):
        if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode:
            self.skipTest("python3-pip is not installed")
        shutil.rmtree("site", ignore_errors=True)
        environment = dict(os.environ, TUMBLE_BUILD_DIR=BUILD, PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
        environment.pop("PYTHONPATH")
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", "site", ROOT],
                       env=environment, check=True)
        code = ("import tumble; print(tumble.__file__); "
                f"print(tumble.load({os.path.join(ROOT, 'examples', 'classics', 'pendulum.yaml')!r}).title)")
        done = subprocess.run([sys.executable, "-c", code], env=dict(environment, PYTHONPATH="site"), check=True,
                              capture_output=True, text=True)
        place, title = done.stdout.split()
        self.assertTrue(os.path.abspath(place).startswith(os.path.abspath("site")))
        self.assertEqual(title, "Pendulum")


if __name__ == "__main__":
    unittest.main()
