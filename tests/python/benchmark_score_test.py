"""The scorer of benchmarks/stochastic: right and wrong results are told apart at the rates it states; malformed files are told with their lines."""
import math
import os
import pathlib
import statistics
import subprocess
import sys

import numpy as np

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
home = root / "benchmarks/stochastic"
sys.path.insert(0, str(home))
sys.dont_write_bytecode = True
import benchmark_files as files  # noqa: E402
import score  # noqa: E402
import score_figure  # noqa: E402

ALPHA = 0.05


def table(rows, header=None, path="results.csv"):
    return files.Table(path, header or {}, [files.Row(i, **row) for i, row in enumerate(rows)])


def differs(results, reference, alpha=ALPHA):
    return any(one.verdict == "differs" for one in score.judge(results, reference, alpha))


def within(name, found, trials, probability):
    """A binomial count within four deviations: one in 16 000 right programs fails here."""
    slack = 4 * math.sqrt(probability * (1 - probability) / trials)
    assert abs(found / trials - probability) <= slack, f"{name}: {found} of {trials}, expected {probability:.4f} +- {slack:.4f}"
    print(f"{name}: {found} of {trials}, expected {probability:.4f}")


# Quantiles against tables: Student's t of 0.9995, and its limit.
assert abs(score.student_quantile(0.9995, 100) - 3.3905) < 2e-4
assert abs(score.student_quantile(0.9995, 30) - 3.6460) < 5e-4
assert abs(score.normal_quantile(0.975) - 1.9599640) < 1e-7
# The binomial distribution against sums of exact numbers.
for n, k, p in ((20, 3, 0.3), (500, 0, 0.01), (1000, 37, 0.02)):
    below = sum(math.comb(n, j) * p**j * (1 - p)**(n - j) for j in range(k + 1))
    above = sum(math.comb(n, j) * p**j * (1 - p)**(n - j) for j in range(k, n + 1))
    found = score.binomial_tail(n, k, p)
    assert abs(found[0] - below) < 1e-10 and abs(found[1] - above) < 1e-10, (n, k, p, found, below, above)
# A share of one in a million of 1e6, where Stirling's series counts: Poisson's law to one part in 1e5.
poisson = sum(math.exp(-1.0) / math.factorial(j) for j in range(3))
assert abs(score.binomial_tail(1_000_000, 2, 1e-6)[0] - poisson) < 1e-5

# Independent normal rows: the rate of false alarms is 1 - (1 - alpha/m)^m, that of finding a row off by k errors Phi(k - c) besides them.
draw = np.random.default_rng(1)
rows, trials = 30, 3000
alarms = {0.0: 0, 5.0: 0}
c = statistics.NormalDist().inv_cdf(1 - ALPHA / (2 * rows))
for trial in range(trials):
    truth = draw.standard_normal(rows)
    reference = table([{"quantity": f"q{i}", "statistic": "mean", "value": truth[i] + 0.3 * draw.standard_normal(), "standard_error": 0.3,
                        "time_error": 0.0, "mesh_error": 0.0, "runs": 1000} for i in range(rows)])
    found = truth + 0.4 * draw.standard_normal(rows)
    for off in alarms:
        shifted = found + off * 0.5 * (np.arange(rows) == 7)
        alarms[off] += differs(table([{"quantity": f"q{i}", "statistic": "mean", "value": shifted[i], "standard_error": 0.4} for i in range(rows)]),
                               reference)
alone = 1 - (1 - ALPHA / rows)**rows
within("false alarms of independent rows", alarms[0.0], trials, alone)
power = statistics.NormalDist().cdf(5 - c)
within("a row off by five errors", alarms[5.0], trials, 1 - (1 - power) * (1 - ALPHA / rows)**(rows - 1))


# Monte Carlo results without standard errors: skewed, correlated curves. At most alpha, and a code whose deviation is 15 % too large is found.
def sample(n, stretch=1.0):
    shape = 0.3 * stretch * draw.standard_normal((n, 1)) + 0.15 * stretch * draw.standard_normal((n, 1)) * np.linspace(-1, 1, 12)
    return np.exp(shape) + np.linspace(0, 3, 12)


