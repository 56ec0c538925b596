"""What scripts/mutate plants: the faults listed in *.yaml, and those that fixed operators place over the sources.

A fault is a dictionary: `file`, `line`, `module`, `note`, `old` and `new` as they are shown and kept, `begin` and `end`
of what it replaces in the text of the file, `text` that stands there instead; `switch_begin`, `switch_end` and `switched`, a
function from its number to what stands there if it has a switch (fault_switches.hpp), or None where it can have none.
"""

import glob
import io
import os
import random
import re
import subprocess
import sys
import tarfile

import yaml

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def committed():
    """Path -> text of what faults can be planted in."""
    command = ["git", "archive", "--format=tar", "HEAD", "src/tumble", "apps/tumble", "viewer/src"]
    archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        files = [member for member in tar if member.name.endswith((".cpp", ".hpp", ".ts"))]
        return {member.name: tar.extractfile(member).read().decode() for member in files}


def module_of(path):
    if path.startswith("apps/"):
        return "cli"
    return "viewer" if path.startswith("viewer/") else path.split("/")[2]


def in_raw_string(text, at):
    """Text of programs that are compiled later: a switch would be unknown there."""
    return any(m.start() < at < m.end() for m in re.finditer(r'R"(\w*)\(.*?\)\1"', text, re.DOTALL))


# Listed ---------------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\d[\w.]*(?:(?<=e)[+-]\d+)?|[-+*/]=|[<>=!]=|->|::|&&|\|\||.", re.DOTALL)
OPENING, CLOSING = "([{", ")]}"


def whole(tokens):
    """Whether they are one expression: all brackets closed, no comma or half of a choice outside them."""
    depth, choices = 0, 0
    for token in tokens:
        depth += (token in OPENING) - (token in CLOSING)
        choices += (token == "?") - (token == ":") if depth == 0 else 0
        if depth < 0 or choices < 0 or (depth == 0 and token == ","):
            return False
    return depth == choices == 0 and "".join(tokens).strip()[:1] not in ("", "{")


def begins(tokens, first):
    return first > 0 and tokens[first - 1] in ("(", "[", "{", ",", "=", "+=", "-=", "return", "?", ":")


def ends(tokens, last):
    if tokens[-last] in ("+", "-"):  # after an operand: no sign
        return bool(re.search(r"[\w)\]]$", "".join(tokens[:-last]).rstrip()))
    return tokens[-last] in (")", "]", "}", ",", ";", ":")


def expression_around(a, b, begin, end):
    """How many tokens stand before and after the smallest whole expressions in which a and b differ, or None."""
    for first in range(begin, -1, -1):
        for last in range(end, 0, -1):
            if begins(a, first) and ends(a, last) and whole(a[first:-last]) and whole(b[first:-last]):
                return first, last
    return None


def switch_of_listed(text, fault):
    """Where a choice stands between two operators, two expressions or two statements, and what it is."""
    old, new, begin, end = (fault[key] for key in ("old", "new", "begin", "end"))
    start = 1 + max(text.rfind(mark, 0, begin) for mark in ";{}")
    stop = text.index(";", end - 1) + 1
    a, b = TOKEN.findall(text[start:stop]), TOKEN.findall(text[start:begin] + new + text[end:stop])
    same, same_after = 0, 0
    while a[same : same + 1] == b[same : same + 1] != []:
        same += 1
    while same_after < min(len(a), len(b)) - same and a[-1 - same_after] == b[-1 - same_after]:
        same_after += 1
    if {*a[same : len(a) - same_after]} | {*b[same : len(b) - same_after]} == {"+", "-"}:
        at = start + len("".join(a[:same]))
        return at, at + 1, lambda number: f"{text[at]} tumble_fault::sign({number}) *"
    around = expression_around(a, b, same, same_after)
    if around:
        first, last = around
        x, y = "".join(a[first : len(a) - last]), "".join(b[first : len(b) - last])
        at = start + len("".join(a[:first]))
        return at, at + len(x), lambda number: f" (tumble_fault::on({number}) ? ({y.strip()}) : ({x.strip()}))"
    if old.endswith(";") and whole(TOKEN.findall(old)) and not re.match(r"(const|auto)\b", old):
        return begin, end, lambda number: f"if (tumble_fault::on({number})) {{ {new} }} else {{ {old} }}"
    return begin, end, None


def listed(sources):
    faults = []
    for path in sorted(glob.glob(os.path.join(HERE, "*.yaml"))):
        if os.path.basename(path) == "equivalent.yaml":
            continue
        for fault in yaml.safe_load(open(path, encoding="utf-8")):
            text = sources[fault["file"]]
            if text.count(fault["old"]) != 1:
                sys.exit(f"{path}: `old` stands {text.count(fault['old'])} times in {fault['file']}: {fault['note']}")
            fault["begin"] = text.index(fault["old"])
            fault["end"] = fault["begin"] + len(fault["old"])
            fault["line"] = text[: fault["begin"]].count("\n") + 1
            fault["text"] = fault["new"]
            fault["switch_begin"], fault["switch_end"], fault["switched"] = switch_of_listed(text, fault)
            faults.append(fault)
    return faults


# Placed by operators --------------------------------------------------------------------------------------------------


