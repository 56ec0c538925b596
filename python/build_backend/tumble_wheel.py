"""Makes a wheel of the Python package: CMake builds the extension, this packs it (PEP 517, PEP 427).

TUMBLE_BUILD_DIR names a build of this checkout that is there already; without it one is made in build/wheel.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUIRED = ["numpy", "xarray", "netCDF4"]


def version():
    """The one place that has it."""
    return re.search(r"project\([^)]*VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text(), re.S).group(1)


def built():
    """The folder with the extension and the sources of the package."""
    folder = pathlib.Path(os.environ.get("TUMBLE_BUILD_DIR", ROOT / "build" / "wheel"))
    if "TUMBLE_BUILD_DIR" not in os.environ:
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                        "-DTUMBLE_TESTS=OFF", f"-DTUMBLE_PYTHON={base_python()}"], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "tumble_python"], check=True)
    return folder / "python" / "tumble"


def base_python():
    """The interpreter itself, not that of the environment that pip builds in."""
    return os.path.realpath(sys.executable)


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: tumble", f"Version: {version()}", "Requires-Python: >=3.9",
             "Summary: Stochastic multibody dynamics: how a machine moves when its bodies are not exactly known",
             *(f"Requires-Dist: {name}" for name in REQUIRED), "Provides-Extra: plots",
             "Requires-Dist: matplotlib; extra == 'plots'"]
    return "\n".join(lines) + "\n"


def tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"tumble-{version()}.dist-info"
    files = {f"tumble/{path.name}": path.read_bytes() for path in sorted(built().iterdir())
             if path.is_file() and path.suffix in (".py", ".pyi", ".so", ".typed") or path.name == "py.typed"}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tumble\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(content)}")
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    wheel = f"tumble-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"tumble-{version()}"
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout.decode()
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in filter(None, tracked.split("\0")):
            archive.add(ROOT / path, f"{name}/{path}")
    return f"{name}.tar.gz"
