"""docs/reference/commands.md says what the help of the commands says."""
import os
import pathlib
import subprocess
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
sys.exit(subprocess.run([sys.executable, root / "scripts/command_reference", "--check"]).returncode)
