"""The program's own help as data, for what is made of it: the page of commands, man pages, completions."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = os.environ.get("TUMBLE") or ROOT / "build/release/bin/tumble"

TEXT_COLUMN = " " * 30  # what CLI11 keeps for names


def help_of(*command):
    done = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True, check=True)
    return done.stdout.rstrip("\n").split("\n")


def parts_of(lines):
    """Description, usage, {heading: [(name, text)]}, and the lines below. CLI11 puts the text of an entry
    behind its name or, if that is long, into the next line."""
    usage = next(i for i, line in enumerate(lines) if line.startswith("Usage: "))
    lists, rest, at = {}, [], usage + 1
    while at < len(lines):
        heading = re.fullmatch(r"([A-Z]\w+):", lines[at])
        if not heading or heading[1] in ("Example", "Examples"):
            if rest or lines[at]:
                rest.append(lines[at])
            at += 1
            continue
        entries = lists[heading[1]] = []
        at += 1
        while at < len(lines) and lines[at].startswith("  "):
            if at + 1 < len(lines) and lines[at + 1].startswith(TEXT_COLUMN):
                entries.append((lines[at].strip(), lines[at + 1].strip()))
                at += 2
            else:
                entries.append((lines[at][: len(TEXT_COLUMN)].strip(), lines[at][len(TEXT_COLUMN):].strip()))
                at += 1
    return " ".join(lines[:usage]), lines[usage].removeprefix("Usage: "), lists, rest
