"""Second methods of benchmarks/stochastic: against outside data, against the published trajectories, and their answers against the references."""
import importlib.machinery
import math
import os
import pathlib
import subprocess
import sys

import numpy as np

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
home = root / "benchmarks/stochastic"
sys.path.insert(0, str(home))
sys.dont_write_bytecode = True
second = importlib.machinery.SourceFileLoader("second_of_benchmark", str(home / "second")).load_module()
import benchmark_files as files  # noqa: E402
import score  # noqa: E402
from independent.ancf import Beam, eole  # noqa: E402
from independent.five_body import FiveBody  # noqa: E402
from independent.rare_event import probability_above  # noqa: E402

# The five-body machine against MBDyn with steps of 5e-7 s (validation/data/five-body), up to the second kink: of the largest acceleration
# 1e-5, which is what those data are good for. Kink times are left out: their rows are limits from one side.
mbdyn = np.genfromtxt(root / "validation/data/five-body/nominal.csv", delimiter=",", names=True)
rows = [i for i in range(5, 86, 8)]
times = mbdyn["t"][rows].round(12)
place, acceleration, turning = FiveBody(np.array([3000.0]), np.array([[0.6, 0, 0.5]]), np.diag([1200.0, 5000.0, 6000.0])[None]).run(times)
for name, found, expected in (("az", acceleration[0, :, 2], mbdyn["az"][rows]), ("wdy", turning[0, :, 1], mbdyn["wdy"][rows])):
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < 1e-5, (name, error)
    print(f"five bodies, {name}: {error:.1e} of the largest from MBDyn")
assert np.max(np.abs(place[0, :, 2] - mbdyn["pz"][rows])) < 1e-9

# The flexible double pendulum, nominal, against an independent code (validation/data/ancf): 1e-8 m in 0.05 s, in which the ends fall 1.2 cm.
module = second.method_of("flexible-double-pendulum")
ancf = np.genfromtxt(root / "validation/data/ancf/double-pendulum-nu0.csv", delimiter=",", names=True)
found = module.responses({name: np.zeros(1) for name in module.GERMS}, [0.03, 0.05])
for name, column in (("tip1_z", "end1_z"), ("tip2_x", "end2_x"), ("tip2_z", "end2_z")):
    error = np.max(np.abs(found[name][0] - ancf[column][[3, 5]]))
    assert error < 1e-8, (name, error)
    print(f"double pendulum, {name}: {error:.1e} m from an independent code")

# The planar one: end positions of an independent code at 0.5 s, (-0.052783, -1.001692) m with six digits (docs/validation.md).
module = second.method_of("flexible-pendulum")
found = module.responses({name: np.zeros(1) for name in module.GERMS}, [0.5])
assert abs(found["tip_x"][0, 0] + 0.052783) < 4e-6 and abs(found["tip_y"][0, 0] + 1.001692) < 4e-6, found
# A beam that is turned has no elastic forces, and stretched ones are those of the energy's derivative.
beam = Beam([0, 0], [1, 0], 2, 0.1, 0.1, 1.0, lambda s: (np.array([3.0]), np.array([2.0])))
e = beam.start.reshape(1, 9, 2)
turn = np.array([[0.6, -0.8], [0.8, 0.6]])
assert np.max(np.abs(beam.forces(e @ turn.T))) < 1e-15
stretched = 1.1 * e       # F = 1.1 I: E = 0.105 I in the plane, stress 2 (lambda + G) 0.105, times F and the section on the end node
assert abs(beam.forces(stretched)[0, 6, 0] + 2 * (3.0 + 2.0) * 0.105 * 1.1 * 0.01) < 1e-15
# Expansions: the largest variance error of the paper's three beams (VALUES of random fields, 101 nodes): 0.003154, 0.043461, 0.001328.
for length, scale, terms, error in ((1.0, 2.0, 2, 0.003154), (0.3, 1.0, 1, 0.043461), (0.4, 1.0, 2, 0.001328)):
    s = np.linspace(0, length, 2001)
    g = eole(lambda d, a=scale: np.exp(-d**2 / a**2), np.linspace(0, length, 101), terms, s)
    assert abs(np.max(1 - np.sum(g**2, axis=1)) - error) < 2e-6

