"""What tests of docs/guide/clusters.md share: its blocks of code, a folder with the scripts, and how to compare results."""
import hashlib
import os
import pathlib
import re
import shutil
import sys

import netCDF4

ROOT = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])
SCRIPTS = ROOT / "examples/clusters"
TUMBLE = shutil.which(os.environ["TUMBLE"]) or str(pathlib.Path(os.environ["TUMBLE"]).resolve())


def guide_blocks():
    """(language, text) of each."""
    return re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / "docs/guide/clusters.md").read_text(), flags=re.MULTILINE | re.DOTALL)


def folder_with_scripts(folder):
    """All of examples/clusters, and the program, and this Python, by their names in PATH."""
    folder = pathlib.Path(folder)
    shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
    (folder / "bin").mkdir()
    (folder / "bin/tumble").symlink_to(TUMBLE)
    (folder / "bin/python3").symlink_to(sys.executable)
    return {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}


def digest(results):
    """Of all variables, names and values; attributes may differ."""
    found = hashlib.sha256()
    with netCDF4.Dataset(pathlib.Path(results, "results.nc")) as file:
        file.set_auto_mask(False)
        for name in sorted(file.variables):
            values = file.variables[name][:]
            text = values.tobytes() if values.dtype != object else repr(list(values)).encode()
            found.update(repr((name, file.variables[name].dimensions, values.shape, str(values.dtype))).encode() + text)
    return found.hexdigest()
