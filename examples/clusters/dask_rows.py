"""Points of one's own, run by the workers of Dask, in rows.npy:  python3 dask_rows.py [ADDRESS OF A SCHEDULER]"""
import sys

import numpy as np
from distributed import Client

import tumble

INPUTS = ["bodies.bob.mass", "bodies.bob.position[0]"]


def quantities(X):
    return tumble.load("study.yaml").evaluator(INPUTS)(X, threads=1)


if __name__ == "__main__":
    X = np.random.default_rng(1).uniform([1.5, 0.4], [2.5, 0.6], (1000, 2))
    with Client(*sys.argv[1:]) if sys.argv[1:] else Client(threads_per_worker=1) as client:
        Y = np.concatenate(client.gather(client.map(quantities, np.array_split(X, 16), pure=False)))
    np.save("rows.npy", np.hstack([X, Y]))
