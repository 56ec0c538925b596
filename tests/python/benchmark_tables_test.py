"""The arithmetic behind the tables of benchmarks/run, on records small enough to check by hand."""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
sys.path.insert(0, str(root / "benchmarks"))
sys.dont_write_bytecode = True
import tables  # noqa: E402


def record(name, cpu, wall=None, **counters):
    return {"name": name, "run_type": "iteration", "time_unit": "us", "cpu_time": cpu,
            "real_time": wall or cpu, **counters}


def close(a, b):
    return abs(a - b) <= 1e-12 * abs(b)


def lanes(name, cpu, wall, width):
    case, lanes_of, threads = name.split("/")
    return record(f"lanes/{case}/{lanes_of}/real_time/{threads}", cpu, wall, realizations=8, width=width, failed=0.25,
                  **{"iterations/step": 1.5, "factorizations/step": 0.1})


rates = tables.lane_rates({"benchmarks": [
    lanes("box/W1-avx2/threads:1", 8000, 9000, 1),
    lanes("box/W1-avx2/threads:1", 10000, 8500, 1),  # worse processor time, better wall time
    lanes("box/W1-avx2/threads:2", 8000, 4250, 1),
    lanes("box/W8-avx512/threads:1", 2000, 2000, 8),
    lanes("box/W8-avx512/threads:2", 2500, 1250, 8),
    dict(lanes("box/W8-avx512/threads:2", 1, 1, 8), run_type="aggregate"),
]})
narrow, wide = rates
assert close(narrow["per_cpu_second"], 1000) and close(narrow["per_second"], 8 / 8.5e-3)
assert close(narrow["two_over_one"], 2) and close(narrow["two_over_one_cpu"], 2)
assert close(wide["factor"], 4) and close(wide["two_over_one"], 1.6)
assert close(wide["two_over_one_cpu"], 1.6)
assert tables.rates_table(rates).count("\n") == 4
drawn = tables.rates_figure(rates)
assert "4.00: 4000 per second" in drawn and drawn.count("<rect") == 4, drawn  # the page, one bar, two signs of the legend

# The figure of the page is that of the numbers in its tables.
page = (root / "docs/performance.md").read_text()
(date,) = set(re.findall(r"^date: (\S+);", page, re.M))
(file,) = (root / "benchmarks/results").glob(f"{date}-*.csv")
recorded = tables.recorded_rates(file.read_text().splitlines())
for line in tables.rates_table(recorded).splitlines():
    assert "|".join(line.split("|")[:6]) in page, line  # what the figure shows; the record has six digits of the others
assert tables.rates_figure(recorded) == (root / "docs/images/lanes.svg").read_text()

# Four lanes: 10 iterations of 5 steps, one factorisation. Times in microseconds, operations a lane.
calls = {"residual": 10, "solve": 10, "update_bodies": 10, "compose": 15, "drives": 5, "jacobian": 1,
         "jacobian_and_factor": 1, "probes": 2, "restart": 1}
parts = [record(f"parts/box/W4-avx2/{part}", 2, width=4, calls=n, operations=100)
         for part, n in calls.items() if part != "jacobian_and_factor"]
parts += [record("parts/box/W4-avx2/jacobian_and_factor", 10, width=4, calls=1, operations=150),
          record("parts/box/W4-avx2/run", 200, width=4, calls=1, operations=8000),
          record("parts/box/any/statistics", 3, width=1, calls=1, operations=0),
          record("parts/box/any/preparation", 4, width=1, calls=1, operations=0),
          record("peak/W4-avx2", 1, width=4, calls=1, operations=1000)]
(split,), around = tables.split_of_time({"benchmarks": parts})
assert close(split["seconds"]["residual"], 5e-6)       # 10 calls of 2 us for four realisations
assert close(split["seconds"]["factor"], 2e-6)         # 10 - 2 us
assert close(split["seconds"]["kinematics"], 15e-6)    # 30 calls
assert close(split["run"], 50e-6)
assert close(sum(split["seconds"].values()), split["run"])
assert close(split["operations"]["factor"], 50) and close(split["operations"]["kinematics"], 3000)
assert close(split["peak"], 4e9)
assert close(around["box"]["statistics"], 3e-6) and close(around["box"]["preparation"], 4e-6)
assert "whole run of peak" in tables.peak_table([split], "box")
assert "4.0%" in tables.peak_table([split], "box")     # 8000 operations in 50 us, of 4 GFLOP/s
assert "30%" in tables.split_table([split], around, "box")

sampling = tables.sampling_cost({"benchmarks": [
    record("sampling/laws", 20000), record("sampling/draws", 1000, realizations=500),
    record("sampling/study/process_time", 200000, realizations=500)]})
assert close(sampling["draws"], 2e-6) and close(sampling["realisation"], 400e-6) and close(sampling["laws"], 0.02)
text = tables.sampling_table(sampling, 450)           # 450 * 400 us + 20 ms = 0.2 s
assert " 0.50% |" in text and " 10.00% |" in text, text

study = tables.command_split("""{"done": 64, "total": 500, "failed": 0}
{"done": 500, "total": 500, "seconds": {"start_up": 0.1, "integration": 0.5, "statistics": 0.05, "output": 0.25}}
""", total=1.0)
assert list(study["parts"])[:2] == ["start-up", "integration"]
assert close(study["parts"]["the report, loading and leaving"], 0.1)
assert close(sum(study["parts"].values()), study["total"])
assert "| integration                     |          500 |   50% |" in tables.study_table(study)

failed = dict(record("lanes/box/W1-avx2/threads:1", 1), error_occurred=True, error_message="a lane failed")
try:
    tables.best_of({"benchmarks": [failed]})
    sys.exit("a failed benchmark was taken for a measurement")
except RuntimeError as error:
    assert "a lane failed" in str(error)
print("tables as computed by hand")