def rows_of(x, errors):
    n, out = len(x), []
    for i in range(x.shape[1]):
        column = x[:, i]
        moment = np.mean((column - column.mean())**4)
        spread = column.std(ddof=1)
        numbers = {"mean": (column.mean(), spread / math.sqrt(n)),
                   "std": (spread, math.sqrt(max(moment - spread**4, 0) / n) / (2 * spread))}
        low = np.quantile(column, [0.45, 0.5, 0.55])
        numbers["quantile 0.5"] = (low[1], (low[2] - low[0]) / 0.1 * 0.5 / math.sqrt(n))
        share = np.mean((column >= 1 + i * 3 / 11) & (column < 9))
        numbers["share 1 9"] = (np.mean((column >= 1) & (column < 9)), math.sqrt(max(share * (1 - share), 1 / n) / n))
        for statistic, (value, error) in numbers.items():
            row = {"quantity": "q", "statistic": statistic, "time": 0.1 * i, "value": value}
            out.append({**row, "standard_error": error, "time_error": 0.0, "mesh_error": 0.0, "runs": n} if errors else row)
    return out


reference = table(rows_of(sample(40_000), True))
trials, wrong, found = 150, 0, 0
for trial in range(trials):
    wrong += differs(table(rows_of(sample(1000), False), {"runs": "1000"}), reference)
    found += differs(table(rows_of(sample(1000, 1.15), False), {"runs": "1000"}), reference)
print(f"samples of 1000: {wrong} of {trials} right ones told to differ, {found} of {trials} wrong ones found")
assert wrong <= trials * ALPHA + 4 * math.sqrt(trials * ALPHA * (1 - ALPHA)), wrong
assert found >= 0.95 * trials, found

# A code with a bias that it states agrees; one that is silent about it does not. So with another mesh.
one = table([{"quantity": "q", "statistic": "mean", "value": 1.0, "standard_error": 1e-4, "time_error": 0.0, "mesh_error": 0.05, "runs": 1000}])
off = {"quantity": "q", "statistic": "mean", "value": 1.04, "standard_error": 1e-4}
assert differs(table([off]), one) and not differs(table([{**off, "bias": 0.041}]), one) and not differs(table([off], {"mesh": "other"}), one)
# Too few runs are not judged, and neither is a quantile that few runs lie beyond.
few = score.judge(table([{"quantity": "q", "statistic": "mean", "value": 9.0}], {"runs": "10"}), one, ALPHA)
assert [judgement.verdict for judgement in few] == ["not judged"]

# Cost: stages of one computation, and one stage whose standard error says it.
truth = table([{"quantity": "q", "statistic": "mean", "value": 2.0, "standard_error": 1e-5, "time_error": 0.0, "mesh_error": 0.0, "runs": 10**6}])
stages = table([{"quantity": "q", "statistic": "mean", "value": value, "standard_error": 0.0, "runs": runs, "seconds": seconds}
                for runs, seconds, value in ((10, 1.0, 2.01), (20, 2.0, 2.5), (40, 4.0, 2.015), (80, 8.0, 2.004))])
assert score.cost(stages, truth)["q", "mean"][1:3] == (40, 4.0)
single = table([{"quantity": "q", "statistic": "mean", "value": 2.03, "standard_error": 0.04}], {"runs": "100", "seconds": "7"})
error, runs, seconds, _ = score.cost(single, truth)["q", "mean"]
assert runs == 400 and abs(seconds - 28) < 1e-9 and abs(error - 0.015) < 1e-12, (error, runs, seconds)
drawing = score_figure.comparison(table(rows_of(sample(500), False), {"runs": "500", "code": "a & b"}), reference,
                                  score.judge(table(rows_of(sample(500), False), {"runs": "500"}), reference, ALPHA))
assert drawing.count("<circle") > 12 * 4 and "a &amp; b" in drawing

