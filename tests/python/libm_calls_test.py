"""A call of sin() by its plain name means Tumble's own, whose bits are the same on every machine. Without
the header that declares it the compiler would quietly take libm's: so whoever calls it includes that.

And nobody calls those functions of the C library whose last bits differ between processors, because they are
compiled with fused products for one and without for another; math/special_functions.hpp has the ones we need."""
import functools
import os
import pathlib
import re
import sys

root = pathlib.Path(os.environ.get("TUMBLE_SOURCE_DIR") or pathlib.Path(__file__).parents[2])
declares = {"tumble/math/scalar.hpp", "tumble/math/elementary.hpp"}
plain_call = re.compile(r"(?<![\w:.>])(?:sin|cos|sincos|exp|atan2)\(")
# Seen to differ between x86-64 and arm64 in glibc 2.36. Of three arguments hypot is a template of the C++ library.
differs = re.compile(r"std::(?:erfc?|[lt]gamma|cbrt|exp2|acosh|hypot)\(")


def arguments(text, start):
    """How many the call has whose parenthesis opens before `start`."""
    depth, count = 1, 1
    for letter in text[start:]:
        depth += (letter in "([{") - (letter in ")]}")
        count += letter == "," and depth == 1
        if not depth:
            return count


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
    text = text_of(name)[0]
    for found in differs.finditer(text):
        three = "hypot" in found.group() and arguments(text, found.end()) == 3
        if "/test/" not in name and not name.endswith("math/special_functions.cpp") and not three:
            errors.append(f"src/{name} calls {found.group()}...), whose bits depend on the processor: see special_functions.hpp")
    call = plain_call.search(text)
    if "/test/" in name or name in declares or not call:
        continue
    callers += 1
    if not declares & reached(name):
        errors.append(f"src/{name} calls {call.group()}...) and does not include tumble/math/scalar.hpp")
print("\n".join(errors) or f"{callers} files call Tumble's own functions")
sys.exit(1 if errors or not callers else 0)
