"""docs/gallery/figures.json names every figure once, and studies and probes that the examples have."""
import json
import os
import pathlib
import re

root = pathlib.Path(os.environ["TUMBLE_SOURCE_DIR"])
papers = {p["key"]: p for p in json.loads((root / "docs/gallery/figures.json").read_text(encoding="utf-8"))}

# What both papers show of their examples' results; the others are drawings, of the mechanism or of elements.
wanted = {
    "batou-soize-2012": [*range(2, 39)],
    "wu-2016": [*range(6, 13), *range(14, 24)],
}
assert list(papers) == list(wanted)
for key, numbers in wanted.items():
    found = [int(figure["number"]) for figure in papers[key]["figures"]]
    assert found == numbers, (key, found)

titles = set()
for key, paper in papers.items():
    for figure in paper["figures"]:
        where = f"{key}/{figure['number']}"
        assert set(figure) <= {"number", "title", "caption", "studies", "views", "notes"}, where
        assert figure["caption"].endswith(".") and all(note.endswith(".") for note in figure.get("notes", [])), where
        assert (key, figure["title"]) not in titles, f"{where}: two figures have one title"
        titles.add((key, figure["title"]))
        assert figure["studies"] and figure["views"], where
        models = [(root / "examples" / f"{study}.yaml").read_text(encoding="utf-8") for study in figure["studies"]]
        for view in figure["views"]:
            assert view.get("study", 0) < len(models), where
            for probe in [view["probe"]] if "probe" in view else sum(view.get("lines", []), []):
                stem = re.sub(r"\d+$", "", probe)  # probes at nodes are numbered
                assert all(re.search(rf"^  ({probe}|{stem}):", model, re.M) for model in models), (where, probe)
