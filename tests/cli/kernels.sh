# Generated code: the bits of the program's own kernels, a cache, and a sentence where there is none.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/_common.sh"
source "$TUMBLE_SOURCE_DIR/tests/cli/_study.sh"
export XDG_CACHE_HOME=$PWD/cache

expect 0 run swing.yaml -o templates
templates=$(hash_of templates)
! grep -q "generated" stdout.txt || fail "speaks of what nobody asked for"

same() {
  [ "$(hash_of "$1")" = "$templates" ] || fail "$1: other bits than those of the kernels"
}

expect 2 run swing.yaml -o none --kernels fastest
absent none

# The table has 300 pendulums, the last group of which is not full.
for lanes in 1 4 8; do
  expect 0 run swing.yaml -o "generated$lanes" --kernels generated --lanes $lanes
  says stdout.txt "code generated for this model, compiled in"
  grep -qE "ran ([0-9]+) of \1 groups" stdout.txt || fail "kernels ran where code was generated"
  same "generated$lanes"
done
[ "$(stat -c %a cache/tumble/kernels)" = 700 ] || fail "others can look into the cache"

expect 0 run swing.yaml -o again --kernels generated --lanes 8
says stdout.txt "code generated for this model, from the cache"
same again

# A damaged file is compiled anew.
for file in cache/tumble/kernels/*; do
  printf '!' | dd of="$file" bs=1 seek=3000 conv=notrunc status=none
done
expect 0 run swing.yaml -o damaged --kernels generated --lanes 8
says stdout.txt "compiled in"
same damaged

# A cache that others can write is not used.
chmod 777 cache/tumble/kernels
expect 0 run swing.yaml -o open --kernels generated --lanes 8
says stdout.txt "compiled in"
same open
chmod 700 cache/tumble/kernels

# No compiler, one that fails, and no PATH: as with templates, and why.
TUMBLE_CXX=/no/compiler expect 0 run swing.yaml -o without --kernels generated
says stderr.txt "no code was generated for this model: TUMBLE_CXX names no program: '/no/compiler'"
same without
rm -r cache
TUMBLE_CXX=/bin/false expect 0 run swing.yaml -o fails --kernels generated
says stderr.txt "/bin/false failed"
same fails
PATH=/nowhere expect 0 run swing.yaml -o nowhere --kernels generated
says stderr.txt "no C++ compiler on the path"
same nowhere

# 300 pendulums are over before a compiler would be, and without AVX-512 it is not asked at all.
expect 0 run swing.yaml -o auto --kernels auto
says stdout.txt "no code was generated for this model: "
[ ! -s stderr.txt ] || fail "a warning of what nobody insisted on"
same auto
