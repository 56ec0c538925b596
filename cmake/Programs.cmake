# What ends up in bin/: the command line, the benchmarks, the fuzzers. The places below may be empty.

set(TUMBLE_BIN_DIR "${PROJECT_BINARY_DIR}/bin")

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/tumble/*.cpp")
if(sources)
  add_executable(tumble ${sources})
  tumble_compile_together(tumble)
  tumble_compile_lightly(tumble)
  target_link_libraries(tumble PRIVATE tumble::tumble CLI11::CLI11 PkgConfig::HTTPLIB
                                       PkgConfig::LIBZIP)
  set_target_properties(tumble PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${TUMBLE_BIN_DIR}")
  if(MPI_CXX_FOUND)
    target_compile_definitions(tumble PRIVATE TUMBLE_WITH_MPI)
    target_link_libraries(tumble PRIVATE MPI::MPI_CXX)
  endif()
endif()

# What `tumble fmu` puts into its files: lib/tumble/tumble_fmu.so beside bin/, in the build as where it is
# installed. It goes to computers where Tumble is not, so it needs few libraries and shows the functions of
# FMI alone: what reads no machine (netCDF, oneTBB, ISA-L) stays outside, fmt comes from its headers
# (apps/fmu/fmt_inside.cpp), and yaml-cpp, whose archive is not for shared objects, travels beside it.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/apps/fmu/*.cpp")
add_library(tumble_fmu_binary MODULE ${sources})
tumble_compile_lightly(tumble_fmu_binary)
set(TUMBLE_FMU_SYMBOLS "${PROJECT_SOURCE_DIR}/apps/fmu/exported_symbols")
target_link_options(
  tumble_fmu_binary
  PRIVATE
  "LINKER:--as-needed,--gc-sections,--exclude-libs=ALL,--version-script=${TUMBLE_FMU_SYMBOLS}")
target_link_libraries(tumble_fmu_binary PRIVATE tumble::fmu)
set_target_properties(
  tumble_fmu_binary
  PROPERTIES PREFIX ""
             OUTPUT_NAME tumble_fmu
             BUILD_WITH_INSTALL_RPATH ON
             INSTALL_RPATH "$ORIGIN"
             LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib/tumble"
             LINK_DEPENDS "${TUMBLE_FMU_SYMBOLS}")
if(TARGET tumble)
  add_dependencies(tumble tumble_fmu_binary)
endif()

# Where the checkout lies, for tests and benchmarks: the only object that depends on it.
add_library(tumble_source_directory STATIC EXCLUDE_FROM_ALL tests/support/source_directory.cpp)
target_include_directories(tumble_source_directory PUBLIC tests/support)
target_compile_definitions(tumble_source_directory PRIVATE TUMBLE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# One program per file, named after it: benchmarks/solve_benchmark.cpp -> bin/solve_benchmark.
function(tumble_programs pattern)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${pattern}")
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM name)
    add_executable(${name} "${source}")
    target_link_libraries(${name} PRIVATE tumble::tumble ${ARGN})
    target_link_libraries(${name} PRIVATE tumble_source_directory)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${TUMBLE_BIN_DIR}")
  endforeach()
endfunction()

if(TUMBLE_BENCHMARKS)
  tumble_programs(benchmarks/*_benchmark.cpp benchmark::benchmark benchmark::benchmark_main)
  # Kernels by themselves, compiled exactly as the study's lane kernels are. It takes a minute to
  # compile: benchmarks/run asks for it, ./test does not.
  set_target_properties(parts_benchmark PROPERTIES EXCLUDE_FROM_ALL TRUE)
  target_sources(parts_benchmark PRIVATE benchmarks/operation_count.cpp)
  # It counts operations and is not timed; -O3 takes g++ 12 ten minutes.
  set_source_files_properties(benchmarks/operation_count.cpp PROPERTIES COMPILE_OPTIONS -O1)
  foreach(set IN ITEMS avx2 avx512)
    get_source_file_property(
      options "${PROJECT_SOURCE_DIR}/src/tumble/study/lanes/lanes_${set}.cpp" TARGET_DIRECTORY
      tumble_study COMPILE_OPTIONS)
    if(NOT options)
      set(options)
    endif()
    target_sources(parts_benchmark PRIVATE benchmarks/parts_${set}.cpp)
    set_source_files_properties(benchmarks/parts_${set}.cpp PROPERTIES COMPILE_OPTIONS "${options}")
  endforeach()
endif()
if(TUMBLE_FUZZ)
  tumble_programs(fuzz/*_fuzzer.cpp -fsanitize=fuzzer)
endif()
