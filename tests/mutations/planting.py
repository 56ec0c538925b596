"""The copy in build/mutate in which scripts/mutate plants: all faults that can have switches at once, the others by themselves."""

import hashlib
import io
import os
import re
import subprocess
import sys
import tarfile

from faults import ROOT

COPY = os.path.join(ROOT, "build", "mutate", "tree")
BUILD = os.path.join(COPY, "build", "dev")
JOBS = os.cpu_count()
SWITCHES = os.path.join(ROOT, "tests", "mutations", "fault_switches.hpp")


def run(command, folder=COPY):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


def checked(command, folder=COPY):
    status, output = run(command, folder)
    if status:
        sys.exit(f"{' '.join(command)} in {folder}:\n{output[-5000:]}")
    return output


def build(*targets, keep_going=False):
    command = ["nice", "-n", "5", "cmake", "--build", "--preset", "dev", "--target", *targets, "--", f"-j{JOBS}"]
    status, output = run([*command, "-k", "0"] if keep_going else command)
    return status == 0, output


def write(path, text):
    """Only what changes: the build goes by the times of files."""
    path = os.path.join(COPY, path)
    data = text if isinstance(text, bytes) else text.encode()
    if not os.path.exists(path) or open(path, "rb").read() != data:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").write(data)


def edited(text, edits):
    for begin, end, new in sorted(edits, reverse=True):
        text = text[:begin] + new + text[end:]
    return text


def with_switches(path, text, faults):
    """The text of a source with the switches of its faults; line numbers stay."""
    here = [f for f in faults if f["file"] == path and f["switched"]]
    if not here:
        return text
    edits = [(f["switch_begin"], f["switch_end"], f["switched"](f["number"])) for f in here]
    return f'#include "{SWITCHES}"\n#line 1\n' + edited(text, edits)


def with_fault(text, fault):
    return edited(text, [(fault["begin"], fault["end"], fault["text"])])


def with_fault_among_switches(text, fault, faults):
    """The text of a source with one fault that has no switch, beside the switches of others that do not overlap with it."""
    beside = [f for f in faults if f["switch_end"] <= fault["begin"] or f["switch_begin"] >= fault["end"]]
    switches = with_switches(fault["file"], text, beside)
    shift = sum(
        len(f["switched"](f["number"])) - (f["switch_end"] - f["switch_begin"])
        for f in beside
        if f["file"] == fault["file"] and f["switched"] and f["switch_end"] <= fault["begin"]
    )
    shift += switches.index("\n#line 1\n") + len("\n#line 1\n") if switches.startswith("#include \"/") else 0
    return edited(switches, [(fault["begin"] + shift, fault["end"] + shift, fault["text"])])


def sync(sources, faults):
    """Makes the copy the last commit with all switches, touching no file that is so already."""
    if not os.path.exists(os.path.join(COPY, ".git")):
        os.makedirs(os.path.dirname(COPY), exist_ok=True)
        checked(["git", "worktree", "prune"], ROOT)
        checked(["git", "worktree", "add", "--detach", COPY, "HEAD"], ROOT)
    commit = checked(["git", "rev-parse", "HEAD"], ROOT).strip()
    checked(["git", "update-ref", "--no-deref", "HEAD", commit])
    checked(["git", "read-tree", commit])
    archive = subprocess.run(["git", "archive", "--format=tar", commit], cwd=ROOT, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        for member in tar:
            if member.name in sources:
                write(member.name, with_switches(member.name, sources[member.name], faults))
            elif member.isfile():
                write(member.name, tar.extractfile(member).read())
                os.chmod(os.path.join(COPY, member.name), 0o755 if member.mode & 0o100 else 0o644)
    for path in checked(["git", "ls-files", "-z", "--others", "--exclude-standard"]).split("\0"):
        if path:
            os.remove(os.path.join(COPY, path))


def refused(output, faults):
    """Faults on lines that the compiler names in what it says of an error."""
    named = set()
    for path, line in re.findall(r"(?:^|\s)([^\s:()]+\.[ch]pp):(\d+)", output):
        named.update((path[i:], int(line)) for i in range(len(path)) if i == 0 or path[i - 1] == "/")
    found = []
    for fault in faults:
        lines = range(fault["line"] - 3, fault["line"] + fault["old"].count("\n") + 1)  # statements may begin before
        exact = (fault["file"], fault["line"]) in named
        if fault["switched"] and (exact or (fault["begin"] != fault["switch_begin"] and any((fault["file"], n) in named for n in lines))):
            found.append(fault)
    return found


def errors_of(output):
    """What the compiler says of errors, without its warnings: blocks between lines of ninja."""
    blocks = re.split(r"(?m)^(?=\[\d+/\d+\]|FAILED: )", output)
    return "\n".join(block for block in blocks if "error:" in block)


def prepare(sources, faults):
    """The copy, with all switches, ready to be built."""
    sync(sources, faults)
    if not os.path.exists(os.path.join(BUILD, "build.ninja")):
        checked(["cmake", "--preset", "dev", "-DTUMBLE_WERROR=OFF"])


def build_switched(targets, sources, faults, tell):
    """Builds the targets with the switches of all faults; those that do not compile lose theirs."""
    while True:
        done, output = build(*targets, keep_going=True)
        if done:
            return
        taken_out = refused(errors_of(output), faults)
        if not taken_out:
            sys.exit(f"the copy does not build, and not for a switch:\n{errors_of(output)[-5000:] or output[-5000:]}")
        for fault in taken_out:
            fault["switched"] = None
            tell(f"no switch compiles for {fault['file']}:{fault['line']}: {fault['note']}")
            write(fault["file"], with_switches(fault["file"], sources[fault["file"]], faults))


def state_of(sources, faults):
    """Of the program with its switches, tests apart."""
    digest = hashlib.sha256()
    for path, text in sorted(sources.items()):
        if "/test/" not in path:
            digest.update(with_switches(path, text, faults).encode())
    return digest.hexdigest()
