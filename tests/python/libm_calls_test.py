"""A call of sin() by its plain name means Tumble's own, whose bits are the same on every machine. Without
the header that declares it the compiler would quietly take libm's: so whoever calls it includes that."""
import functools
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
declares = {"tumble/math/scalar.hpp", "tumble/math/elementary.hpp"}
plain_call = re.compile(r"(?<![\w:.>])(?:sin|cos|sincos|exp|atan2)\(")


@functools.cache
def text_of(name):
    text = re.sub(r"//.*", "", (root / "src" / name).read_text())
    includes = re.findall(r'#include "(tumble/[^"]+)"', text)
    return re.sub(r'"(?:\\.|[^"\\])*"', '""', text), includes


def reached(name):
    """Everything that a file includes, directly or by way of others."""
    found, next_ones = set(), [name]
    while next_ones:
        for include in text_of(next_ones.pop())[1]:
            if include not in found:
                found.add(include)
                next_ones.append(include)
    return found


errors, callers = [], 0
for path in sorted((root / "src/tumble").rglob("*.[hc]pp")):
    name = str(path.relative_to(root / "src"))
    call = plain_call.search(text_of(name)[0])
    if "/test/" in name or name in declares or not call:
        continue
    callers += 1
    if not declares & reached(name):
        errors.append(f"src/{name} calls {call.group()}...) and does not include tumble/math/scalar.hpp")
print("\n".join(errors) or f"{callers} files call Tumble's own functions")
sys.exit(1 if errors or not callers else 0)
