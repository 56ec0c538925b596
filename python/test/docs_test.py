#!/usr/bin/python3
"""What the documentation of Python says is true: docstrings and notebooks. Blocks of code in pages: tests/python/code_blocks_test.py."""

import doctest
import importlib
import json
import os
import pathlib
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
MODULES = ["tumble", "tumble.elements", "tumble.laws", "tumble.model", "tumble.plots", "tumble.progress", "tumble.quantities", "tumble.results"]


def in_a_copy():
    """Examples are named from the top of the repository; what a block writes goes to the folder of the test."""
    for name in ("examples", "tests"):
        if not os.path.islink(name):
            os.symlink(ROOT / name, name)


class Documentation(unittest.TestCase):
    def setUp(self):
        in_a_copy()
        warnings.simplefilter("ignore")

    def tearDown(self):
        plt.close("all")

    def test_docstrings(self):
        tried = 0
        for name in MODULES:
            found = doctest.testmod(importlib.import_module(name))
            self.assertEqual(found.failed, 0, name)
            tried += found.attempted
        self.assertGreater(tried, 10)

    def test_notebooks(self):
        """Their cells, in order; they hold assertions on their numbers."""
        notebooks = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
        self.assertEqual(len(notebooks), 6)
        for path in notebooks:
            with self.subTest(path.name):
                names, assertions = {}, 0
                for cell in json.loads(path.read_text())["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    code = "".join(cell["source"])
                    assertions += code.count("assert ")
                    exec(compile(code, path.name, "exec"), names)
                self.assertGreater(assertions, 0)


if __name__ == "__main__":
    unittest.main()
