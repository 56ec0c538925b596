# A CPU without AVX2 and FMA is refused in a sentence. Needs qemu-user to play such a CPU; without it
# there is nothing to test with.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
command -v qemu-x86_64 >/dev/null || { echo "skipped: no qemu-x86_64"; exit 77; }
# The sanitizers want address space that the emulator does not have.
grep -q '^TUMBLE_SANITIZE:STRING=$' "$(dirname "$TUMBLE")/../CMakeCache.txt" || exit 77

status=0
qemu-x86_64 -cpu Nehalem "$TUMBLE" --version >stdout.txt 2>stderr.txt || status=$?
[ "$status" -eq 2 ] || fail "status $status, not 2"
says stderr.txt "this CPU lacks AVX2, FMA or BMI2"
[ ! -s stdout.txt ] || fail "went on"

# The oldest CPU that has all of it.
qemu-x86_64 -cpu Haswell "$TUMBLE" --version >stdout.txt 2>stderr.txt || fail "refused a Haswell"
