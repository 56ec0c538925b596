# Which build it is: told by the program and by results, looked up in git, written only if it changes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"

expect 0 --version
grep -qE '^source revision [^ ,]+, compiler (GNU|Clang) [0-9.]+, flags .*-ffp-contract=off' stdout.txt || fail "no build"
version=$(sed -n 's/^tumble //p' stdout.txt)
grep -qx "version: $version" "$TUMBLE_SOURCE_DIR/CITATION.cff" || fail "CITATION.cff is of another version than $version"
revision=$(sed -n 's/^source revision \([^,]*\),.*/\1/p' stdout.txt)
expect 0 run pendulum.yaml -o out
ncdump -h out/results.nc >header.txt
says header.txt ":source_revision = \"$revision\""
grep -q ':compiler = "' header.txt || fail "no compiler"
grep -q ':compiler_flags = ".*-ffp-contract=off' header.txt || fail "no flags"

command -v git >/dev/null && command -v cmake >/dev/null || exit 0
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
look_up() {
  cmake -Dgit="$(command -v git)" -Dsource="$1" "-Dcompiler=Some 1.2" '-Dflags=-O2 -DNAME="a b"' \
    -Doutput="$work/info/info.hpp" -P "$TUMBLE_SOURCE_DIR/cmake/write_build_info.cmake"
}
mkdir plain tree
look_up "$work/plain"
says info/info.hpp '#define TUMBLE_SOURCE_REVISION "unknown"'
says info/info.hpp '#define TUMBLE_COMPILER_FLAGS "-O2 -DNAME=\"a b\""'
git -C tree init -q
echo 1 >tree/file
mkdir tree/inner
echo 1 >tree/inner/file
git -C tree add .
git -C tree -c user.name=me -c user.email=me@here commit -qm one
hash=$(git -C tree rev-parse --short=12 HEAD)
look_up "$work/tree"
says info/info.hpp "#define TUMBLE_SOURCE_REVISION \"$hash\""
before=$(stat -c '%i %y %z' info/info.hpp)
sleep 0.01
look_up "$work/tree"
[ "$(stat -c '%i %y %z' info/info.hpp)" = "$before" ] || fail "written although nothing changed"
echo 2 >tree/file
look_up "$work/tree"
says info/info.hpp "#define TUMBLE_SOURCE_REVISION \"$hash-dirty\""
look_up "$work/tree/inner"  # of somebody else's repository
says info/info.hpp '#define TUMBLE_SOURCE_REVISION "unknown"'
