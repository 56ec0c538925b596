"""How scripts/mutate tries a fault: which tests reach its place, what they take, and which of them fails with it."""

import collections
import concurrent.futures
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from faults import ROOT
from planting import BUILD, JOBS, checked

RECORDS = os.path.join(ROOT, "build", "mutate", "records.json")
LEFT_OUT = {  # what they read is the text of the sources, or what a source is compiled to by itself
    "viewer.format",
    "python.mutations",
    "python.include_graph",
    "house.public_headers_compile_alone",
}
MEMORY = 8 << 30  # bytes of data of one process: a fault may ask for any number of them

Test = collections.namedtuple("Test", "name command labels folder environment limit skip stamp")
locks = collections.defaultdict(threading.Lock)  # a test that writes files does not run beside itself


def digest(*parts):
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def texts_under(*places):
    """What the committed sources of tests say."""
    return checked(["git", "ls-tree", "-r", "HEAD", *places], ROOT) if places else ""


def all_tests(state):
    """Those that ctest knows and that are not long."""
    listed = json.loads(checked(["ctest", "--preset", "dev", "--show-only=json-v1"]))
    of_tests = {}

    def sources_of(label):
        if label not in of_tests:
            tree = texts_under("src", "validation", "tests", "python", "examples", "docs").split("\n")
            place = {"cli": "tests/cli/", "python": "tests/python/", "viewer": "tests/viewer/", "package": "python/test/"}.get(label)
            of_tests[label] = "\n".join(
                line
                for line in tree
                if (place and place + "_" in line)
                or (label == "validation" and "\tvalidation/" in line)
                or (not place and f"src/tumble/{label}/" in line and "/test/" in line)
            )
        return of_tests[label]

    tests = []
    for entry in listed["tests"]:
        known = {p["name"]: p["value"] for p in entry.get("properties", [])}
        labels = known.get("LABELS", [])
        built = "command" in entry and os.path.exists(entry["command"][0]) and not entry["name"].endswith("_NOT_BUILT")
        if "long" in labels or entry["name"] in LEFT_OUT or not built:
            continue
        label = next((text for text in labels if text not in ("unit", "slow-sanitizer", "once")), "")
        script = entry["command"][-1]
        own = open(script, encoding="utf-8").read() if script.endswith((".sh", "_test.py")) else " ".join(entry["command"][1:])
        tests.append(
            Test(
                name=entry["name"],
                command=entry["command"],
                labels=set(labels),
                folder=known.get("WORKING_DIRECTORY", BUILD),
                environment=dict(text.split("=", 1) for text in known.get("ENVIRONMENT", [])),
                limit=float(known.get("TIMEOUT", 300)),
                skip=known.get("SKIP_RETURN_CODE"),
                stamp=digest(state, entry["name"], own, sources_of(label)),
            )
        )
    return tests


def limited():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    os.nice(5)


def run_test(test, fault=0, reached=None, limit=None):
    """passed, failed or time limit; and the seconds."""
    environment = dict(os.environ, **test.environment, TUMBLE_FAULT=str(fault))
    if reached:
        environment["TUMBLE_FAULTS_REACHED"] = reached
    with locks[test.name], tempfile.TemporaryFile() as output:
        if os.path.realpath(test.folder) != os.path.realpath(BUILD):
            shutil.rmtree(test.folder, ignore_errors=True)
            os.makedirs(test.folder, exist_ok=True)
        start = time.monotonic()
        process = subprocess.Popen(
            test.command,
            cwd=test.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limited,
        )
        try:
            status = process.wait(limit or test.limit)
            result = "passed" if status == 0 or status == test.skip else "failed"
        except subprocess.TimeoutExpired:
            result = "time limit"
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)  # and what it left running
            except ProcessLookupError:
                pass
            process.wait()
        output.seek(0)
        return result, time.monotonic() - start, output.read().decode(errors="replace")


def parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        yield from pool.map(function, items)


# What tests reach -----------------------------------------------------------------------------------------------------


def record_one(test, most=4096):
    with tempfile.NamedTemporaryFile() as file:
        file.write(bytes(most))
        file.flush()
        result, seconds, output = run_test(test, 0, file.name, max(900.0, test.limit))
        reached = [k for k, byte in enumerate(open(file.name, "rb").read()) if byte]
    return {"stamp": test.stamp, "result": result, "seconds": seconds, "reached": reached, "output": "" if result == "passed" else output[-3000:]}


def records_of(tests, tell):
    """Name -> what the test reaches without any fault, and how long it takes; tests that fail then are told and left out."""
    known = json.load(open(RECORDS, encoding="utf-8")) if os.path.exists(RECORDS) else {}
    missing = [t for t in tests if known.get(t.name, {}).get("stamp") != t.stamp or known[t.name]["result"] != "passed"]
    start, saved = time.monotonic(), time.monotonic()
    for count, (test, record) in enumerate(zip(missing, parallel(record_one, missing)), 1):
        known[test.name] = record
        if time.monotonic() - saved > 20 or count == len(missing):
            saved = time.monotonic()
            with open(RECORDS + ".new", "w", encoding="utf-8") as file:
                json.dump(known, file)
            os.replace(RECORDS + ".new", RECORDS)
            tell(f"{count}/{len(missing)} tests run without a fault, {saved - start:.0f} s")
    for test in tests:
        if known[test.name]["result"] != "passed":
            tell(f"left out, because it does not pass without a fault: {test.name}\n{known[test.name]['output']}")
    return {t.name: known[t.name] for t in tests if known[t.name]["result"] == "passed"}


# One fault ------------------------------------------------------------------------------------------------------------


def is_own(test, module):
    label, _, script = module.partition(".")
    return label in test.labels and (not script or test.name == module)


def first_to_fail(tests, records, fault, passed, stop, alone=False):
    """(test, how) of the first that fails with the fault and passes without; marks of those that pass join `passed`.
    A fault that is alone in the program has no switch: without it is not to be had."""
    for test in sorted(tests, key=lambda t: ("viewer" in t.labels, records[t.name]["seconds"])):
        mark = digest(test.name, test.stamp)
        if mark in passed:
            continue
        if stop():
            return None
        limit = 20 + 10 * records[test.name]["seconds"]
        result, _, _ = run_test(test, fault, limit=limit)
        if result != "passed" and (alone or run_test(test, 0, limit=limit)[0] == "passed"):
            return test.name, result
        if result == "passed":
            passed.add(mark)
    return None


# Faults without a switch ----------------------------------------------------------------------------------------------


def targets_of(module):
    """What its own tests run."""
    if module in ("cli", "viewer") or "." in module:
        return ["tumble"]
    return [f"tumble_{module}_tests", *(["tumble_lane_bits_sse2", "tumble_lane_bits_avx2"] if module == "math" else [])]


def shows_pages(test):
    """Tests that a fault of the page could fail: all others do not look at it."""
    return "viewer" in test.labels or any(word in test.name for word in ("report", "page", "gallery", "view", "site"))
