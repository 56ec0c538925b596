# Third-party libraries; packages.txt names the Debian packages. What the libraries link is repeated
# in tumbleConfig.cmake.in, for projects that use an installed Tumble.
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(TBB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(NETCDF REQUIRED IMPORTED_TARGET netcdf hdf5)
pkg_check_modules(ISAL REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(NLOPT REQUIRED IMPORTED_TARGET nlopt)
pkg_check_modules(TINYXML2 REQUIRED IMPORTED_TARGET tinyxml2)
# Headers alone, included by sources of the modules `random`, `field` and `identify`; who uses Tumble does not need
# them.
find_path(TUMBLE_RANDOM123_INCLUDE Random123/philox.h REQUIRED)
find_path(TUMBLE_BOOST_INCLUDE boost/math/distributions.hpp REQUIRED)
mark_as_advanced(TUMBLE_RANDOM123_INCLUDE TUMBLE_BOOST_INCLUDE)

find_package(CLI11 REQUIRED)
# Of the program alone, for `tumble serve`.
pkg_check_modules(HTTPLIB REQUIRED IMPORTED_TARGET cpp-httplib)
# Of the program alone, for `tumble fmu`.
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
# Of the program alone, which says so when it is started under mpirun without it. The C interface
# only: not the C++ one, which MPI has given up.
if(TUMBLE_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI COMPONENTS CXX)
endif()
if(TUMBLE_TESTS)
  find_package(GTest REQUIRED)
  pkg_check_modules(URDFDOM REQUIRED IMPORTED_TARGET urdfdom)
endif()
if(TUMBLE_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()