# The rare event: 24 nodes and 40.
assert abs(probability_above(2.54, 24) / probability_above(2.54, 40) - 1) < 1e-6

# Published trajectories again, where that is quick: three machines of each.
for case in ("slider-crank", "four-bar", "heavy-top", "rotor"):
    names, values = files.read_draws(home / "problems" / case / "trajectories.csv")
    per = len(values) // 10
    chosen = values[:3 * per]
    times = chosen[:per, 1]
    draws = {name: column[:3] for name, column in second.with_groups(home / "problems" / case / "draws.csv").items()}
    method = second.method_of(case)
    got = method.responses(draws, times)
    stated = {}
    for line in (home / "problems" / case / "trajectories.csv").read_text().splitlines():
        if line.startswith("# error of "):
            name, _, error = line[len("# error of "):].partition(":")
            stated[name] = float(error)
    for i, name in enumerate(names[2:]):
        table = chosen[:, 2 + i].reshape(3, per)
        allowed = 2 * stated[name] + method.TOLERANCE * np.max(np.abs(table))
        assert np.max(np.abs(table - got[name])) <= allowed, (case, name, np.max(np.abs(table - got[name])), allowed)

# What the second methods answered, stored beside the references, is judged again: nothing differs. Seven standard errors moved, it does.
cases = sorted(path.parent for path in (home / "problems").rglob("reference.csv"))
assert len(cases) == 14, cases
for folder in cases:
    reference = files.read_reference(folder / "reference.csv")
    name = str(folder.relative_to(home / "problems"))
    judged = 0
    for stored in ("second.csv", "quadrature.csv"):
        if not (folder / stored).is_file():
            continue
        results = files.read_results(folder / stored)
        found = score.judge(results, reference, 0.05)
        wrong = [(one.row.quantity, one.row.statistic, one.row.time, one.ratio) for one in found if one.verdict == "differs"]
        assert not wrong, (name, stored, wrong)
        judged += sum(one.verdict == "agrees" for one in found)
    assert judged > 2, (name, judged)
    row = next(row for row in results.rows if row.statistic == "mean")
    truth = next(one for one in reference.rows if one.key == row.key)
    runs = score.runs_of(row, results)
    row.value = truth.value + truth.time_error + 7 * math.hypot(truth.standard_error, score.own_error(row, truth, runs))
    assert any(one.verdict == "differs" for one in score.judge(results, reference, 0.05)), name
    print(f"{name}: {judged} statistics of the second method agree")

# Inputs of MBDyn: the numbers of a machine arrive.
subprocess.run([sys.executable, home / "mbdyn", "five-body/all", "-o", "mbdyn", "-n", "2"], check=True)
names, values = files.read_draws(home / "problems/five-body/all/draws.csv")
draw = dict(zip(names, values[1]))
text = pathlib.Path("mbdyn/machine-0001.mbd").read_text()
body = next(line for line in text.splitlines() if line.startswith("  body: 5, 5,"))
written = [float(cell) for cell in body.strip(" ;").split(",")[2:] if cell.strip() not in ("null", "sym")]
expected = [draw["bodies.rb5.mass"]] + [draw[f"bodies.rb5.inertia[{i}]"] for i in (0, 3, 4, 1, 5, 2)]      # xx xy xz yy yz zz
assert np.allclose(written, expected, rtol=1e-14), (written, expected)
offset = next(line for line in text.splitlines() if line.startswith("  structural: 99"))
written = [float(cell) for cell in offset.split("offset,")[1].split(",")[:3]]
assert np.allclose(written, np.array([-2, -1, 0.5]) - [draw[f"bodies.rb5.position[{i}]"] for i in range(3)], atol=1e-14)
done = subprocess.run([sys.executable, home / "mbdyn", "rotor", "-o", "mbdyn"], capture_output=True, text=True)
assert done.returncode == 2 and "expected one of the cases of five-body" in done.stderr
print("second methods agree")
