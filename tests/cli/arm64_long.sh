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

# TUMBLE_ARM64 names a folder with a build that shall be taken as it is.
arm64=${TUMBLE_ARM64:-$TUMBLE_SOURCE_DIR/build/arm64}
if [ -z "${TUMBLE_ARM64:-}" ]; then
  # The page is the same for all; who has built it already need not do so again.
  page=$(dirname "$(dirname "$TUMBLE")")/viewer/dist/report.html
  [ -e "$page" ] || page=
  (
    cd "$TUMBLE_SOURCE_DIR"
    [ -e build/arm64/CMakeCache.txt ] || cmake --preset arm64 ${page:+-DTUMBLE_REPORT_TEMPLATE="$page"}
    cmake --build --preset arm64 --target tumble tumble_lane_bits_neon --parallel 2
  ) >build.txt 2>&1 || fail "it does not build: $(tail -n 20 build.txt)"
fi

printf '#!/bin/sh\nexec "%s" -L "%s" "%s" "$@"\n' "$qemu" "$root" "$arm64/bin/tumble" >tumble-arm64
chmod +x tumble-arm64
./tumble-arm64 --version | grep -q "^tumble " || fail "it does not run"
"$qemu" -L "$root" "$arm64/tumble_lane_bits_neon" || fail "operations on lanes have other bits"

# same MODEL OPTIONS...: both programs, the same results; of studies that say no number themselves 9 realisations, which
# is a full pack of lanes and one that is not.
same() {
  local model=$TUMBLE_SOURCE_DIR/examples/$1.yaml
  shift
  "$TUMBLE_SOURCE_DIR/scripts/same_bits" "$TUMBLE" ./tumble-arm64 -n 9 "$model" -- "$@" || fail "$model $*: other bits"
}
short() { same "$1" --set "simulation.duration=$2" "${@:3}"; }

# Single runs: rigid, spinning, closed chains, beams.
short classics/double-pendulum 0.05
short classics/heavy-top 5e-3
short classics/slider-crank 5e-3
short beams/cantilever 0.02
short beams/robot-arm 0.02

# Studies: random bodies at every width; a table; quantities of interest; fields of beams and chaos; robots; a vehicle;
# bounds; levels. Random drives are not among them yet; their Fourier sums have the same bits.
for lanes in 1 4 8; do
  short batou-soize-2012/case4 1e-4 --lanes "$lanes"
done
short ensembles/pendulum-table 0.1
same ensembles/spring-peaks
short wu-2016/planar-pendulum 0.01
short robots/arm 0.02
short vehicle/passengers 0.1
short worst-case/spring 0.1
short multilevel/spring 0.2

# Code generated for a model: registers of arm64, by a compiler for arm64 that runs here.
printf '#!/bin/sh\nexec clang++ --target=aarch64-linux-gnu --sysroot="%s" -fuse-ld=lld "$@"\n' "$root" >clang-arm64
chmod +x clang-arm64
printf '#!/bin/sh\nTUMBLE_CXX=%s exec "%s" "$@" --kernels generated\n' "$PWD/clang-arm64" "$PWD/tumble-arm64" >generated-arm64
chmod +x generated-arm64
export XDG_CACHE_HOME=$PWD/cache
case4=$TUMBLE_SOURCE_DIR/examples/batou-soize-2012/case4.yaml
for lanes in 1 4 8; do
  ./generated-arm64 run "$case4" --set simulation.duration=1e-4 -n 9 --lanes "$lanes" --no-report -o "generated$lanes" >stdout.txt
  grep -qE "ran ([0-9]+) of \1 groups" stdout.txt || fail "kernels ran where code was generated"
  "$TUMBLE_SOURCE_DIR/scripts/same_bits" "$TUMBLE" ./generated-arm64 -n 9 "$case4" -- --set simulation.duration=1e-4 --lanes "$lanes" ||
    fail "generated code has other bits, --lanes $lanes"
done

# Draws of every law alone, to the last digit.
for model in batou-soize-2012/case4 vehicle/passengers wu-2016/double-pendulum-mc robots/arm; do
  expect 0 sample "$TUMBLE_SOURCE_DIR/examples/$model.yaml" -n 300 -o here.csv --overwrite
  ./tumble-arm64 sample "$TUMBLE_SOURCE_DIR/examples/$model.yaml" -n 300 -o there.csv --overwrite >stdout.txt
  cmp here.csv there.csv || fail "$model: other draws"
done
