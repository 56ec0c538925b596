"""Every block of code in README.md and docs/ as it stands, with the numbers that are printed (see code_blocks_test.py)."""
import sys

from _code_blocks import all_pages, run_pages

failures = run_pages(sys.argv[1:] or all_pages(), everything=True)
print("\n".join(failures))
sys.exit(1 if failures else 0)
