"""What tests of results share: running the program, opening what it wrote, comparing numbers."""
import os
import subprocess
import sys

import numpy as np
import xarray as xr

TUMBLE = os.environ["TUMBLE"]


def run(model, folder, *arguments, status=0):
    """The results of `tumble run`, or what it said where another status than 0 is expected."""
    done = subprocess.run([TUMBLE, "run", str(model), "-o", str(folder), "--no-report", *arguments],
                          capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"{model} {' '.join(arguments)}: status {done.returncode}, expected {status}\n"
                 f"{done.stdout}{done.stderr}")
    if status != 0:
        return done.stderr
    with xr.open_dataset(folder / "results.nc") as data:
        return data.load()


def near(name, found, expected, tolerance):
    """Equal within the tolerance."""
    error = np.max(np.abs(np.asarray(found) - expected))
    if not error <= tolerance:
        sys.exit(f"{name}: differs by {error:g}, more than {tolerance:g}")


def close(name, found, expected, tolerance):
    """Equal within a part of the largest value."""
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    if not error <= tolerance:
        sys.exit(f"{name}: differs by {error:g} of the largest value, more than {tolerance:g}")
