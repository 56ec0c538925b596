# How every file of this project is compiled. Directory-wide on purpose: all targets of the tree are
# ours, and third-party headers come in through imported targets, whose includes are SYSTEM.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the libraries also go into shared objects

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# CMake's own release flags add -DNDEBUG. Assertions guard invariants of the engine and stay on in
# every build; they are kept cheap and out of the inner loops instead.
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g")

add_compile_definitions(TUMBLE_VERSION="${PROJECT_VERSION}")

# The oldest CPU that Tumble runs on: x86-64-v3 has AVX2, FMA and BMI. Kernels ask for fused
# multiply-adds by name, so the engine for one realisation needs the instruction as much as lanes
# do; without it each of them would be a call of libm. Exported with the libraries (src/CMakeLists.txt)
# because names in headers contain the instruction set. Other CPUs are told so by
# tumble/base/cpu_requirement.cpp, the one file compiled for all of them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(TUMBLE_BASELINE -march=x86-64-v3)
  set(TUMBLE_ANY_CPU -march=x86-64)
endif()
add_compile_options(${TUMBLE_BASELINE})

# arm64 has all of that in every CPU. Eigen and Boost add in another order there than on x86-64, unless
# they see this header first; the compiler's headers of instructions, which they ask for, are empty then.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(TUMBLE_ARM64 ON)
  foreach(name IN ITEMS mm xmm emm pmm tmm smm nmm imm)
    file(WRITE "${PROJECT_BINARY_DIR}/no_intrinsics/${name}intrin.h" "")
  endforeach()
  include_directories(BEFORE SYSTEM "${PROJECT_BINARY_DIR}/no_intrinsics")
  find_path(TUMBLE_SIMDE_INCLUDE simde/x86/avx2.h REQUIRED)
  find_path(TUMBLE_EIGEN_INCLUDE Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
  mark_as_advanced(TUMBLE_SIMDE_INCLUDE TUMBLE_EIGEN_INCLUDE)
  include_directories(SYSTEM "${TUMBLE_EIGEN_INCLUDE}")
  add_compile_options("SHELL:-include ${PROJECT_SOURCE_DIR}/src/tumble/math/order_of_x86.hpp")
endif()

# Where the source says a*b + c there are two roundings, and one where it says fma(a, b, c). g++
# would by default fuse the first kind too wherever it likes, and clang decides differently.
# -march=native and -ffast-math are absent for the same reason: results must not depend on choices
# of the compiler.
add_compile_options(-ffp-contract=off)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12.2 -O3 was seen to miscompile a fused loop (NaN in a kernel that is right with -O2 and with
  # clang); without these two passes it is right.
  add_compile_options(-fno-tree-loop-distribution -fno-tree-loop-distribute-patterns)
  # Where a product is added in one place and subtracted in the next, g++ 12 makes one vfmaddsub of
  # them, -ffp-contract=off or not: with -O2 eigenvalues had other last bits than with -O1 or clang.
  add_compile_options(-fno-tree-slp-vectorize)
  # At -O1 g++ leaves out vzeroupper, and every call of libm after 256-bit code is some thirty times slower.
  set(TUMBLE_KEEP_VZEROUPPER -fexpensive-optimizations)
endif()

# clang's -Wconversion includes -Wsign-conversion and g++'s does not: the same rule for both.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Masks of lanes are joined by & and |, and of a single realisation they are bools.
  add_compile_options(-Wno-bitwise-instead-of-logical)
endif()
# Sources that are compiled together see each other's names, and one that hides such a name is none
# the worse for it: only what is hidden within a function counts then, which clang cannot tell apart.
if(NOT TUMBLE_UNITY)
  add_compile_options(-Wshadow)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wshadow=local)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # At -O3 g++ 12 warns of overlapping copies in its own std::string concatenation (GCC bug 105651),
  # of overflows in fmt's buffers once those are inlined, and of packets of four in Eigen's vectors
  # of three, in branches that are never taken; clang and the address sanitizer keep watching.
  add_compile_options(-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(TUMBLE_WERROR)
  add_compile_options(-Werror)
endif()

if(TUMBLE_SANITIZE)
  add_compile_options(-fsanitize=${TUMBLE_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TUMBLE_SANITIZE})
  if(TUMBLE_SANITIZE MATCHES "undefined")
    # A quarter of the build's time, for what shows without them: a null or misaligned pointer ends
    # the program, and what lies outside an object is the address sanitizer's.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The code that the sanitizers insert confuses this analysis; the release build keeps it.
    add_compile_options(-Wno-maybe-uninitialized)
  endif()
endif()

# tumble_compile_lightly(<target>): for what runs once where kernels run a million times; most of its time
# is the compiler's. Under the sanitizers -O0 takes a third of the time that -O1 takes.
function(tumble_compile_lightly target)
  if(TUMBLE_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  elseif(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1 ${TUMBLE_KEEP_VZEROUPPER})
  endif()
endfunction()

if(TUMBLE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "TUMBLE_FUZZ needs clang++: use the preset `fuzz`")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)  # coverage feedback from the libraries too
endif()

find_program(TUMBLE_CCACHE ccache)
mark_as_advanced(TUMBLE_CCACHE)
if(TUMBLE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Neither the cache nor what __FILE__ says knows the checkout's place, so clones and worktrees share objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_BASEDIR=${PROJECT_SOURCE_DIR};CCACHE_NOHASHDIR=1;${TUMBLE_CCACHE}")
endif()
add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
