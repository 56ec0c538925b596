# All tests, found by their place; every place may be empty.
#
#   src/tumble/<module>/test/*_test.cpp   tumble_<module>_tests     labels unit, <module>
#   src/tumble/math/test/lane_bits.cpp    one per instruction set   labels unit, math
#   validation/*_test.cpp                 tumble_validation_tests   label validation
#   tests/cli/*.sh                        run with $TUMBLE          label cli
#   tests/python/*_test.py                run with $TUMBLE          label python
#   python/test/*_test.py                 run with the package      label package
#   fuzz/*_fuzzer.cpp                     a short run each          label fuzz
#   tests/install                         an outside project        label house
#   every header                          compiles alone            label house, long but for public ones
#   examples/cpp/*.cpp                    compile and run           label house
#
# ./test leaves out the label `long`, and under the sanitizers also `slow-sanitizer`. Modules without
# kernels and lanes have the label `once`: ./test runs their tests under the sanitizers only, because
# building them twice takes minutes. ctest --preset release runs them too. A GoogleTest
# suite gets them by its name: TEST(HeavyTopLong, ...) is long, TEST(HeavyTopSlow, ...) is
# slow-sanitizer. So does a script: tests/cli/sweep_long.sh, tests/python/sweep_long_test.py.
include(GoogleTest)

set(third_party fmt::fmt Eigen3::Eigen yaml-cpp PkgConfig::NETCDF nlohmann_json::nlohmann_json)

