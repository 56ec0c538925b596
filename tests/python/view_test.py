"""tumble view: pages of this machine alone, a study followed while it runs, Ctrl-C."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

TUMBLE = os.environ["TUMBLE"]

MODEL = """
gravity: [0, 0, -9.81]
bodies:
  bob: {mass: 2, position: [0.5, 0, 0], inertia: [0.01, 0.05, 0.05]}
joints:
  hinge: {type: revolute, between: [ground, bob], point: [0, 0, 0], axis: [0, 1, 0]}
probes:
  tip: {body: bob, point: [1, 0, 0], quantities: [position]}
simulation: {duration: 1, step: 1e-4, output_step: 0.1}
uncertainty:
  bodies.bob.mass: {law: normal, mean: 2, std: 0.1}
study: {method: monte-carlo, realizations: 100, seed: 7}
"""


class Served:
    def __init__(self, directory):
        self.process = subprocess.Popen(
            [TUMBLE, "view", str(directory)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/", line.strip()).group(1))

    def get(self, path, method="GET", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def raw(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as link:
            link.sendall(request)
            return link.makefile("rb").read()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


class View(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        self.path = pathlib.Path(self.work.name)
        (self.path / "model.yaml").write_text(MODEL)

    def serve(self, directory):
        served = Served(directory)
        self.addCleanup(lambda: served.process.poll() is None and served.process.kill())
        self.addCleanup(served.process.stdout.close)
        return served

    def run_study(self, *arguments):
        return subprocess.Popen(
            [TUMBLE, "run", str(self.path / "model.yaml"), "-o", str(self.path / "out"), *arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def test_finished_results(self):
        self.assertEqual(self.run_study("--no-report").wait(timeout=300), 0)
        served = self.serve(self.path / "out")
        answer, page = served.get("/")
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.getheader("Content-Type").startswith("text/html"))
        self.assertEqual(int(answer.getheader("Content-Length")), len(page))
        self.assertIn(b'"format":1', page)
        self.assertIn(b"bodies.bob.mass", page)
        self.assertEqual(json.loads(served.get("/status.json?now")[1]), {"done": True})
        head, nothing = served.get("/", "HEAD")
        self.assertEqual((head.status, nothing), (200, b""))

        # Nothing of the file system is reachable, whatever the path is.
        (self.path / "out" / "secret.txt").write_text("secret")
        for path in ("/secret.txt", "/results.nc", "/../model.yaml", "/%2e%2e/model.yaml", "//etc/passwd",
                     "/..%2f..%2fetc/passwd", "/.", "/status.json/../../model.yaml"):
            answer, body = served.get(path)
            self.assertEqual(answer.status, 404, path)
            self.assertNotIn(b"secret", body.replace(b"secret.txt", b""))
        self.assertEqual(served.get("/", "POST")[0].status, 405)
        self.assertEqual(served.get("/", "DELETE")[0].status, 405)
        # A page of another site that has its name lead here.
        self.assertEqual(served.get("/", headers={"Host": "evil.example"})[0].status, 403)
        self.assertEqual(served.get("/", headers={"Host": f"localhost:{served.port}"})[0].status, 200)
        self.assertIn(b" 400 ", served.raw(b"nonsense\r\n\r\n").splitlines()[0])
        self.assertIn(b" 403 ", served.raw(b"GET / HTTP/1.1\r\n\r\n").splitlines()[0])
        # A request that never ends, and one that is too long, end with the connection.
        self.assertEqual(served.raw(b"GET / HTTP/1.1\r\nHost: 127."), b"")
        self.assertEqual(served.get("/status.json")[0].status, 200)

        status, errors = served.stop()
        self.assertEqual(status, 130, errors)

    def test_follows_a_study(self):
        (self.path / "out").mkdir()
        served = self.serve(self.path / "out")
        status = json.loads(served.get("/status.json")[1])
        self.assertEqual((status["done"], status["finished"], status["failed"]), (False, 0, 0))
        self.assertIn(b'"live":{"status":"status.json"}', served.get("/")[1])
        study = self.run_study("-n", "6400", "--threads", "1")
        seen = []
        end = time.monotonic() + 240
        while time.monotonic() < end:
            status = json.loads(served.get("/status.json")[1])
            if status["done"]:
                break
            seen.append(status["finished"])
            time.sleep(0.02)
        self.assertTrue(status["done"])
        self.assertEqual(study.wait(timeout=240), 0)
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(len({n for n in seen if 0 < n < 6400}), 1, "nothing was seen on the way")
        self.assertIn(b'"realizations":6400', served.get("/")[1])
        self.assertEqual(served.stop()[0], 130)

    def test_refusals(self):
        for arguments in (["nowhere"], [str(self.path), "--port", "0"], [str(self.path), "--port", "70000"]):
            done = subprocess.run([TUMBLE, "view", *arguments], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            done = subprocess.run([TUMBLE, "view", str(self.path), "--port", port], capture_output=True, text=True)
            self.assertEqual(done.returncode, 3)
            self.assertIn(port, done.stderr)


if __name__ == "__main__":
    unittest.main()