# Malformed files: everything at once, each with its line, status 2 and nothing else.
work = pathlib.Path("malformed")
work.mkdir(exist_ok=True)
cases = {
    "quantity,statistic,time,value\nz,mean,0.1,abc\nz,middle,0.1,1\nz,quantile 1.5,0.1,1\nz,share 2 1,,0.5\n,mean,0.1,1\nz,mean,0.2,nan\nz,mean,0.3\n": [
        "2: value: 'abc', expected a number", "3: statistic: 'middle'", "4: statistic: 'quantile 1.5'", "5: statistic: 'share 2 1'",
        "6: quantity: empty", "7: value: 'nan', expected a finite number", "8: 3 cells, expected 4"],
    "quantity,statistic,value\n": ["1: column 'time' is missing"],
    "quantity,statistic,time,value,colour\nz,mean,0.1,1,red\n": ["1: unknown column 'colour'"],
    "quantity,statistic,time,value\n": ["1: no rows"],
    "": ["0: no line with the names of columns"],
    "# runs: many\nquantity,statistic,time,value\nz,mean,0.1,1\nz,mean,0.1,2\n": ["runs: 'many', expected a whole number", "4: the same statistic as in line 3"],
    "quantity,statistic,time,value,standard_error,runs\nz,std,0.1,-1,0.1,5\nz,mean,0.1,1,-0.1,5\nz,mean,0.2,1,0.1,2.5\nlowest,share -1 0,,1.5,0.1,5\n": [
        "2: value: -1, expected a standard deviation", "3: standard_error: -0.1, expected at least 0", "4: runs: 2.5, expected a whole number",
        "5: value: 1.5, expected a probability"],
    "quantity,statistic,time,value\nspeed,mean,0.1,1\nz,mean,0.123,1\n": ["2: the reference has no mean of 'speed' at t = 0.1 s", "3: the reference has no mean of 'z'"],
    "# problem: rotor\nquantity,statistic,time,value\nz,mean,0.1,1\n": ["problem: 'rotor', expected 'heavy-top'"],
}
for i, (text, expected) in enumerate(cases.items()):
    path = work / f"{i}.csv"
    path.write_text(text)
    done = subprocess.run([sys.executable, home / "score.py", "heavy-top", path], capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == "", (text, done.returncode, done.stdout, done.stderr)
    for message in expected:
        assert f"{path}:{message}" in done.stderr or f"{path}: {message}" in done.stderr, f"'{message}' is not in\n{done.stderr}"
    assert len(done.stderr.splitlines()) == len(expected), done.stderr
path = work / "binary.csv"
path.write_bytes(b"\xff\xfe\x00")
assert "neither text" in subprocess.run([sys.executable, home / "score.py", "heavy-top", path], capture_output=True, text=True).stderr
done = subprocess.run([sys.executable, home / "score.py", "light-top", path], capture_output=True, text=True)
assert done.returncode == 2 and "there are car-bump, car-road, five-body/all" in done.stderr, done.stderr

# netCDF, classic and new, says the same as CSV: here a part of the reference itself.
reference = files.read_reference(home / "problems/heavy-top/reference.csv")
some = [row for row in reference.rows if row.quantity in ("z", "lowest")]
files.write("same.csv", {"problem": "heavy-top", "runs": 500}, files.RESULT_COLUMNS,
            [{"quantity": row.quantity, "statistic": row.statistic, "time": row.time, "value": row.value} for row in some])
from scipy.io import netcdf_file  # noqa: E402
import netCDF4  # noqa: E402
times = np.array([math.nan if row.time is None else row.time for row in some])
with netcdf_file("classic.nc", "w") as data:
    data.problem, data.runs = "heavy-top", "500"
    data.createDimension("row", len(some))
    data.createDimension("letters", 80)
    for name in ("quantity", "statistic"):
        data.createVariable(name, "S1", ("row", "letters"))[:] = np.array([list(getattr(row, name).ljust(80, "\0")) for row in some], "S1")
    data.createVariable("time", "d", ("row",))[:] = times
    data.createVariable("value", "d", ("row",))[:] = [row.value for row in some]
with netCDF4.Dataset("new.nc", "w") as data:
    data.problem, data.runs = "heavy-top", 500
    data.createDimension("row", len(some))
    for name in ("quantity", "statistic"):
        data.createVariable(name, str, ("row",))[:] = np.array([getattr(row, name) for row in some], dtype=object)
    data.createVariable("time", "d", ("row",))[:] = times
    data.createVariable("value", "d", ("row",))[:] = [row.value for row in some]
said = []
for path in ("same.csv", "classic.nc", "new.nc"):
    done = subprocess.run([sys.executable, home / "score.py", "heavy-top", path, "--svg", "drawn.svg"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    said.append(done.stdout)
assert said[0] == said[1] == said[2] and "agrees: 0 of" in said[0], said
assert pathlib.Path("drawn.svg").read_text().count("<circle") > 20
print("the scorer tells right from wrong at the stated rates")
