"""Modules include what ARCHITECTURE.md says they stand on, no more and no less, and link it."""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])


def stated():
    """The column `stands on` of the table of modules."""
    text = (root / "ARCHITECTURE.md").read_text()
    table = re.search(r"^\| module \| stands on \|.*?\n\n", text, re.MULTILINE | re.DOTALL).group()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:] if line]
    return {row[0]: set(row[1].split(", ")) - {"-"} for row in rows}


def included():
    """By the sources of each module, without those of its tests."""
    found = {}
    for module in sorted(p for p in (root / "src/tumble").iterdir() if p.is_dir()):
        names = set()
        for path in module.rglob("*.[hc]pp"):
            if "test" in path.relative_to(module).parts:
                continue
            names |= set(re.findall(r'#include "tumble/(\w+)/', path.read_text()))
        found[module.name] = names - {module.name}
    return found


def linked():
    """Everything that a module reaches by the links of src/CMakeLists.txt."""
    text = re.sub(r"#.*", "", (root / "src/CMakeLists.txt").read_text())
    direct = {name: set(re.findall(r"tumble::(\w+)", rest))
              for name, rest in re.findall(r"^tumble_module\((\w+)([^)]*)\)", text, re.MULTILINE)}
    reached = {}
    for name in direct:  # in the order of the file: what is linked stands before
        reached[name] = set(direct[name])
        for other in direct[name]:
            reached[name] |= reached[other]
    return reached


errors = []
table, sources, links = stated(), included(), linked()
if set(table) != set(sources):
    errors.append(f"the table has the modules {sorted(table)}, src/tumble {sorted(sources)}")
for module, names in sources.items():
    if names != table.get(module):
        errors.append(f"{module} includes {sorted(names)}; the table says {sorted(table.get(module, []))}")
    if not names <= links[module]:
        errors.append(f"{module} includes {sorted(names - links[module])}, which it does not link")
for module, names in links.items():
    if module in names:
        errors.append(f"{module} links itself by way of others")
print("\n".join(errors) or f"{len(sources)} modules")
sys.exit(1 if errors else 0)
