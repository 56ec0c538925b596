"""Linearised machines and their frequency responses, against closed forms, against modes and against runs of the program.

What is compared does not depend on which coordinates are states: eigenvalues, transfer functions and responses."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import scipy.linalg
import xarray as xr

import _results as results

TUMBLE = os.environ["TUMBLE"]
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
work = pathlib.Path(tempfile.mkdtemp())


def call(*arguments, status=0):
    done = subprocess.run([TUMBLE, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"{arguments}: status {done.returncode}, expected {status}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def written(name, text):
    path = work / f"{name}.yaml"
    path.write_text(text)
    return path


class Linear:
    """A, B, C, D as `tumble linearize` prints them."""

    def __init__(self, model, *options):
        self.model, self.options = model, options
        found = json.loads(call("linearize", model, "--json", *options))
        n, m, p = (len(found[key]) for key in ("states", "inputs", "outputs"))
        shape = {"A": (n, n), "B": (n, m), "C": (p, n), "D": (p, m)}
        for key, s in shape.items():
            setattr(self, key, np.array(found[key], dtype=float).reshape(s))
        self.states, self.inputs, self.outputs = found["states"], found["inputs"], found["outputs"]

    def transfer(self, output, s):
        row = self.outputs.index(output)
        return (self.C[row] @ np.linalg.solve(s * np.eye(len(self.A)) - self.A, self.B) + self.D[row])[0]

    def check(self, output, exact, tolerance=1e-8, second=False):
        """The transfer function, by the state space and by `tumble frequency-response`; `second`: the input of the state
        space is the second derivative."""
        frequencies = [0.03, 0.4, 1.7, 6.0, 25.0]
        table = call("frequency-response", self.model, "-p", output, "--frequencies", *frequencies, *self.options)
        rows = np.array([[float(x) for x in line.split(",")] for line in table.splitlines()[1:]])
        for row, f in zip(rows, frequencies):
            s = 2j * np.pi * f
            expected = exact(s)
            by_states = self.transfer(output, s) * (s**2 if second else 1)
            results.near(f"{output} at {f} Hz by the state space", by_states, expected, tolerance * abs(expected))
            results.near(f"{output} at {f} Hz", row[1] * np.exp(1j * row[2]), expected, tolerance * abs(expected))

    def check_eigenvalues(self, expected, tolerance=1e-9):
        found = np.linalg.eigvals(self.A)
        for value in expected:
            error = np.min(np.abs(found - value)) / max(abs(value), 1e-3)
            if not error <= tolerance:
                sys.exit(f"{self.model}: no eigenvalue {value}; there are {found}")

    def check_modes(self, *options, tolerance=1e-7):
        modes = json.loads(call("modes", self.model, "--json", "-n", "1000", *options))
        fastest = max(abs(complex(*mode["eigenvalue"])) for mode in modes)
        found = np.linalg.eigvals(self.A)
        for mode in modes:
            value = complex(*mode["eigenvalue"])
            # Twofold eigenvalues 0 are known to the root of rounding.
            error = np.min(np.abs(found - value))
            if not error <= max(tolerance * abs(value), 1e-7 * fastest):
                sys.exit(f"{self.model}: {value} is no eigenvalue of A: {found}")


# Hanging cart-pole, displacement x and angle a about +y, centre of the pole l above the hinge at a = 0: M x" + m l (a cos a)" = F,
# J a" + m l cos(a) x" - m g l sin(a) = 0, J about the hinge. About a = pi the sign of cos changes.
M, m, l, J, g = 1.2, 0.2, 0.5, 0.018 + 0.2 * 0.25, 9.81
plant = EXAMPLES / "control/cart-pole-plant.yaml"


def cart_pole(sign):
    def solve(s):
        matrix = np.array([[M * s**2, sign * m * l * s**2], [sign * m * l * s**2, J * s**2 - sign * m * g * l]])
        return np.linalg.solve(matrix, [1, 0])
    return solve


for sign, options in ((-1, ()), (1, ("--at-start",))):
    system = Linear(plant, *options)
    exact = cart_pole(sign)
    system.check("track.displacement.z", lambda s: exact(s)[0])
    system.check("track.displacement_rate.z", lambda s: s * exact(s)[0])
    system.check("hinge.angle", lambda s: exact(s)[1])
    # The hinge pushes the pole along x: m (x" + l cos(a) a"). Reported is the force on the second body.
    system.check("hinge.force.x", lambda s: m * s**2 * (exact(s)[0] + sign * l * exact(s)[1]))
    if not options:
        system.check_modes()
rate = np.sqrt(m * g * l / (J - (m * l)**2 / M))
Linear(plant, "--at-start").check_eigenvalues([rate, -rate])

# A run of the nonlinear machine under a small step of the force, against the step response.
small = 1e-4
text = plant.read_text().replace("{type: input}", f"{{type: constant, value: {small}}}")
text = text.replace("duration: 4, step: 1e-3", "duration: 1, step: 2.5e-4").replace("axis: [0, 1, 0]}", "axis: [0, 1, 0], start: {angle: 3.141592653589793}}")
data = results.run(written("step", text), work / "step")
system = Linear(plant)
n = len(system.A)
extended = np.zeros((n + 1, n + 1))
extended[:n, :n], extended[:n, n:] = system.A, system.B
for t in (0.2, 0.6, 1.0):
    x = scipy.linalg.expm(extended * t)[:n, n]
    expected = small * (system.C @ x + system.D[:, 0])
    for probe, start in (("track.displacement.z", 0), ("hinge.angle", np.pi)):
        values = data[probe.removesuffix(".z").replace(".", "_") + "_nominal"].sel(time=t, method="nearest")
        found = float(values.values.flat[-1]) - start
        value = expected[system.outputs.index(probe)]
        results.near(f"{probe} of a run at {t} s", found, value, 2e-5 * abs(value) + 1e-12)

# A chain of three masses between walls, with dampers; the force acts on the second.
chain = """
bodies:
  a: {mass: 1, position: [0, 0, 0], inertia: [1, 1, 1]}
  b: {mass: 2, position: [1, 0, 0], inertia: [1, 1, 1]}
  c: {mass: 3, position: [2, 0, 0], inertia: [1, 1, 1]}
