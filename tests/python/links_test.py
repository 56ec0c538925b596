"""Relative links in the Markdown files lead somewhere: the file exists, and so does the heading."""
import os
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])


def files_of(*suffixes):
    """Tracked files: nothing of build/ and out/, and nothing that somebody is still writing."""
    listing = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", *("*" + s for s in suffixes)],
                             cwd=root, capture_output=True, text=True)
    if listing.returncode == 0:
        paths = [root / name for name in listing.stdout.splitlines()]
    else:  # an unpacked archive has no repository
        paths = [p for p in root.glob("**/*") if p.suffix in suffixes
                 and p.relative_to(root).parts[0] not in ("build", "out")]
    return sorted(p for p in paths if p.exists())


def prose(text):
    """Without code, in which brackets mean other things."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """The names that GitHub gives to headings: lower case, no punctuation, hyphens for spaces."""
    names, seen = set(), {}
    text = re.sub(r"^(```|~~~).*?^\1", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#{1,6} +(.*?)\s*#*$", text, flags=re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen[name] = seen.get(name, -1) + 1
        names.add(name if count == 0 else f"{name}-{count}")
    return names | set(re.findall(r'<a (?:name|id)="([^"]+)"', text))


def mistakes(path):
    text = prose(path.read_text())
    targets = re.findall(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)", text)
    targets += re.findall(r"^\[[^\]]+\]:[ \t]*(\S+)", text, flags=re.MULTILINE)
    targets += re.findall(r'<(?:img|a) [^>]*(?:src|href)="([^"]+)"', text)
    for target in targets:
        if re.match(r"[a-z][a-z0-9+.-]*:", target):  # https:, mailto:
            continue
        name, _, fragment = target.partition("#")
        file = (path.parent / name) if name else path
        if name.startswith("/") or not file.exists():
            yield f"{target}: no such file"
        elif not file.resolve().is_relative_to(root.resolve()):
            yield f"{target}: outside the repository"
        elif fragment and file.suffix == ".md" and fragment not in anchors(file):
            yield f"{target}: no such heading"


# Comments in the code refer to pages as well.
def mistakes_in_code(path):
    for name, fragment in re.findall(r"\b(docs/[\w/.-]+\.md|ARCHITECTURE\.md)(?:#([\w-]+))?",
                                     path.read_text()):
        if not (root / name).exists():
            yield f"{name}: no such file"
        elif fragment and fragment not in anchors(root / name):
            yield f"{name}#{fragment}: no such heading"


files = files_of(".md")
sources = [p for p in files_of(".hpp", ".cpp", ".py", ".yaml", ".sh")
           if p.relative_to(root).parts[0] != "tests"]
failures = [f"{path.relative_to(root)}: {m}" for path in files for m in mistakes(path)]
failures += [f"{path.relative_to(root)}: {m}" for path in sources for m in mistakes_in_code(path)]
if not files:
    failures.append("no Markdown files found")
print("\n".join(failures) if failures else f"{len(files)} pages, {len(sources)} sources: all links lead somewhere")
sys.exit(1 if failures else 0)
