"""Shards of study.yaml as tasks of Dask, and their results in out:  python3 dask_shards.py [ADDRESS OF A SCHEDULER]

Without an address the workers are processes of this machine. Others have been started in this folder, which all of them see.
"""
import subprocess
import sys

from distributed import Client

SHARDS = 8


def shard(number):
    # The program ends with the worker that called it: nobody else could have its journal.
    subprocess.run(["setpriv", "--pdeathsig", "KILL", "tumble", "run", "study.yaml", "--shard", f"{number}/{SHARDS}",
                    "-o", f"parts/{number}", "--resume", "--threads", "1", "--quiet"], check=True)
    return f"parts/{number}"


if __name__ == "__main__":
    with Client(*sys.argv[1:]) if sys.argv[1:] else Client(threads_per_worker=1) as client:
        # A worker that is lost costs no more than the blocks it was at: whoever has the shard next resumes it.
        parts = client.gather(client.map(shard, range(1, SHARDS + 1), pure=False, retries=2))
    subprocess.run(["tumble", "merge", *parts, "-o", "out"], check=True)