joints:
  ja: {type: prismatic, between: [ground, a], point: [0, 0, 0], axis: [1, 0, 0]}
  jb: {type: prismatic, between: [ground, b], point: [1, 0, 0], axis: [1, 0, 0]}
  jc: {type: prismatic, between: [ground, c], point: [2, 0, 0], axis: [1, 0, 0]}
forces:
  k0: {type: spring, between: [ground, a], points: [[-1, 0, 0], [0, 0, 0]], stiffness: 40, damping: 0.3}
  k1: {type: spring, between: [a, b], points: [[0, 0, 0], [1, 0, 0]], stiffness: 50, damping: 0.2}
  k2: {type: spring, between: [b, c], points: [[1, 0, 0], [2, 0, 0]], stiffness: 60, damping: 0.1}
  f: {type: applied, body: b, force: [0, 0, 0]}
probes:
  a: {body: a, quantities: [position, acceleration]}
  k2: {force: k2, quantities: [tension]}
simulation: {duration: 1, step: 1e-3}
"""
model = written("chain", chain)
mass = np.diag([1.0, 2, 3])
stiffness = lambda k0, k1, k2: np.array([[k0 + k1, -k1, 0], [-k1, k1 + k2, -k2], [0, -k2, k2]])
K, C = stiffness(40, 50, 60), stiffness(0.3, 0.2, 0.1)
answer = lambda s: np.linalg.solve(s**2 * mass + s * C + K, [0, 1, 0])
system = Linear(model, "-i", "forces.f.force[0]")
assert len(system.states) == 6 and system.inputs == ["forces.f.force[0]"], system.states
system.check("a.position.x", lambda s: answer(s)[0])
system.check("a.acceleration.x", lambda s: s**2 * answer(s)[0])
system.check("k2.tension", lambda s: (60 + 0.1 * s) * (answer(s)[2] - answer(s)[1]))
system.check_eigenvalues(np.linalg.eigvals(np.block([[np.zeros((3, 3)), np.eye(3)],
                                                     [-np.linalg.solve(mass, K), -np.linalg.solve(mass, C)]])))
system.check_modes()

# A disc that spins with 500 rad/s on a tilting spring: J p" + Jp W q' + k p = torque, J q" - Jp W p' + k q = 0.
# The axis takes the spin along: w_x = p' + W q.
disc = """
gravity: [0, 0, 0]
bodies:
  disc: {mass: 1, position: [0, 0, 0], inertia: [0.01, 0.01, 0.018], angular_velocity: [0, 0, 500]}
joints:
  ball: {type: spherical, between: [ground, disc], point: [0, 0, 0]}
forces:
  tilt: {type: bushing, between: [ground, disc], point: [0, 0, 0], stiffness: [0, 0, 0, 100, 100, 0]}
  twist: {type: applied, body: disc, torque: [0, 0, 0]}
