# The report: made by run and by itself, compared, replaced, refused.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

# holds FILE EXPRESSION: Python that is true of `report`, the page's JSON, `array`, its numbers, and
# `results`, the file beside it.
holds() {
  /usr/bin/python3 - "$@" <<'PYTHON' || fail "$1: not so: $2"
import base64, json, pathlib, re, sys
import netCDF4
import numpy as np
page = open(sys.argv[1], encoding="utf-8").read()
def script(name):
    return re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)
report = json.loads(script("tumble-report"))
block = base64.b64decode(script("tumble-blob"), validate=True)
kinds = {"f64": "<f8", "f32": "<f4", "i32": "<i4", "u8": "u1"}
def array(ref):
    count = int(np.prod(ref["shape"]))
    return np.frombuffer(block, kinds[ref["type"]], count, ref["at"]).reshape(ref["shape"])
study = report["studies"][0] if report["studies"] else None
results = None
if pathlib.Path(sys.argv[1]).with_name("results.nc").exists():
    results = netCDF4.Dataset(pathlib.Path(sys.argv[1]).with_name("results.nc"))
    results.set_auto_mask(False)
sys.exit(0 if eval(f"({sys.argv[2]})", globals()) else 1)
PYTHON
}

expect 0 run swing.yaml -o swing
says stdout.txt "report:  swing/report.html"
[ "$(wc -l <stdout.txt)" -le 24 ] || fail "the summary does not fit on a screen"
says stdout.txt "90 % region"
grep -q '[▁▂▃▄▅▆▇█]' stdout.txt || fail "no sparkline"
only swing results.nc study.journal report.html
holds swing/report.html 'report["format"] == 1 and len(report["studies"]) == 1'
holds swing/report.html 'study["summary"]["command"] == "tumble run swing.yaml"'
holds swing/report.html 'len(study["scene"]["bodies"]) == 1 and study["scene"]["mean_of"] == 64'
for statistic in nominal mean std cov mean_se; do
  holds swing/report.html "np.array_equal(array(study['curves'][1]['$statistic']),
    results['tip_acceleration_$statistic'][:])"
done
holds swing/report.html '[m["name"] for m in study["curves"][1]["more"]] == ["smallest value", "largest value"]'
for k in 0 1; do
  holds swing/report.html "np.array_equal(array(study['curves'][1]['more'][$k]['values']),
    results['tip_acceleration_' + ['min', 'max'][$k]][:])"
done
holds swing/report.html 'np.array_equal(array(study["realizations"]["shown"]), np.arange(300))'
holds swing/report.html 'np.array_equal(array(study["inputs"][0]["values"]), results["inputs"][:, 0])'

# The same page again, and of several studies.
cp swing/report.html before.html
rm swing/report.html
expect 0 report swing
[ -s swing/report.html ] || fail "no page"
expect 0 run pendulum.yaml -o single --set 'title="</script><script>alert(1)</script>"'
holds single/report.html 'study["realizations"] is None and study["inputs"] == []'
holds single/report.html 'study["title"] == "</script><script>alert(1)</script>"'
! grep -q '<script>alert' single/report.html || fail "a title became a script"
expect 0 report swing single -o both.html
holds both.html '[s["label"] for s in report["studies"]] == ["swing", "single"]'
expect 2 report swing single
says stderr.txt "-o FILE"
expect 2 report .
says stderr.txt "holds no results"
expect 2 report nowhere
expect 3 report swing -o nowhere/page.html
absent nowhere

# Without a report, and none of older results beside new ones.
expect 0 run pendulum.yaml -o single --overwrite --no-report
only single results.nc
expect 0 run pendulum.yaml -o single --overwrite
only single results.nc report.html

# A page that cannot be made loses nothing.
mkdir -p blocked/report.html/full
expect 0 run pendulum.yaml -o blocked
says stderr.txt "warning: the results are complete, but there is no report"
[ -s blocked/results.nc ] || fail "results were lost"

# Failures are told.
{ head -n 300 rows.csv && echo "-1,0.5"; } >broken.csv
expect 0 run swing.yaml -o broken --set study.file=broken.csv
holds broken/report.html 'study["summary"]["failed"] == 1 and
    study["trust"]["failures"][0]["realization"] == 299 and
    array(study["realizations"]["status"]).sum() == 2'

# A sweep has a page of its own: what was varied, and the numbers of its results.
expect 0 sweep swing.yaml -n 3 --vary gravity[2]=-9.81,-1.62 --vary 'bodies.bob.inertia=[0.01, 0.05, 0.05],[0.01, 0.5, 0.5]' \
  -o sweep --keep-points
says stdout.txt "page:    tumble report sweep"
expect 0 report sweep
says stdout.txt "report: sweep/report.html"
holds sweep/report.html 'report["studies"] == [] and len(report["sweep"]["points"]) == 4 and
    report["sweep"]["parameters"][0]["numbers"] == [-9.81, -1.62] and
    report["sweep"]["parameters"][0]["unit"] == "m/s^2" and report["sweep"]["parameters"][1]["numbers"] is None and
    report["sweep"]["summary"]["method"] == "table" and report["sweep"]["summary"]["common_numbers"] and
    report["sweep"]["summary"]["command"].startswith("tumble sweep swing.yaml -n 3 --vary ")'
/usr/bin/python3 - <<'PYTHON' || fail "the page of a sweep has other numbers than its results"
import base64, json, re
import netCDF4, numpy
page = open("sweep/report.html").read()
script = lambda name: re.search(f'<script id="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)
sweep, blob = json.loads(script("tumble-report"))["sweep"], base64.b64decode(script("tumble-blob"))
file = netCDF4.Dataset("sweep/results.nc")
file.set_auto_mask(False)
names = {"mean": "mean", "standard deviation": "std"}
compared = 0
for response in sweep["responses"]:
    for s in response["statistics"]:
        if s["name"] not in names:
            continue
        for key, suffix in (("value", ""), ("lower", "_interval_lower"), ("upper", "_interval_upper")):
            shown = numpy.frombuffer(blob, "<f4", numpy.prod(s[key]["shape"]), s[key]["at"])
            exact = file[f"{response['probe']}_{response['quantity']}_{names[s['name']]}{suffix}"][:]
            assert numpy.array_equal(shown, exact.astype("<f4").ravel(), equal_nan=True), (response, s["name"], key)
            compared += 1
assert compared >= 12, compared
file.close()
PYTHON
expect 2 report sweep sweep/points/0 -o mixed.html
says stderr.txt "sweep holds a sweep, which has a page of its own"
absent mixed.html
expect 0 report sweep/points/0 sweep/points/1 -o points.html
holds points.html '[s["label"] for s in report["studies"]] == ["0", "1"]'
