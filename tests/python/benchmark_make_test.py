"""benchmarks/stochastic/make in small: resumable, with the same bytes; and the data in the repository are those of the models beside them."""
import csv
import hashlib
import importlib.machinery
import json
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
home = root / "benchmarks/stochastic"
sys.path.insert(0, str(home))
sys.dont_write_bytecode = True
import benchmark_files as files  # noqa: E402
import reference_rows  # noqa: E402
from neutral import evaluate, neutral  # noqa: E402

TUMBLE = os.environ["TUMBLE"]
make = importlib.machinery.SourceFileLoader("make_of_benchmark", str(home / "make")).load_module()

# Expressions, as the reader of model files has them.
assert evaluate("-rear / 2^2", {"rear": 1.5}) == -0.375 and evaluate("sqrt(2) * pi", {}) == 2**0.5 * 3.141592653589793
assert evaluate("1e9", {}) == 1e9 and evaluate("bob.velocity.z", {}) is None and evaluate("__import__('os')", {}) is None
tiny = {"constants": {"a": 2, "b": "3 * a"}, "bodies": {"x": {"mass": "b + 1"}}, "drives": {"b": {"type": "sum", "of": ["b"]}}}
assert neutral(tiny)["bodies"]["x"]["mass"] == 7.0 and neutral(tiny)["drives"]["b"]["of"] == ["b"]


def small(*arguments, folder="data"):
    done = subprocess.run([sys.executable, home / "make", "--small", "--data", folder, "--work", f"work-{folder}", "--threads", "1", *arguments],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


chosen = ["rotor", "rare-event", "five-body/mass"]
for name in ("data", "work-data"):
    subprocess.run(["rm", "-rf", name], check=True)
first = small(*chosen)
assert "rotor: indices" in first and "rare-event: too_fast" in first, first
digests = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(pathlib.Path("data").rglob("*")) if path.is_file()}
listed = dict(reversed(line.split("  ")) for line in pathlib.Path("data/SHA256SUMS").read_text().splitlines())
assert len(listed) == 12 and all(digests[pathlib.Path("data") / name] == digest for name, digest in listed.items())
# Again: no run, the same bytes. After one was lost, that one alone.
pathlib.Path("work-data/small/rotor/reference.done.json").unlink()
again = small(*chosen)
assert "rotor: reference" in again and "indices" not in again and "ten-" not in again and "five-body/mass: reference" not in again, again
assert digests == {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in digests}
done = subprocess.run([sys.executable, home / "make", "top"], capture_output=True, text=True)
assert done.returncode == 2 and "no problem top; there are car-bump" in done.stderr, done.stderr

# The small reference agrees with the stored one, which is of the same seed, machine by machine at its beginning, but of another size: the
# scorer takes it for results. So does a model that is wrong by 3 % of a stiffness differ.
for case in chosen:
    reference = files.read_reference(pathlib.Path("data") / case / "reference.csv")
    rows = [{"quantity": row.quantity, "statistic": row.statistic, "time": row.time, "value": row.value} for row in reference.rows
            if not row.statistic.startswith(("first", "total", "probability"))]
    files.write("small.csv", {"problem": case, "runs": 128}, files.RESULT_COLUMNS, rows)
    done = subprocess.run([sys.executable, home / "score.py", case, "small.csv"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

# Data in the repository: checksums; problem.json says what the model says now; draws are those of `tumble sample`.
problems = home / "problems"
for line in (problems / "SHA256SUMS").read_text().splitlines():
    digest, name = line.split("  ")
    assert hashlib.sha256((problems / name).read_bytes()).hexdigest() == digest, f"{name}: another file than SHA256SUMS says; run make"
cases = make.cases()
assert len(cases) == 14
for case in cases:
    stored = json.loads((problems / case.id / "problem.json").read_text())
    now = json.loads(json.dumps(neutral(case.described())))
    for key, value in now.items():
        assert stored[key] == value, f"{case.id}: problem.json: {key} is not that of model.yaml; run make"
    reference = files.read_reference(problems / case.id / "reference.csv")
    # Zero is the index of an input that a quantity does not see, and nothing else.
    assert all(row.standard_error > 0 or abs(row.value) < 1e-12 for row in reference.rows), case.id
    if "runs" not in case.outputs:
        continue
    path = pathlib.Path("sample.csv")
    subprocess.run([TUMBLE, "sample", str(case.model)] + case.overrides() + ["-n", "3", "--seed", str(make.SEED), "-o", str(path), "--overwrite"],
                   check=True, capture_output=True)
    with open(path, newline="") as file:
        names, *rows = list(csv.reader(file))
    columns, values = files.read_draws(problems / case.id / "draws.csv")
    groups = reference_rows.groups_of(problems / case.id / "draws.csv")
    assert len(values) == 1000
    for i, name in enumerate(columns):
        for column in [name] + groups.get(name, []):
            if "(s=" not in column:
                for machine in range(3):
                    expected = float(rows[machine][names.index(column)])
                    assert abs(values[machine, i] - expected) <= 1e-9 * abs(expected), (case.id, column, machine)

# The page about the methods shows what methods.csv has.
sys.path.insert(0, str(home))
import method_figure  # noqa: E402
rows = method_figure.read(home / "methods.csv")
assert method_figure.table(rows) in (root / "docs/benchmark.md").read_text(), "run benchmarks/stochastic/methods page"
assert method_figure.figure(rows) == (root / "docs/images/benchmark-methods.svg").read_text()
print("the data of the benchmark are made, and made again")
