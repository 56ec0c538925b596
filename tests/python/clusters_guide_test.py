"""Every block of docs/guide/clusters.md is a script of examples/clusters, which other tests run (tests/cli/slurm_long.sh, tests/cli/hosts_long.sh,
tests/python/dask_test.py), or is run here, or by the test that takes it from the guide."""
import pathlib
import subprocess
import tempfile
import unittest

import _clusters

TAKEN_FROM_THE_GUIDE = {"dask-scheduler --port": "tests/python/dask_test.py"}  # how a block begins, and who takes it
RUN_BY = {"array.sbatch": "tests/cli/slurm_long.sh", "merge.sbatch": "tests/cli/slurm_long.sh", "submit": "tests/cli/slurm_long.sh",
          "shards.sbatch": "tests/cli/slurm_long.sh", "ranks.sbatch": "tests/cli/slurm_long.sh",
          "run-on-hosts": "tests/cli/hosts_long.sh", "dask_shards.py": "tests/python/dask_test.py",
          "dask_rows.py": "tests/python/dask_test.py"}


class Guide(unittest.TestCase):
    def test_blocks_are_scripts_that_tests_run(self):
        scripts = {path.name: path.read_text() for path in _clusters.SCRIPTS.iterdir() if path.name != "study.yaml"}
        self.assertEqual(set(scripts), set(RUN_BY))
        blocks = [text for _, text in _clusters.guide_blocks()]
        for name, text in scripts.items():
            self.assertIn(text, blocks, f"{name} is not in the guide as it is")
            self.assertIn(name, (_clusters.ROOT / RUN_BY[name]).read_text())
        for block in blocks:
            taken = [test for start, test in TAKEN_FROM_THE_GUIDE.items() if block.startswith(start)]
            self.assertTrue(block in scripts.values() or taken or block.startswith("tumble run study.yaml --shard 1/2"),
                            f"nobody runs:\n{block}")
            for test in taken:
                self.assertIn("_clusters.guide_blocks()", (_clusters.ROOT / test).read_text())

    def test_two_shards_as_printed(self):
        (block,) = [text for _, text in _clusters.guide_blocks() if text.startswith("tumble run study.yaml --shard 1/2")]
        with tempfile.TemporaryDirectory() as folder:
            env = _clusters.folder_with_scripts(folder)
            call = lambda *command: subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL, timeout=250)
            call("sh", "-ec", block)
            call("tumble", "run", "study.yaml", "-o", "whole", "--no-report")
            whole = _clusters.digest(pathlib.Path(folder, "whole"))
            self.assertEqual(_clusters.digest(pathlib.Path(folder, "out")), whole)

            by_ranks = "mpirun -n 4 tumble run study.yaml --shard 1/2 -o part1"
            self.assertIn(f"`{by_ranks}`", (_clusters.ROOT / "docs/guide/clusters.md").read_text())
            if "libmpi" not in subprocess.run(["ldd", _clusters.TUMBLE], capture_output=True, text=True).stdout:
                return
            env.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                       OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_mpi_yield_when_idle="1",
                       OMPI_MCA_btl_vader_single_copy_mechanism="none", TMPDIR=folder)
            call("rm", "-r", "part1", "out")
            call("sh", "-ec", by_ranks)
            call("tumble", "merge", "part1", "part2", "-o", "out", "--no-report")
            self.assertEqual(_clusters.digest(pathlib.Path(folder, "out")), whole)


if __name__ == "__main__":
    unittest.main()
