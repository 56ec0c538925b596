# A page of one figure: what it holds, and files of figures that are refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

expect 0 run swing.yaml -o swing --no-report

# figure VIEWS: a figure's file with these views.
figure() {
  echo "{\"paper\": \"Nobody (2012)\", \"number\": \"3\", \"title\": \"T\", \"caption\": \"C\", \"views\": $1}" >figure.json
}

# refused TEXT: no page comes of figure.json, and the message says why.
refused() {
  expect 2 report swing --figure figure.json -o page.html
  says stderr.txt "figure.json"
  says stderr.txt "$1"
  absent page.html
}

figure '[{"kind": "response", "probe": "tip", "quantity": "acceleration", "axis": "z"}]'
expect 0 report swing --figure figure.json -o page.html
says page.html "Figure 3 of Nobody (2012): T"
/usr/bin/python3 - <<'PYTHON' || fail "the page holds something else"
import base64, json, re
import netCDF4
import numpy as np
page = open("page.html", encoding="utf-8").read()
script = lambda name: re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)
report, block = json.loads(script("tumble-report")), base64.b64decode(script("tumble-blob"))
assert report["figure"]["number"] == "3" and report["figure"]["notes"] == []
(study,) = report["studies"]
assert study["scene"] is None and study["inputs"] == [] and study["realizations"] is None
(curve,) = study["curves"]
assert set(curve) - {"nominal", "mean", "quantile"} == {"probe", "quantity", "description", "unit", "axes"}
results = netCDF4.Dataset("swing/results.nc")
results.set_auto_mask(False)
for statistic in ("nominal", "mean"):
    ref = curve[statistic]
    array = np.frombuffer(block, "<f8", int(np.prod(ref["shape"])), ref["at"]).reshape(ref["shape"])
    assert np.array_equal(array, results[f"tip_acceleration_{statistic}"][:])
PYTHON
rm page.html

expect 2 report swing --figure figure.json
says stderr.txt "-o FILE"
expect 2 report swing --figure nowhere.json -o page.html
says stderr.txt "nowhere.json cannot be read"
echo "views: []" >figure.json
refused "must be JSON"
echo '{"paper": "P", "number": 3, "title": "T", "caption": "C", "views": [{}]}' >figure.json
refused "'number' is 3, must be a text"
figure '[]'
refused "one view at least"
figure '[{"kind": "respons"}]'
refused 'kind "respons" is not known'
figure '[{"kind": "response", "probe": "tip", "quantity": "acceleration"}]'
refused "view 1: 'axis' is missing"
figure '[{"kind": "input", "path": "a", "colour": "red"}]'
refused "'colour' is not known"
figure '[{"kind": "response", "probe": "tipp", "quantity": "acceleration", "axis": "z"}]'
refused "no probe 'tipp' in the results; did you mean 'tip'?"
figure '[{"kind": "response", "probe": "tip", "quantity": "aceleration", "axis": "z"}]'
refused "no quantity 'aceleration' in the results; did you mean 'acceleration'?"
figure '[{"kind": "response", "probe": "tip", "quantity": "acceleration", "axis": "w"}]'
refused "no axis 'w' in the results"
figure '[{"kind": "track", "probe": "tip", "quantity": "acceleration", "plane": "x"}]'
refused "plane 'x' must be two axes"
figure '[{"kind": "input", "path": "bodies.nobody.mass"}]'
refused "no input 'bodies.nobody.mass' in the results"
figure '[{"kind": "field", "field": "arm"}]'
refused "no field 'arm' in the results"
figure '[{"kind": "input", "path": "a", "study": 1}]'
refused "study 1 is asked for, but there is only study 0"
