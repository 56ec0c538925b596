"""How often 95 % intervals of the dispersion of a mass hold, from noisy accelerations of 20 machines: 50 repetitions
with other machines, other noise and other ensembles."""
import os
import pathlib
import subprocess
import sys
import tempfile

import netCDF4
import numpy

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
tumble = os.environ["TUMBLE"]
repetitions = int(os.environ.get("REPETITIONS", "50"))
truth, machines, noise = 0.3, 20, 5.0
model = root / "examples/identification/five-body.yaml"
times = ["0.0035", "0.009", "0.0135"]


def run(*arguments):
    done = subprocess.run([tumble, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tumble {' '.join(map(str, arguments))}: {done.stderr}")


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    # Machines of the true dispersion, whose accelerations are quantities of interest.
    wanted = "".join(f"  a{i}: {{of: pobs.acceleration.z, kind: final, to: {t}}}\n" for i, t in enumerate(times))
    (folder / "machines.yaml").write_text(model.read_text() + "\nquantities:\n" + wanted)
    run("run", folder / "machines.yaml", "-o", folder / "machines", "-n", repetitions * machines, "--seed", 99,
        "--set", f"uncertainty.rb5.mass.cv={truth}", "-q")
    with netCDF4.Dataset(folder / "machines/results.nc") as file:
        responses = numpy.stack([file[f"quantity_a{i}"][:] for i in range(3)], axis=1)
    measured = responses + numpy.random.default_rng(5).normal(0, noise, responses.shape)
    held, estimates = 0, []
    for r in range(repetitions):
        rows = measured[r * machines:(r + 1) * machines]
        header = ",".join(f"pobs.acceleration.z@{t}" for t in times)
        (folder / "data.csv").write_text(header + "\n" + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
        run("identify", model, "--data", folder / "data.csv", "-o", folder / "out", "--overwrite", "-q",
            "--set", f"identification.ensemble.seed={r + 1}", "--set", "identification.intervals={bootstrap: 0, points: 5}")
        with netCDF4.Dataset(folder / "out/results.nc") as file:
            held += float(file["lower"][0]) <= truth <= float(file["upper"][0])
            estimates.append(float(file["estimate"][0]))
        print(r, estimates[-1], held, flush=True)
coverage = held / repetitions
print(f"coverage {coverage:.3f} of {repetitions}; mean of estimates {numpy.mean(estimates):.4f}, "
      f"standard deviation {numpy.std(estimates, ddof=1):.4f}")
if not 0.88 <= coverage <= 0.99 and repetitions >= 50:
    sys.exit("95 % intervals must hold in .88 to .99 of the repetitions")