def swapped(match):
    return {" + ": " - ", " - ": " + ", " < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > "}[match.group()]


def other_number(match):
    text = match.group()
    return str(int(text) + 1) if text.isdigit() else repr(2 * float(text) or 1.0)


def switched_sign(number, match):
    return f"{match.group()}tumble_fault::sign({number}) * "


def switched_comparison(number, match):
    name = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}[match.group().strip()]
    return f" < tumble_fault::{name}({number}) > "


def switched_term(number, match):
    return f"{match.group()[:3]}tumble_fault::kept({number}) * {match.group()[3:]}"


def switched_number(number, match):
    return f"tumble_fault::pick({number}, {match.group()}, {other_number(match)})"


def switched_condition(number, match):
    return f"if (tumble_fault::on({number}) != static_cast<bool>({match.group(1)}))"


def switched_index(number, match):
    return f"[{match.group(1)} + tumble_fault::one({number})]"


# name, what is replaced, by what, and by what with a switch
OPERATORS = [
    ("swap + and -", r" [+-] ", swapped, switched_sign),
    ("move the end of a comparison", r" [<>]=? (?!=)", swapped, switched_comparison),
    ("drop a term", r" [+-] (?!=)[\w.]+(?:\[\w+\])?(?=[;,)])", lambda match: "", switched_term),
    ("change a constant", r"(?<![\w.])(?<!\de-)(?:\d+\.\d+|[2-9]|\d\d+)(?![\w.])", other_number, switched_number),
    (
        "negate a condition",
        r"\bif \((?!constexpr)([^();]*(?:\([^()]*\)[^();]*)*)\)",
        lambda match: f"if (!({match.group(1)}))",
        switched_condition,
    ),
    ("an index off by one", r"(?<=[\w)\]])\[([a-z]\w?)\]", lambda match: f"[{match.group(1)} + 1]", switched_index),
]


def sites(sources):
    """Module -> operator -> faults, in the order of the files."""
    found = {}
    for path, text in sorted(sources.items()):
        if "/test/" in path:
            continue
        in_comment, start = False, 0
        for number, line in enumerate(text.split("\n"), 1):
            here, start = start, start + len(line) + 1
            in_comment = (in_comment or "/*" in line) and "*/" not in line
            code = line.split("//")[0]
            unfit = ("#", "*", "import", "static_assert", "template", "using", "throw", "const std::string")
            if in_comment or '"' in code or "`" in code or "'" in code or code.strip().startswith(unfit):
                continue
            for name, pattern, replacement, switch in OPERATORS:
                for match in re.finditer(pattern, code):
                    fault = {
                        "file": path,
                        "line": number,
                        "module": module_of(path),
                        "note": name,
                        "old": line,
                        "new": line[: match.start()] + replacement(match) + line[match.end() :],
                        "begin": here + match.start(),
                        "end": here + match.end(),
                        "text": replacement(match),
                        "switch_begin": here + match.start(),
                        "switch_end": here + match.end(),
                        "switched": lambda n, m=match, s=switch: s(n, m),
                    }
                    found.setdefault(fault["module"], {}).setdefault(name, []).append(fault)
    return found


def placed(sources, count, seed):
    """As many in each module, its operators and places by lot."""
    lot, found, faults, taken = random.Random(seed), sites(sources), [], set()
    modules = sorted(found)
    while len(faults) < count:
        operators = found[modules[len(faults) % len(modules)]]
        fault = lot.choice(operators[lot.choice(sorted(operators))])
        if (fault["file"], fault["line"]) not in taken:
            taken.add((fault["file"], fault["line"]))
            faults.append(fault)
    return faults


def is_constant(text, begin, end):
    """Whether the compiler needs the value: of a constexpr, or a number among the arguments of a template."""
    statement = re.sub(r"//.*", "", text[1 + max(text.rfind(mark, 0, begin) for mark in ";}") : begin])
    argument = re.search(r"<[\w:<>*, ]*, *$", statement) and re.match(r" *[,>]", text[end:])
    return bool(argument or re.search(r"^[^()]*\bconstexpr\b", statement))


def without_unfit_switches(sources, faults):
    """The page and text of programs know no switches, nor can a constant or a number's exponent be one, nor what is
    declared in a condition; places may not overlap."""
    last = {}
    for fault in sorted(faults, key=lambda f: (f["file"], f["switch_begin"])):
        text, begin, end = sources[fault["file"]], fault["switch_begin"], fault["switch_end"]
        unfit = fault["file"].endswith(".ts") or in_raw_string(text, begin) or is_constant(text, begin, end)
        unfit = unfit or re.search(r"\de[-+]$", text[begin - 3 : begin]) or re.match(r"if \((const|auto)\b", text[begin:end])
        if unfit or begin < last.get(fault["file"], 0):
            fault["switched"] = None
        if fault["switched"]:
            last[fault["file"]] = fault["switch_end"]
    return faults


def equivalents():
    """Placed faults that change nothing a test could see: (file, old, new) without blanks around them -> why."""
    path = os.path.join(HERE, "equivalent.yaml")
    if not os.path.exists(path):
        return {}
    entries = yaml.safe_load(open(path, encoding="utf-8")) or []
    return {(e["file"], e["old"].strip(), e["new"].strip()): e["reason"] for e in entries}
