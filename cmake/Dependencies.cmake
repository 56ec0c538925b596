# Third-party libraries; packages.txt names the Debian packages. What the libraries link is repeated
# in tumbleConfig.cmake.in, for projects that use an installed Tumble.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf hdf5)

find_package(CLI11 REQUIRED)
if(TUMBLE_TESTS)
  find_package(GTest REQUIRED)
endif()
if(TUMBLE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
