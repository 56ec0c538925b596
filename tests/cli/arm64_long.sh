# The program for arm64 gives the bits of x86-64: runs and studies of every kind, by qemu, at each width of
# lanes. It is built here, which takes minutes the first time.
#
# Needs clang++, lld, qemu and what scripts/arm64_root fetches; skipped without them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
[ "$(uname -m)" = x86_64 ] || { echo "not on x86-64: nothing to compare with" && exit 77; }
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64) || { echo "no qemu-aarch64: not tried" && exit 77; }
for tool in clang++ ld.lld cmake; do
  command -v "$tool" >/dev/null || { echo "no $tool: not tried" && exit 77; }
done
root=$TUMBLE_SOURCE_DIR/build/arm64-root
[ -e "$root/complete" ] || { echo "no $root, which scripts/arm64_root makes: not tried" && exit 77; }

# The page is the same for all; who has built it already need not do so again.
page=$(dirname "$(dirname "$TUMBLE")")/viewer/dist/report.html
[ -e "$page" ] || page=
(
  cd "$TUMBLE_SOURCE_DIR"
  [ -e build/arm64/CMakeCache.txt ] || cmake --preset arm64 ${page:+-DTUMBLE_REPORT_TEMPLATE="$page"}
  cmake --build --preset arm64 --target tumble tumble_lane_bits_neon --parallel 2
) >build.txt 2>&1 || fail "it does not build: $(tail -n 20 build.txt)"
arm64=$TUMBLE_SOURCE_DIR/build/arm64

printf '#!/bin/sh\nexec "%s" -L "%s" "%s" "$@"\n' "$qemu" "$root" "$arm64/bin/tumble" >tumble-arm64
chmod +x tumble-arm64
./tumble-arm64 --version | grep -q "^tumble " || fail "it does not run"
"$qemu" -L "$root" "$arm64/tumble_lane_bits_neon" || fail "operations on lanes have other bits"

# same N MODEL OPTIONS...: both programs, the same results.
same() {
  local n=$1 model=$TUMBLE_SOURCE_DIR/examples/$2.yaml
  shift 2
  "$TUMBLE_SOURCE_DIR/scripts/same_bits" "$TUMBLE" ./tumble-arm64 -n "$n" "$model" -- "$@" || fail "$model $*: other bits"
}
for lanes in 1 4 8; do
  same 9 batou-soize-2012/case4 --lanes "$lanes" --set simulation.duration=5e-4
done
