# The kernels compiled for AVX-512 define no function that code for other CPUs could end up with: of
# two copies of an inline function the linker keeps one, perhaps the AVX-512 one. All that they may
# define is instantiated for types of their own namespace. (AVX2 is what everything is compiled for.)
set -euo pipefail
objects=$(dirname "${TUMBLE:?the program to test}")/../src/CMakeFiles/tumble_study.dir/tumble/study/lanes
cache=$(dirname "$TUMBLE")/../CMakeCache.txt
# Unoptimised builds and sanitizers emit every inline function; they are not what users run.
grep -q '^CMAKE_BUILD_TYPE:STRING=Release$' "$cache" || exit 0
grep -q '^TUMBLE_SANITIZE:STRING=$' "$cache" || exit 0
object=$objects/lanes_avx512.cpp.o
[ -e "$object" ] || { echo "$object is missing" >&2; exit 1; }
# DW.ref.* is a pointer to the exception handling of the C++ library, the same in every file;
# __clang_call_terminate calls std::terminate and nothing else.
shared=$(nm -C --defined-only "$object" |
  awk '$2 ~ /^[WVuwv]$/ && !/avx512::/ && !/DW\.ref\.|__clang_call_terminate/ { $1 = ""; print }')
[ -z "$shared" ] || { echo "lanes_avx512.cpp defines what others may get:" >&2; echo "$shared" >&2; exit 1; }
