# Random drives: what is stored, the same bits however they are computed, kill and resume, warnings, mistakes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

cp "$TUMBLE_SOURCE_DIR/examples/random-excitation/oscillator.yaml" oscillator.yaml
settings=(--set simulation.duration=2 --set simulation.step=0.01 --set drives.noise.bandwidth=5 --set study.quantile_method=exact --set study.store=all)

expect 0 run oscillator.yaml -o whole "${settings[@]}" -n 200
[ ! -s stderr.txt ] || fail "noise on standard error"
whole=$(hash_of whole)
ncdump -h whole/results.nc >header.txt
! grep -q "double inputs" header.txt || fail "germs were stored"

# The page draws the noise again, and its spectrum is the one asked for.
/usr/bin/python3 - whole/report.html <<'PYTHON' || fail "the page shows another spectrum"
import base64, json, re, sys
import numpy as np
page = open(sys.argv[1], encoding="utf-8").read()
script = lambda name: re.search(rf'<script id="{name}"[^>]*>(.*?)</script>', page, re.S).group(1)
drive = json.loads(script("tumble-report"))["studies"][0]["excitation"]["drives"][0]
block = base64.b64decode(script("tumble-blob"))
array = lambda name: np.frombuffer(block, "<f8", drive[name]["shape"][0], drive[name]["at"])
inside = np.mean((array("sample") > array("lower")) & (array("sample") < array("upper")))
intensity = 4 * 0.05 * (2 * np.pi) ** 3
good = np.allclose(array("target"), 2 * intensity) and inside > 0.7 and drive["profiles"]["shape"][0] == 3
sys.exit(0 if good and array("target").size > 3 else 1)
PYTHON

# The nominal run has no excitation, every realisation its own.
[ "$(values whole/results.nc mass_position_nominal | sort -u)" = "0x0.0p+0" ] || fail "the nominal run is excited"
[ "$(values whole/results.nc quantity_largest | sort -u | wc -l)" = 200 ] || fail "two realisations are the same"

# The same bits for any number of threads and lanes, extended, replayed.
for options in "--threads 1 --lanes 1" "--threads 2 --lanes 4" "--threads 3 --lanes 8"; do
  # shellcheck disable=SC2086
  expect 0 run oscillator.yaml -o other "${settings[@]}" -n 200 --overwrite --no-report $options
  [ "$(hash_of other)" = "$whole" ] || fail "$options: other bits"
done
expect 0 run oscillator.yaml -o longer "${settings[@]}" -n 70 --no-report
expect 0 run oscillator.yaml -o longer "${settings[@]}" -n 200 --resume --no-report
[ "$(hash_of longer)" = "$whole" ] || fail "extended: other bits"
expect 0 replay whole 117
diff <(values whole/results.nc mass_position 117) <(values whole/replay-117/results.nc mass_position_nominal) ||
  fail "replayed: other bits"
expect 0 run oscillator.yaml -o seeded "${settings[@]}" -n 200 --seed 2 --no-report
[ "$(hash_of seeded)" != "$whole" ] || fail "the seed has no say"

# Killed and resumed.
long=("${settings[@]}" -n 500 --set simulation.step=1e-3 --threads 1 --no-report)
"$TUMBLE" run oscillator.yaml -o cut "${long[@]}" >stdout.txt 2>stderr.txt &
run=$!
sleep 0.5
kill -9 "$run" 2>/dev/null || true
wait "$run" 2>/dev/null || true
expect 0 run oscillator.yaml -o cut "${long[@]}" --resume
expect 0 run oscillator.yaml -o uncut "${long[@]}"
[ "$(hash_of cut)" = "$(hash_of uncut)" ] || fail "a resumed study has other bits"

# A single run stands still, and says so.
sed '/^study:/d' oscillator.yaml >single.yaml
expect 0 run single.yaml -o single --no-report
says stderr.txt "random drives are zero in a single run"

# Steps that follow the noise badly.
expect 0 run oscillator.yaml -o coarse -n 8 --set simulation.step=0.02 --set study.max_failed=1 --no-report
says stderr.txt "drive 'noise' reaches 20 Hz, of which steps of 0.02 s are 2.5 a period"

refused() {
  local text=$1
  shift
  expect 2 run oscillator.yaml -o refused "$@"
  says stderr.txt "$text"
  absent refused
}
refused "beyond what steps of 0.05 s resolve: must stay below 10 Hz" --set simulation.step=0.05 --set simulation.output_step=0.1
refused "intensity = -1, must be >= 0" --set drives.noise.intensity=-1
refused "germs of random drives alone are drawn by monte-carlo" --set study.method=sobol
refused "cannot be had with random drives" --set study.method=sensitivity
refused "must be A, B, C, D, E, F, G or H" --set 'drives.noise={type: road, class: K, speed: 10, to: 1}'
refused "speed = 0 m/s, must be > 0" --set 'drives.noise={type: road, class: A, speed: 0, to: 1}'
