# Programs for arm64 made on another machine, by clang++ and lld with the headers and libraries of a
# Debian root (scripts/arm64_root makes it). Tests of the build run by qemu.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)

set(TUMBLE_ARM64_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root" CACHE PATH
    "What scripts/arm64_root made")
cmake_path(ABSOLUTE_PATH TUMBLE_ARM64_ROOT NORMALIZE OUTPUT_VARIABLE root)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TUMBLE_ARM64_ROOT)
if(NOT EXISTS "${root}/complete")
  message(FATAL_ERROR "${root} is missing or incomplete: run scripts/arm64_root")
endif()

set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_SYSROOT "${root}")
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
foreach(kind IN ITEMS EXE SHARED MODULE)
  # g++ for this machine brings no linker for another; lld is for all.
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-fuse-ld=lld")
endforeach()
find_program(TUMBLE_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(TUMBLE_QEMU_AARCH64)
if(TUMBLE_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${TUMBLE_QEMU_AARCH64}" -L "${root}")
endif()

set(CMAKE_FIND_ROOT_PATH "${root}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind IN ITEMS LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${root}")
set(ENV{PKG_CONFIG_LIBDIR} "${root}/usr/lib/aarch64-linux-gnu/pkgconfig:${root}/usr/share/pkgconfig")
