#!/usr/bin/python3
"""What documentation says of Python is true: docstrings, blocks of code in README and guides, notebooks."""

import contextlib
import doctest
import importlib
import io
import json
import os
import pathlib
import re
import unittest
import warnings

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
MODULES = ["tumble", "tumble.elements", "tumble.laws", "tumble.model", "tumble.plots", "tumble.progress", "tumble.results"]


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

    def test_blocks_of_the_guide(self):
        """One after the other, as a reader would type them."""
        text = (ROOT / "docs" / "guide" / "python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", text, re.S)
        self.assertGreaterEqual(len(blocks), 5)
        names = {}
        for block in blocks:
            exec(compile(block, "docs/guide/python.md", "exec"), names)

    def test_block_of_the_readme(self):
        text = (ROOT / "README.md").read_text()
        pathlib.Path("pendulum.yaml").write_text(re.search(r"```yaml\n(.*?)```", text, re.S).group(1))
        block = re.search(r"```python\n(.*?)```", text, re.S).group(1)
        said = float(re.search(r"# ([\d.]+)", block).group(1))
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            exec(compile(block, "README.md", "exec"), {})
        self.assertAlmostEqual(float(printed.getvalue()), said, places=4)

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
