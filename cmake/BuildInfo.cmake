# What tells one build from another: source revision, compiler and flags, never a time. Journals of
# studies carry it, so that no study is computed half by one build and half by another.
#
# The revision is looked up at every build, and the header that holds it is written only where
# something changed: then one small source is compiled, and programs are linked.

set(TUMBLE_BUILD_INFO_DIR "${PROJECT_BINARY_DIR}/build_info")

# Warnings are no part of what is computed, nor is the place of a header.
get_directory_property(options DIRECTORY "${PROJECT_SOURCE_DIR}" COMPILE_OPTIONS)
list(FILTER options EXCLUDE REGEX "^-W|^SHELL:-include")
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(JOIN " " flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${options})

find_package(Git QUIET)
add_custom_target(
  tumble_build_info
  COMMAND
    "${CMAKE_COMMAND}" "-Dgit=${GIT_EXECUTABLE}" "-Dsource=${PROJECT_SOURCE_DIR}"
    "-Dcompiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-Dflags=${flags}"
    "-Doutput=${TUMBLE_BUILD_INFO_DIR}/tumble_build_info.hpp" -P
    "${PROJECT_SOURCE_DIR}/cmake/write_build_info.cmake"
  BYPRODUCTS "${TUMBLE_BUILD_INFO_DIR}/tumble_build_info.hpp"
  COMMENT "Looking up the source revision"
  VERBATIM)
