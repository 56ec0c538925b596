"""Talks to `tumble serve` as clients of UM-Bridge do. Run in the directory that serve.sh prepares."""
import concurrent.futures
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import unittest

import netCDF4
import numpy as np

TUMBLE = os.environ["TUMBLE"]


class Server:
    def __init__(self, model, *options):
        self.process = subprocess.Popen([TUMBLE, "serve", model, "--port", "0", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)", self.said[-1])
            if found:
                self.port = int(found.group(1))
                return
        raise RuntimeError(self.process.stderr.read())

    def send(self, method, path, body=b"", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text)

    def post(self, path, **request):
        return self.send("POST", path, json.dumps({"name": "forward", "config": {}, **request}))

    def evaluate(self, *point):
        status, answer = self.post("/Evaluate", input=[list(point)])
        assert status == 200, answer
        return answer["output"]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, err

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        self.process.stdout.close()
        self.process.stderr.close()


def study():
    """Inputs [realisation][input] and quantities [realisation][quantity] of the study beside."""
    with netCDF4.Dataset("study/results.nc") as file:
        file.set_auto_mask(False)
        quantities = [file.variables[f"quantity_{name}"][:] for name in ("low", "effort", "end")]
        paths = [str(path) for path in file.variables["input"][:]]
        return paths, file.variables["inputs"][:], np.stack(quantities, axis=1), file.variables["tip_position"][:]


class Protocol(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("swing.yaml")
        cls.addClassCleanup(cls.server.__exit__)

    def assertError(self, answer, status, kind, words=""):
        self.assertEqual(answer[0], status, answer)
        self.assertEqual(set(answer[1]), {"error"})
        self.assertEqual(set(answer[1]["error"]), {"type", "message"})
        self.assertEqual(answer[1]["error"]["type"], kind, answer)
        self.assertIn(words, answer[1]["error"]["message"])

    def test_says_what_it_is(self):
        self.assertEqual(self.server.send("GET", "/Info"), (200, {"protocolVersion": 1.0, "models": ["forward"]}))
        self.assertEqual(self.server.post("/InputSizes"), (200, {"inputSizes": [3]}))
        self.assertEqual(self.server.post("/OutputSizes"), (200, {"outputSizes": [3]}))
        self.assertEqual(self.server.post("/ModelInfo"), (200, {"support": {
            "Evaluate": True, "Gradient": True, "ApplyJacobian": False, "ApplyHessian": False}}))

    def test_evaluates_to_the_bits_of_a_study_one_by_one_and_64_at_once(self):
        paths, inputs, quantities, _ = study()
        for i, path in enumerate(paths):
            self.assertTrue(any(line.split()[:2] == [str(i), path] for line in self.server.said), path)
        for r in range(3):
            self.assertEqual(self.server.evaluate(*inputs[r]), [list(quantities[r])])
        with concurrent.futures.ThreadPoolExecutor(64) as pool:
            for r, answer in enumerate(pool.map(lambda x: self.server.evaluate(*x), inputs)):
                self.assertEqual(answer, [list(quantities[r])], r)

    def test_gives_series_at_output_times_and_chosen_inputs(self):
        paths, inputs, quantities, positions = study()
        with Server("swing.yaml", "--output", "end", "tip.position", "--name", "x", "--threads", "1",
                    "--input", *reversed(paths)) as server:
            status, answer = server.post("/OutputSizes", name="x")
            self.assertEqual(answer, {"outputSizes": [1, 51 * 3]})
            status, answer = server.post("/Evaluate", name="x", input=[list(inputs[7][::-1])])
            self.assertEqual(status, 200)
            self.assertEqual(answer["output"][0], [quantities[7][2]])
            self.assertEqual(answer["output"][1], list(positions[7].ravel()))

    def test_gradients_are_those_of_differences(self):
        point = [2.0, 0.5, 0.2]
        sens = [1.0, 0.25, -2.0]
        status, answer = self.server.post("/Gradient", input=[point], outWrt=0, inWrt=0, sens=sens)
        self.assertEqual(status, 200, answer)

        def target(x):
            return float(np.dot(sens, self.server.evaluate(*x)[0]))

        for i in range(3):
            # Fourth order; what remains is below 1e-8 of the value, by halving the distance.
            def slope(h):
                f = [target([x + k * h * (j == i) for j, x in enumerate(point)]) for k in (-2, -1, 1, 2)]
                return (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / (12 * h)
            wide, narrow = slope(2e-3 * point[i]), slope(1e-3 * point[i])
            self.assertLess(abs(wide - narrow), 1e-6 * max(1, abs(narrow)))
            self.assertLess(abs(answer["output"][i] - narrow), 1e-6 * max(1, abs(narrow)), i)
        # The end of a series is a quantity too.
        with Server("swing.yaml", "--output", "end", "tip.position") as server:
            ends = server.post("/Gradient", input=[point], outWrt=0, inWrt=0, sens=[1])[1]["output"]
            series = server.post("/Gradient", input=[point], outWrt=1, inWrt=0, sens=[0] * 150 + [1, 0, 0])[1]["output"]
        np.testing.assert_allclose(ends, series, rtol=1e-7)

    def test_refuses_what_is_not_asked_properly(self):
        post, send = self.server.post, self.server.send
        self.assertError(post("/Evaluate", name="other", input=[[1, 2, 3]]), 400, "ModelNotFound", "forward")
        self.assertError(send("POST", "/Evaluate", "{}"), 400, "ModelNotFound")
        for path in ("/ApplyJacobian", "/ApplyHessian"):
            self.assertError(post(path), 400, "UnsupportedFeature")
        for body in (b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100000, b'{"name": "forward"' + b" " * 1000):
            self.assertError(send("POST", "/Evaluate", body), 400, "InvalidInput")
        for wrong in ({}, {"input": 3}, {"input": []}, {"input": [[1, 2]]}, {"input": [[1, 2, 3], []]}, {"input": [[1, 2, 3, 4]]},
                      {"input": [[1, 2, "3"]]}, {"input": [[1, 2, None]]}, {"input": {"0": [1, 2, 3]}}, {"input": [[1, 2, [3]]]}):
            self.assertError(post("/Evaluate", **wrong), 400, "InvalidInput", "input")
        self.assertError(send("POST", "/Evaluate", '{"name": "forward", "input": [[1, 2, 1e999]]}'), 400, "InvalidInput")
        self.assertError(post("/Evaluate", input=[[2, 0.5, 0.1]], config={"a": 1}), 400, "InvalidInput", "config")
        good = {"input": [[2, 0.5, 0.1]], "outWrt": 0, "inWrt": 0, "sens": [1, 0, 0]}
        for name, value in (("outWrt", 1), ("outWrt", -1), ("outWrt", "0"), ("inWrt", 1), ("inWrt", 0.5), ("sens", [1]), ("sens", 1)):
            self.assertError(post("/Gradient", **{**good, name: value}), 400, "InvalidInput", name)
        self.assertError(send("GET", "/"), 404, "NotFound")
        self.assertError(send("GET", "/Evaluate"), 404, "NotFound")
        self.assertError(send("GET", "/Info", headers={"Host": "attacker.example"}), 403, "Forbidden")
        self.assertError(post("/Evaluate", input=[[-2, 0.5, 0.1]]), 400, "InvalidInput", "mass")
        # Bytes that are no request at all.
        for junk in (b"\x00\x01\x02\r\n\r\n", b"POST /Evaluate HTTP/1.1\r\nContent-Length: 99999999999999\r\n\r\n", b"G"):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=30) as connection:
                connection.sendall(junk)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
        self.assertEqual(len(self.server.evaluate(2, 0.5, 0.1)[0]), 3)

    def test_limits(self):
        with Server("swing.yaml", "--body-limit", "0.01", "--time-limit", "0.001", "--set", "simulation.duration=20") as server:
            self.assertError(server.send("POST", "/Evaluate", b" " * 20000), 413, "InvalidInput", "too large")
            self.assertError(server.post("/Evaluate", input=[[2, 0.5, 0.1]]), 500, "Timeout")
            self.assertEqual(server.send("GET", "/Info")[0], 200)

    def test_tells_failed_simulations_and_missing_values(self):
        with Server("stretched.yaml", "--input", "bodies.bob.mass", "drives.growth.coefficients[1]") as server:
            self.assertEqual(len(server.evaluate(2, 0.5)[0]), 1)
            with concurrent.futures.ThreadPoolExecutor(16) as pool:  # neighbours in a lane are not touched
                answers = list(pool.map(lambda speed: server.post("/Evaluate", input=[[2, speed]]), [0.5, 10] * 8))
            for answer in answers[1::2]:
                self.assertError(answer, 500, "SimulationFailed", "t = 0.12")
            self.assertEqual({str(answer) for answer in answers[::2]}, {str((200, {"output": server.evaluate(2, 0.5)}))})
        # The height is passed in no run.
        crossing = "quantities={never: {of: tip.position.z, kind: first_crossing, level: 5}}"
        with Server("swing.yaml", "--set", crossing) as server:
            self.assertError(server.post("/Evaluate", input=[[2, 0.5, 0.1]]), 500, "InvalidOutput", "never has no value")

    def test_says_where_there_is_no_gradient(self):
        # By the time at which a drive has its kink.
        with Server("kinked.yaml", "--input", "drives.growth.times[1]") as server:
            self.assertFalse(server.post("/ModelInfo")[1]["support"]["Gradient"])
            self.assertError(server.post("/Gradient", input=[[0.2]], outWrt=0, inWrt=0, sens=[1]), 400,
                             "UnsupportedFeature", "break point")

    def test_ctrl_c_ends_it_while_requests_wait(self):
        server = Server("swing.yaml", "--threads", "1", "--set", "simulation.duration=5")
        with concurrent.futures.ThreadPoolExecutor(24) as pool:
            waiting = [pool.submit(server.post, "/Evaluate", input=[[2, 0.5, 0.1]]) for _ in range(24)]
            concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            status, said = server.end()
        server.__exit__()
        self.assertEqual(status, 130)
        self.assertIn("not served any more", said)


if __name__ == "__main__":
    unittest.main()