# tumble_gtests(<target> <name> LABELS <labels> LIBRARIES <libraries> SOURCES <files>)
function(tumble_gtests target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LABELS;LIBRARIES;SOURCES")
  if(NOT arg_SOURCES)
    return()
  endif()
  add_executable(${target} ${arg_SOURCES})
  tumble_compile_together(${target})
  # Third-party libraries too: tests read back files that a module only writes.
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} ${third_party} GTest::gmock
                                          GTest::gtest_main)
  target_link_libraries(${target} PRIVATE tumble_source_directory)
  # The libraries are what is tested, and they are compiled as in the program. Tests themselves run once;
  # optimising them took longer than they do. Those of draws and numbers loop over inline functions.
  if(NOT TUMBLE_SANITIZE OR NOT name MATCHES "^(random|math)$")
    tumble_compile_lightly(${target})
  endif()

  # gtest_discover_tests flattens a list of labels, so each kind of test is collected in a variable
  # and labelled by a script that ctest reads after the discovery.
  set(filter_plain "-*Long.*:*Slow.*")
  set(filter_long "*Long.*")
  set(filter_slow "*Slow.*-*Long.*")
  set(labels_plain ${arg_LABELS})
  set(labels_long ${arg_LABELS} long)
  set(labels_slow ${arg_LABELS} slow-sanitizer)
  set(timeout_plain 300)
  set(timeout_long 3600)
  set(timeout_slow 900)
  set(script "${PROJECT_BINARY_DIR}/${target}_labels.cmake")
  set(content)
  foreach(kind IN ITEMS plain long slow)
    gtest_discover_tests(
      ${target}
      NO_PRETTY_VALUES  # a printed parameter may hold characters that lists of tests cannot
      DISCOVERY_MODE PRE_TEST
      DISCOVERY_TIMEOUT 60
      TEST_PREFIX "${name}."
      TEST_FILTER "${filter_${kind}}"
      TEST_LIST ${target}_${kind}
      PROPERTIES TIMEOUT ${timeout_${kind}} ENVIRONMENT
                 "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/tsan.supp")
    string(APPEND content "foreach(test IN LISTS ${target}_${kind})\n"
           "  set_tests_properties(\"\${test}\" PROPERTIES LABELS \"${labels_${kind}}\")\n"
           "endforeach()\n")
  endforeach()
  file(CONFIGURE OUTPUT "${script}" CONTENT "${content}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# `module_tests` builds the tests of all modules and nothing above them, `optimized_tests` those that
# ./test runs in the release build.
add_custom_target(module_tests)
add_custom_target(optimized_tests)
set(once base math random model field chaos identify inputs reliability io convert campaign fmu report)
foreach(module IN LISTS TUMBLE_MODULES)
  set(dir "${PROJECT_SOURCE_DIR}/src/tumble/${module}")
  file(GLOB sources CONFIGURE_DEPENDS "${dir}/test/*_test.cpp" "${dir}/*/test/*_test.cpp")
  set(labels unit ${module})
  if(module IN_LIST once)
    list(APPEND labels once)
  endif()
  tumble_gtests(tumble_${module}_tests ${module} LABELS ${labels}
                LIBRARIES tumble::${module} SOURCES ${sources})
  if(TARGET tumble_convert_tests AND module STREQUAL "convert")  # what it writes is read and run, and compared with urdfdom's reading
    target_link_libraries(tumble_convert_tests PRIVATE tumble::io PkgConfig::URDFDOM)
  endif()
  if(TARGET tumble_device_tests AND module STREQUAL "device")
    target_link_libraries(tumble_device_tests PRIVATE tumble::io)
  endif()
  if(TARGET tumble_program_tests AND module STREQUAL "program")  # models of examples
    target_link_libraries(tumble_program_tests PRIVATE tumble::io)
    target_compile_definitions(tumble_program_tests PRIVATE "TUMBLE_TEST_COMPILER=\"${CMAKE_CXX_COMPILER}\"")
  endif()
  if(TARGET tumble_${module}_tests)
    # The kernels of beams take the sanitizers minutes to compile; they see them in dynamics and study.
    if(NOT TUMBLE_SANITIZE OR NOT module STREQUAL "beam")
      add_dependencies(module_tests tumble_${module}_tests)
    endif()
    if(NOT module IN_LIST once)
      add_dependencies(optimized_tests tumble_${module}_tests)
    endif()
  endif()
endforeach()

# One source for every instruction set: lanes must have the same bits in all of them. The one
# without AVX calls libm for each fma(), which compares the instruction with an exact emulation.
set(sets sse2 avx2 avx512)
if(TUMBLE_ARM64)
  set(sets neon)
endif()
set(flags_sse2 -mno-avx)
set(flags_avx2)
set(flags_avx512 -mavx512f -mavx512dq)
foreach(set IN LISTS sets)
  add_executable(tumble_lane_bits_${set} src/tumble/math/test/lane_bits.cpp)
  target_compile_options(tumble_lane_bits_${set} PRIVATE ${flags_${set}})
  target_link_libraries(tumble_lane_bits_${set} PRIVATE tumble::math)
  add_test(NAME math.lane_bits.${set} COMMAND tumble_lane_bits_${set})
  set_tests_properties(math.lane_bits.${set} PROPERTIES LABELS "unit;math" SKIP_RETURN_CODE 77)
  add_dependencies(module_tests tumble_lane_bits_${set})
  add_dependencies(optimized_tests tumble_lane_bits_${set})
endforeach()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/validation/*_test.cpp")
tumble_gtests(tumble_validation_tests validation LABELS validation LIBRARIES tumble::tumble
              SOURCES ${sources})
if(TARGET tumble AND TARGET tumble_validation_tests)
  add_dependencies(optimized_tests tumble_validation_tests tumble)
endif()

# Scripts that drive the program. Each runs in an empty-to-begin-with folder of its own; a name that
# starts with an underscore is a helper, not a test. Status 77 means skipped.
function(tumble_scripts label pattern suffix interpreter)
  file(GLOB scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${pattern}")
  foreach(script IN LISTS scripts)
    cmake_path(GET script FILENAME name)
    if(name MATCHES "^_" OR NOT TARGET tumble)
      continue()
    endif()
    string(REGEX REPLACE "${suffix}$" "" name "${name}")
    set(folder "${PROJECT_BINARY_DIR}/tests/${label}/${name}")
    file(MAKE_DIRECTORY "${folder}")
    add_test(NAME ${label}.${name} COMMAND ${interpreter} "${script}" WORKING_DIRECTORY "${folder}")
    set(labels ${label})
    set(timeout 300)
    if(label STREQUAL "viewer")  # a browser that draws in software is slow on a busy machine
      set(timeout 1200)
    endif()
    if(name MATCHES "_long$")
      list(APPEND labels long)
      set(timeout 3600)
    endif()
    # The longest begin first, so that no core waits for one of them at the end.
    set(cost 10)
    if(label STREQUAL "viewer")
      set(cost 1000)
    endif()
    set_tests_properties(
      ${label}.${name}
      PROPERTIES LABELS "${labels}" TIMEOUT ${timeout} COST ${cost} SKIP_RETURN_CODE 77 ENVIRONMENT
                 "TUMBLE=$<TARGET_FILE:tumble>;TUMBLE_FAKE_CUDA=$<TARGET_FILE:tumble_fake_cuda>;TUMBLE_SOURCE_DIR=${PROJECT_SOURCE_DIR};TUMBLE_VIEWER=${PROJECT_BINARY_DIR}/viewer;PYTHONPATH=${PROJECT_BINARY_DIR}/python"
    )
  endforeach()
endfunction()

tumble_scripts(cli tests/cli/*.sh "\\.sh" bash)
if(NOT TUMBLE_REPORT_TEMPLATE)
  tumble_scripts(viewer tests/viewer/*.sh "\\.sh" bash)
endif()
tumble_scripts(python tests/python/*_test.py "_test\\.py" "${TUMBLE_PYTHON}")
if(TARGET tumble_python)
  tumble_scripts(package python/test/*_test.py "_test\\.py" "${TUMBLE_PYTHON}")
  add_dependencies(optimized_tests tumble_python)
endif()

if(TUMBLE_FUZZ)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*_fuzzer.cpp")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    # What the fuzzer finds goes into the build folder; fuzz/corpus/<name> is only read.
    set(found "${PROJECT_BINARY_DIR}/corpus/${name}")
    file(MAKE_DIRECTORY "${found}")
    set(corpus "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}")
    if(NOT IS_DIRECTORY "${corpus}")
      set(corpus)
    endif()
    add_test(NAME fuzz.${name} COMMAND ${name} -max_total_time=60 -timeout=10 "${found}" ${corpus}
             WORKING_DIRECTORY "${found}/..")
    set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
  endforeach()
endif()

# A CUDA driver that is none, for tests of studies on devices.
add_library(tumble_fake_cuda MODULE tests/support/fake_cuda.cpp)
tumble_compile_lightly(tumble_fake_cuda)
target_link_libraries(tumble_fake_cuda PRIVATE tumble::program)
target_link_options(tumble_fake_cuda PRIVATE "LINKER:--exclude-libs,ALL")
set_target_properties(tumble_fake_cuda PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY
                                                            "${PROJECT_BINARY_DIR}/tests/support")
add_dependencies(module_tests tumble_fake_cuda)
add_dependencies(optimized_tests tumble_fake_cuda)

# Cases for a machine with a GPU: tests/device/README.md.
add_executable(program_cases EXCLUDE_FROM_ALL tests/device/program_cases.cpp)
target_link_libraries(program_cases PRIVATE tumble::io tumble_source_directory)
add_executable(compare_results EXCLUDE_FROM_ALL tests/device/compare_results.cpp)
target_link_libraries(compare_results PRIVATE PkgConfig::NETCDF)

# All of them take both cores a minute, the public ones seconds.
add_test(NAME house.public_headers_compile_alone
         COMMAND "${PROJECT_SOURCE_DIR}/scripts/check_headers" --public)
set_tests_properties(house.public_headers_compile_alone PROPERTIES LABELS house TIMEOUT 300)
add_test(NAME house.headers_compile_alone COMMAND "${PROJECT_SOURCE_DIR}/scripts/check_headers")
set_tests_properties(house.headers_compile_alone PROPERTIES LABELS "house;long" TIMEOUT 900 COST 500)

# The programs that the guides quote: they end with 0 if they get what the text says.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/cpp/*.cpp")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  add_executable(example_${name} "${source}")
  target_link_libraries(example_${name} PRIVATE tumble::tumble)
  add_test(NAME house.example_${name} COMMAND example_${name})
  set_tests_properties(house.example_${name} PROPERTIES LABELS house TIMEOUT 60)
  add_dependencies(optimized_tests example_${name})
endforeach()

set(flags)
if(TUMBLE_SANITIZE)
  set(flags "-fsanitize=${TUMBLE_SANITIZE}")
endif()
add_test(
  NAME house.find_package
  COMMAND
    "${CMAKE_COMMAND}" -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "BUILD=${PROJECT_BINARY_DIR}" -D
    "WORK=${PROJECT_BINARY_DIR}/tests/install" -D "GENERATOR=${CMAKE_GENERATOR}" -D
    "COMPILER=${CMAKE_CXX_COMPILER}" -D "FLAGS=${flags}" -P
    "${PROJECT_SOURCE_DIR}/tests/install/check.cmake")
set_tests_properties(house.find_package PROPERTIES LABELS house TIMEOUT 600)
