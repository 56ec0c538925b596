# A results file that is cut off, or of which bytes are wrong: a sentence, never a crash.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"

expect 0 run swing.yaml -o good -n 70
mkdir bad

# told STATUS ARGUMENTS...: ends with 2 or 3 and one sentence, or reads what is not harmed.
told() {
  local status=0
  "$TUMBLE" "$@" >stdout.txt 2>stderr.txt || status=$?
  case "$status" in
    0) ;;
    2 | 3) [ -s stderr.txt ] || fail "tumble $*: status $status without a word" ;;
    *) fail "tumble $*: status $status with $damage" ;;
  esac
  ! grep -qE "Segmentation|terminate|std::|corrupt|free\\(\\)" stderr.txt ||
    fail "tumble $*: the words of a crash with $damage"
}

# damage SEED: a run of random bytes, of zeros, flipped bits or an end that is missing.
damage() {
  /usr/bin/python3 - "$1" <<'PYTHON'
import random, sys
rng = random.Random(int(sys.argv[1]))
data = bytearray(open("good/results.nc", "rb").read())
kind = rng.choice(["noise", "zeros", "flips", "heap", "cut"])
heaps = [i for i in range(len(data)) if data[i:i + 4] == b"GCOL"]
if kind == "heap" and heaps:  # a collection of texts and its sizes: where H5HG_read went astray
    start = rng.choice(heaps) + rng.randrange(8, 40)
    data[start:start + 8] = rng.randbytes(8)
elif kind == "cut":
    del data[rng.randrange(len(data)):]
elif kind == "flips":
    for _ in range(200):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
else:
    start, length = rng.randrange(len(data)), rng.choice([8, 64, 1024, 16384])
    length = min(length, len(data) - start)
    data[start:start + length] = rng.randbytes(length) if kind == "noise" else bytes(length)
open("bad/results.nc", "wb").write(data)
print(kind, sys.argv[1])
PYTHON
}

crashes=0
for seed in $(seq "${TUMBLE_DAMAGES:-40}"); do
  damage=$(damage "$seed")
  told report bad -o page.html
  ! grep -q "damaged" stderr.txt || crashes=$((crashes + 1))
  told replay bad 3
  rm -rf bad/replay-3
done
[ "$crashes" -gt 0 ] || fail "none of these files was damaged where it matters"

# Nor does it keep a run from its place.
damage="a heap without sizes"
/usr/bin/python3 - <<'PYTHON'
data = bytearray(open("good/results.nc", "rb").read())
at = -1
while (at := data.find(b"GCOL", at + 1)) >= 0:
    data[at + 8:at + 4096] = b"\xff" * 4088
open("bad/results.nc", "wb").write(data)
PYTHON
expect 2 report bad
says stderr.txt "bad/results.nc"
expect 2 replay bad 3
says stderr.txt "bad/results.nc is damaged"
expect 2 run swing.yaml -n 70 -o bad --resume
expect 0 run swing.yaml -n 70 -o bad --overwrite
[ "$(hash_of bad)" = "$(hash_of good)" ] || fail "other bits in place of a damaged file"
