"""The faults that scripts/mutate plants still have a place: sources change, and a list would rot unseen."""

import glob
import os

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
