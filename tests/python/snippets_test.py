"""What the documents quote is real: C++ snippets are lines of the example, models and Python run as printed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
tumble = os.environ["TUMBLE"]
failures = []


def blocks(page, language):
    text = (root / page).read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def squeezed(text):
    """Layout is clang-format's business."""
    return re.sub(r"\s+", " ", text)


programs = [squeezed(path.read_text()) for path in sorted((root / "examples/cpp").glob("*.cpp"))]
snippets = blocks("docs/guide/cpp-api.md", "cpp")
for snippet in snippets:
    if not any(squeezed(snippet).strip() in program for program in programs):
        failures.append(f"docs/guide/cpp-api.md: in no program of examples/cpp:\n{snippet}")


def same(line, printed):
    """Equal words; numbers equal to 1e-4, which a change of the solver does not reach. Times of the clock are anybody's."""
    line, printed = (re.sub(r"simulated in \S+ s:", "simulated:", text) for text in (line, printed))
    if len(line.split()) != len(printed.split()):
        return False
    for a, b in zip(line.split(), printed.split()):
        try:
            if abs(float(a) - float(b)) > 1e-4 * abs(float(b)):
                return False
        except ValueError:
            if a != b:
                return False
    return True


models, scripts = 0, 0
with tempfile.TemporaryDirectory() as folder:
    for page in ("README.md", "docs/guide/first-model.md"):
        printed = (root / page).read_text().splitlines()
        for model in blocks(page, "yaml"):
            models += 1
            (pathlib.Path(folder) / "pendulum.yaml").write_text(model)
            done = subprocess.run([tumble, "run", "pendulum.yaml", "--overwrite"], cwd=folder,
                                  capture_output=True, text=True)
            if done.returncode != 0:
                failures.append(f"{page}: a model does not run: {done.stderr}")
            elif "hinge:" in model and "friction:" not in model:
                failures += [f"{page}: no longer printed: {line}" for line in done.stdout.splitlines()
                             if not any(same(line, other) for other in printed)]
        for script in blocks(page, "python"):  # of the results of the last model
            scripts += 1
            done = subprocess.run([sys.executable, "-c", script], cwd=folder, capture_output=True, text=True)
            if done.returncode != 0:
                failures.append(f"{page}: Python does not run: {done.stderr}")
            for line, said in zip(re.findall(r"# ([\d.]+)$", script, flags=re.MULTILINE), done.stdout.splitlines()):
                if not same(said, line):
                    failures.append(f"{page}: Python prints {said}, not {line}")

if not snippets or not models or not scripts:
    failures.append("no snippets found")
print("\n".join(failures) if failures
      else f"{len(snippets)} snippets, {models} models, {scripts} scripts: as printed")
sys.exit(1 if failures else 0)
