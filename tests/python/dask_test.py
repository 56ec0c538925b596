"""The recipes of docs/guide/clusters.md for Dask, as they are in examples/clusters: shards and rows have the bits of one run,
also when a worker is killed."""
import contextlib
import importlib.util
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

try:
    import distributed
except ImportError:
    print("skipped: python3-distributed is not installed")
    sys.exit(77)
import numpy as np

import _clusters


def package_is_built():
    found = importlib.util.find_spec("tumble")
    return found is not None and any(pathlib.Path(found.origin).parent.glob("_native*.so"))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return str(probe.getsockname()[1])


class Recipes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.env = _clusters.folder_with_scripts(self.folder)

    def call(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.env, timeout=250, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def plain_run(self):
        self.call("tumble", "run", "study.yaml", "-o", "whole", "--no-report")
        return _clusters.digest(self.folder / "whole")

    def daemon(self, line):
        """A line of the guide that does not end, as a process that ends with the test, with all that it started."""
        process = subprocess.Popen(["sh", "-c", "exec " + line], cwd=self.folder, env=self.env, start_new_session=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def end():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

        self.addCleanup(end)
        return process

    def test_shards_by_processes_of_this_machine(self):
        self.call("python3", "dask_shards.py")
        self.assertEqual(_clusters.digest(self.folder / "out"), self.plain_run())

    def test_shards_by_workers_of_a_scheduler_of_which_one_is_killed(self):
        study = self.folder / "study.yaml"
        text = study.read_text()
        study.write_text(text.replace("duration: 1,", "duration: 5,"))
        self.assertNotEqual(study.read_text(), text)
        whole = self.plain_run()
        (block,) = [text for _, text in _clusters.guide_blocks() if text.startswith("dask-scheduler")]
        port = free_port()
        lines = [line.split("#")[0].strip().removesuffix("&").replace("node1", "127.0.0.1").replace("8786", port)
                 for line in block.splitlines()]
        self.assertEqual(len(lines), 3)
        self.daemon(lines[0] + " --no-dashboard")
        self.daemon(lines[1] + " --no-dashboard")
        address = f"tcp://127.0.0.1:{port}"
        with distributed.Client(address, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            workers = client.run(os.getpid)
            study = subprocess.Popen(lines[2], shell=True, cwd=self.folder, env=self.env, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True)
            self.addCleanup(study.kill)
            for _ in range(3000):  # until a shard has begun
                if any((self.folder / "parts").glob("*/study.journal")):
                    break
                time.sleep(0.02)
            os.kill(next(iter(workers.values())), signal.SIGKILL)
            _, said = study.communicate(timeout=250)
            self.assertEqual(study.returncode, 0, said)
            self.assertNotEqual(client.run(os.getpid), workers)
        self.assertEqual(_clusters.digest(self.folder / "out"), whole)

    @unittest.skipUnless(package_is_built(), "the Python package is not built")
    def test_rows(self):
        self.call("python3", "dask_rows.py")
        rows = np.load(self.folder / "rows.npy")
        self.assertEqual(rows.shape, (1000, 3))
        import tumble

        model = tumble.load(self.folder / "study.yaml")
        together = model.evaluator(["bodies.bob.mass", "bodies.bob.position[0]"])(rows[:, :2])
        np.testing.assert_array_equal(rows[:, 2:], together)
        # Let go from the horizontal it comes to where it began with no loss: the lowest point is straight below the hinge, 1 m,
        # or for slow ones where they are after 1 s.
        self.assertTrue(np.all(rows[:, 2] >= -1 - 1e-9) and np.all(rows[:, 2] < -0.9))


if __name__ == "__main__":
    unittest.main()
