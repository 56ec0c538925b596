"""The faults that scripts/mutate plants still have a place: sources change, and a list would rot unseen."""

import glob
import os
import subprocess
import sys

import yaml

SOURCE = os.environ["TUMBLE_SOURCE_DIR"]
MODULES = set(os.listdir(os.path.join(SOURCE, "src", "tumble"))) | {"cli", "viewer"}

count = 0
for path in glob.glob(os.path.join(SOURCE, "tests", "mutations", "*.yaml")):
    if os.path.basename(path) == "equivalent.yaml":
        continue
    for fault in yaml.safe_load(open(path, encoding="utf-8")):
        text = open(os.path.join(SOURCE, fault["file"]), encoding="utf-8").read()
        places = text.count(fault["old"])
        assert places == 1, f"{path}: {fault['note']}: `old` stands {places} times in {fault['file']}"
        assert fault["new"] != fault["old"], f"{path}: {fault['note']}: nothing changes"
        module, _, script = fault["module"].partition(".")
        assert module in MODULES, f"{path}: {fault['note']}: no module {fault['module']}"
        if script:
            assert os.path.exists(os.path.join(SOURCE, "tests", module, script + ".sh")), fault["module"]
        count += 1
assert count >= 25, count

# A fault that is switched on does what the text with the fault in it does, and none is there unless it is asked for.
sys.path.insert(0, os.path.join(SOURCE, "tests", "mutations"))
import faults as planted
import planting

PATH = "src/tumble/math/sample.cpp"
TEXT = """\
#include <cstdio>
#include <cstdlib>
int main(int, char** arguments) {
  const double a[] = {0.1, 0.7, 0.3, 11.0};
  const std::size_t n = static_cast<std::size_t>(std::atoi(arguments[1]));
  double sum = 0.0, least = 1.0 - a[2] * n;
  for (std::size_t i = 0; i < n; ++i) {
    sum = sum + a[i] * 1.5 / 7.0;
    if (sum >= a[0]) sum = sum - a[0];
    least = sum > least ? least : sum;
  }
  const std::size_t m = n - 1;
  printf("%.17g %.17g %zu\\\\n", sum, least, m);
}
""".replace("\\\\n", "\\n")
LISTED = [
    ("sum - a[0];", "sum;"),
    ("sum > least ? least : sum", "sum"),
    ("least : sum;", "least : -sum;"),
    ("if (sum >= a[0]) sum = sum - a[0];", "sum = a[0];"),
    ("1.0 - a[2] * n;", "1.0 + a[2] * n;"),
    ("a[i] * 1.5 / 7.0;", "a[i] * 1.5;"),
]


def compiled(text, name):
    with open(name + ".cpp", "w", encoding="utf-8") as file:
        file.write(text)
    subprocess.run(["g++", "-std=c++20", "-w", "-o", name, name + ".cpp"], check=True)
    return os.path.abspath(name)


def printed(program, fault=0, reached=""):
    environment = dict(os.environ, TUMBLE_FAULT=str(fault), TUMBLE_FAULTS_REACHED=reached)
    return subprocess.run([program, "3"], env=environment, capture_output=True, text=True, check=True).stdout


sample = {PATH: TEXT}
faults = [fault for by_operator in planted.sites(sample).values() for group in by_operator.values() for fault in group]
assert {fault["note"] for fault in faults} == {name for name, *_ in planted.OPERATORS}
for old, new in LISTED:
    begin = TEXT.index(old)
    fault = {"file": PATH, "old": old, "new": new, "begin": begin, "end": begin + len(old), "text": new, "line": 0}
    fault["switch_begin"], fault["switch_end"], fault["switched"] = planted.switch_of_listed(TEXT, fault)
    assert fault["switched"], f"no switch for {old} -> {new}"
    faults.append(fault)

plain = printed(compiled(TEXT, "plain"))
seen = 0
while faults:  # those on one place take turns
    together, later, last = [], [], 0
    for fault in sorted(faults, key=lambda f: f["switch_begin"]):
        fits = fault["switch_begin"] >= last
        (together if fits else later).append(fault)
        last = fault["switch_end"] if fits else last
    for number, fault in enumerate(together, 1):
        fault["number"] = number
    switched = compiled(planting.with_switches(PATH, TEXT, together), "switched")
    with open("reached", "wb") as file:
        file.write(bytes(4096))
    assert printed(switched, reached="reached") == plain
    with open("reached", "rb") as file:
        reached = {number for number, byte in enumerate(file.read()) if byte}
    assert reached == {f["number"] for f in together}, [f["old"] for f in together if f["number"] not in reached]
    for fault in together:
        alone = printed(compiled(planting.with_fault(TEXT, fault), "alone"))
        assert printed(switched, fault["number"]) == alone, (fault["old"], fault["new"])
        beside = planting.with_fault_among_switches(TEXT, fault, together)
        seen += alone != plain
        assert printed(compiled(beside, "beside")) == alone, (fault["old"], fault["new"])
    faults = later
assert seen >= 20, seen
