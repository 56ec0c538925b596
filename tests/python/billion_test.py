"""The last realisations of a study of 1e9 are what they should be, without the others: the last of 15 625 000 shards is one block of 64.

Their random numbers come from NumPy's Philox, by docs/theory/random-streams.md; their motion from a study of method `table` with these
numbers. Both must be in the shard's journal bit for bit."""
import math
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

import netCDF4
import numpy as np

TUMBLE = os.environ["TUMBLE"]
N, LEAF, SEED = 10**9, 64, 7
MODEL = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position]}
simulation: {duration: 0.2, step: 1e-3, output_step: 0.05}
"""
LAWS = {"bodies.bob.mass": (1.5, 2.5), "bodies.bob.position[0]": (0.4, 0.6)}


def fnv(name):
    found = 0xCBF29CE484222325
    for byte in name.encode():
        found = (found ^ byte) * 0x100000001B3 % 2**64
    return found


def uniform(realization, name):
    """Number 0 of the stream: NumPy's generator counts before it gives, hence a counter of one less in its lowest word."""
    before = (int(realization) << 64 | fnv(name) << 128) - 1
    word = int(np.random.Philox(counter=before % 2**256, key=SEED).random_raw())
    return (word >> 11 | 1) * 2.0**-53


def drawn(realization, name):
    low, high = LAWS[name]
    return low + (high - low) * uniform(realization, name)


def near(value):
    """It and its neighbours: scaling may round otherwise than here."""
    return [value, math.nextafter(value, -math.inf), math.nextafter(value, math.inf)]


class Billion(unittest.TestCase):
    def run_in(self, folder, *arguments):
        done = subprocess.run([TUMBLE, "run", *arguments], cwd=folder, capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def shard(self, folder, method, name):
        laws = "".join(f"  {path}: {{law: uniform, min: {low}, max: {high}}}\n" for path, (low, high) in LAWS.items())
        pathlib.Path(folder, "study.yaml").write_text(
            f"{MODEL}uncertainty:\n{laws}study: {{method: {method}, realizations: {N}, seed: {SEED}}}\n")
        said = self.run_in(folder, "study.yaml", "--shard", f"{N // LEAF}/{N // LEAF}", "-o", name)
        self.assertIn(f"realisations {N - LEAF} to {N - 1}, {LEAF} computed", said)
        return pathlib.Path(folder, name, "study.journal").read_bytes()

    def test_the_last_block_of_draws(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = self.shard(folder, "monte-carlo", "last")
            rows = []
            for realization in range(N - LEAF, N):
                row = []
                for name in LAWS:
                    found = [x for x in near(drawn(realization, name)) if struct.pack("<d", x) in journal]
                    self.assertTrue(found, f"{name} of realisation {realization} is not in the journal")
                    row.append(found[0])
                rows.append(row)
            pathlib.Path(folder, "rows.csv").write_text(
                ",".join(LAWS) + "\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows))
            pathlib.Path(folder, "table.yaml").write_text(f"{MODEL}study: {{method: table, file: rows.csv, store: all}}\n")
            self.run_in(folder, "table.yaml", "-o", "table", "--no-report")
            with netCDF4.Dataset(pathlib.Path(folder, "table", "results.nc")) as file:
                stored = [v for v in file.variables.values() if v.dimensions[:2] == ("realization", "time") and "position" in v.name]
                self.assertEqual(len(stored), 1, [v.name for v in file.variables.values()])
                ends = np.asarray(stored[0][:])[:, -1, :]
            self.assertEqual(ends.shape[0], LEAF)
            for z in ends[:, 2]:
                self.assertIn(struct.pack("<d", z), journal)

    def test_the_last_block_of_designs(self):
        """They run. That strata and points of 1e9 are told apart is for Design.OfAThousandMillionRealisations, a unit test."""
        for method in ("latin-hypercube", "sobol"):
            with tempfile.TemporaryDirectory() as folder:
                journal = self.shard(folder, method, method)
                self.assertGreater(len(journal), LEAF * len(LAWS) * 8)


if __name__ == "__main__":
    unittest.main()
