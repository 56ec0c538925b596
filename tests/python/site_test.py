"""The documentation becomes a site without broken links, with its generated references, and can be searched."""
import importlib.machinery
import json
import os
import pathlib
import shutil
import subprocess
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
if shutil.which("mkdocs") is None:
    print("mkdocs is not installed: not tried")
    sys.exit(77)
done = subprocess.run([root / "docs/build", "site"], capture_output=True, text=True)
assert done.returncode == 0, done.stdout + done.stderr
for page, text in {"index.html": "A model in ten lines", "docs/reference/python.html": "tumble.model.Model",
                   "docs/reference/cpp.html": "run_study(const ModelFile", "docs/reference/commands.html": "tumble sweep",
                   "docs/guide/worst-case.html": "Chebyshev", "docs/theory/integration.html": "generalized"}.items():
    content = pathlib.Path("site", page).read_text()
    assert text.replace("&", "&amp;") in content, f"{page} does not say {text}"
index = json.loads(pathlib.Path("site/search/search_index.json").read_text())
places = {entry["location"].split("#")[0] for entry in index["docs"] if "Latin hypercube" in entry["text"]}
assert "docs/guide/uncertain-bodies.html" in places, places

# A link that leads nowhere is an error, as mkdocs says it.
sys.dont_write_bytecode = True
build = importlib.machinery.SourceFileLoader("build", str(root / "docs/build")).load_module()
(build.STAGE / "docs/guide/stray.md").write_text("# Stray\n\n[nowhere](no-such-page.md)\n")
said = subprocess.run(["mkdocs", "build", "-f", root / "build/mkdocs.yml", "-d", pathlib.Path("broken").resolve()], capture_output=True, text=True)
assert any("no-such-page.md" in line for line in build.complaints(said.stdout + said.stderr)), said.stderr
