"""Every block of code in README.md and docs/ does what it says: models are checked, commands and Python run, outputs are as printed. Long
studies have fewer realisations here than printed; code_blocks_long_test.py runs them as they stand."""
import sys

from _code_blocks import all_pages, blocks_of, run_pages

# First a page where every block is wrong: what does not fail there would never fail.
faulty = ["tests/documents/faulty.md"]
found = {failure.split(": ")[0] for failure in run_pages(faulty, everything=False)}
assert found == {str(block) for block in blocks_of(*faulty)}, found

failures = run_pages(sys.argv[1:] or all_pages(), everything=False)
print("\n".join(failures))
sys.exit(1 if failures else 0)