probes:
  disc: {body: disc, quantities: [angular_velocity]}
simulation: {duration: 0.01, step: 1e-5}
"""
model = written("disc", disc)
system = Linear(model, "-i", "forces.twist.torque[0]")
gyro = lambda s: np.linalg.solve(np.array([[0.01 * s**2 + 100, 9 * s], [-9 * s, 0.01 * s**2 + 100]]), [1, 0])
system.check("disc.angular_velocity.x", lambda s: s * gyro(s)[0] + 500 * gyro(s)[1], 1e-7)
system.check("disc.angular_velocity.y", lambda s: s * gyro(s)[1] - 500 * gyro(s)[0], 1e-7)
system.check_modes()

# A shaken table: the drive imposes a motion, and its second derivative is the input of the state space.
shaker = EXAMPLES / "control/shaker.yaml"
system = Linear(shaker)
assert system.inputs == ["shake.second"], system.inputs


def masses(s, k=2000, k2=1000):
    below, above = k + 8 * s, k2 + 4 * s
    return np.linalg.solve(np.array([[2 * s**2 + below + above, -above], [-above, s**2 + above]]), [below, 0])


system.check("upper.position.z", lambda s: masses(s)[1], second=True)
system.check("lower.acceleration.z", lambda s: s**2 * masses(s)[0], second=True)
system.check("below.tension", lambda s: (2000 + 8 * s) * (masses(s)[0] - 1), second=True)

# A four-bar chain and a beam: eigenvalues are those of modes; direct solution and state space agree.
for name in ("beams/cantilever.yaml", "classics/double-pendulum.yaml"):
    Linear(EXAMPLES / name).check_modes(tolerance=1e-6)

# The files hold the same numbers.
call("linearize", plant, "-o", work / "plant.nc")
call("linearize", plant, "-o", work / "plant.mtx")
system = Linear(plant)
with xr.open_dataset(work / "plant.nc") as data:
    for key in "ABCD":
        assert np.array_equal(data[key].values, getattr(system, key)), key
        lines = [line for line in (work / f"plant.{key}.mtx").read_text().splitlines() if not line.startswith("%")]
        shape = tuple(int(x) for x in lines[0].split())
        read = np.array([float(x) for x in lines[1:]]).reshape(shape[::-1]).T
        assert np.array_equal(read, getattr(system, key)), f"{key}.mtx"
    assert list(data["state"].values) == system.states and list(data["output"].values) == system.outputs
call("frequency-response", shaker, "--from", 0.5, "--to", 20, "--points", 7, "-o", work / "shaker.nc")
with xr.open_dataset(work / "shaker.nc") as data:
    for f, amplitude in zip(data.frequency.values, data.amplitude.sel(output="upper.position.z").values[:, 0]):
        results.near("amplitude in the file", amplitude, abs(masses(2j * np.pi * f)[1]), 1e-8)

# Mistakes.
for arguments, words in ((("linearize", plant, "-i", "pusch"), "did you mean 'push'"),
                         (("linearize", plant, "-p", "track.angel"), "must be a probe"),
                         (("linearize", plant, "-i", "bodies.cart.mass"), "must be a drive"),
                         (("linearize", plant, "-o", work / "plant.txt"), "must end in"),
                         (("linearize", plant, "-o", work / "plant.nc"), "plant.nc"),
                         (("frequency-response", plant), "--frequencies"),
                         (("frequency-response", written("plain", chain), "--from", 1, "--to", 2), "no drives"),
                         (("linearize", EXAMPLES / "control/cart-pole.yaml"), "state variables")):
    said = call(*arguments, status=2)
    assert words in said, said

# The random response: with both stiffnesses known, each value is the closed form; quantiles at one frequency where only one is
# random follow from its law, as far as the gain is monotone there.
data = results.run(shaker, work / "random", "-n", "200")
names = list(data["input"].values)
for r in (0, 7, 199):
    k, k2 = (data["inputs"].values[r, names.index(f"forces.{which}.stiffness")] for which in ("below", "above"))
    for i, f in enumerate(np.geomspace(0.5, 20, 60)):
        results.near(f"gain {i} of realisation {r}", float(data[f"quantity_shaken_{i + 1:03}"][r]),
                     abs(masses(2j * np.pi * f, k, k2)[1]), 1e-7)
    phase = np.angle(masses(6j * np.pi, k, k2)[1])
    results.near("phase", np.exp(1j * float(data["quantity_behind"][r])), np.exp(1j * phase), 1e-7)
