"""Modules include what ARCHITECTURE.md says they stand on, no more and no less, and link it. Public
headers include public headers and the standard library, and the guide and tumble.hpp list them all."""
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])


def rows_of(head):
    """The cells of a table of ARCHITECTURE.md whose first line begins with `head`."""
    text = (root / "ARCHITECTURE.md").read_text()
    table = re.search(r"^" + re.escape(head) + r".*?\n\n", text, re.MULTILINE | re.DOTALL).group()
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:] if line]


def stated():
    """The column `stands on` of the table of modules."""
    return {row[0]: set(row[1].split(", ")) - {"-"} for row in rows_of("| module | stands on |")}


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


def public():
    """The list of cmake/PublicHeaders.cmake."""
    text = re.sub(r"#.*", "", (root / "cmake/PublicHeaders.cmake").read_text())
    return re.search(r"set\(TUMBLE_PUBLIC_HEADERS([^)]*)\)", text).group(1).split()


def wrong_with_the_door():
    """What is wrong with the list of public headers, a sentence each."""
    headers = public()
    # <immintrin.h> and <arm_neon.h> are the compiler's; other names with a dot or a folder are those of libraries.
    standard = re.compile(r"[a-z_]+|(immintrin|arm_neon)\.h")
    for header in headers:
        path = root / "src" / header
        if not path.exists():
            yield f"{header} is public, but there is no such file"
            continue
        text = path.read_text()
        for name in re.findall(r'#include "([^"]+)"', text):
            if name not in headers:
                yield f"{header} is public and includes {name}, which is not"
        for name in re.findall(r"#include <([^>]+)>", text):
            if not standard.fullmatch(name):
                yield f"{header} is public and includes <{name}>, which is not of the standard library"
    umbrella = re.findall(r'#include "([^"]+)"', (root / "src/tumble/tumble.hpp").read_text())
    if sorted([*umbrella, "tumble/tumble.hpp"]) != sorted(headers):
        yield f"tumble/tumble.hpp and the list differ in {sorted({*umbrella, 'tumble/tumble.hpp'} ^ set(headers))}"
    guide = re.findall(r"^\| `(tumble/[\w/]+\.hpp)` \|", (root / "docs/guide/cpp-api.md").read_text(), re.MULTILINE)
    table = [f"tumble/{row[0]}/{name}" for row in rows_of("| module | public headers |")
             for name in re.findall(r"`([\w/]+\.hpp)`", row[1])]
    for document, told in (("docs/guide/cpp-api.md", guide),
                           ("ARCHITECTURE.md", ["tumble/tumble.hpp", *table])):
        if sorted(told) != sorted(headers):
            yield f"{document} and the list differ in {sorted(set(told) ^ set(headers)) or 'number'}"
    for example in [*(root / "examples/cpp").glob("*.cpp"), *(root / "tests/install").glob("*.cpp")]:
        for name in re.findall(r'#include ["<](tumble/[^">]+)', example.read_text()):
            if name not in headers:
                yield f"{example.relative_to(root)} includes {name}, which is not public"


errors = [*wrong_with_the_door()]
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
print("\n".join(errors) or f"{len(sources)} modules, {len(public())} public headers")
sys.exit(1 if errors else 0)
