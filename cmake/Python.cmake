# The Python package: build/<preset>/python/tumble, to be used with PYTHONPATH, and what `pip install .`
# and the Debian package install. Left out where pybind11 is not installed.

# The system's Python by its path: it has the Debian packages of packages.txt, and another python3
# earlier in PATH would not.
set(TUMBLE_PYTHON /usr/bin/python3 CACHE FILEPATH "Python of the package and of tests/python")
set(Python_EXECUTABLE "${TUMBLE_PYTHON}")
set(PYBIND11_FINDPYTHON ON)
find_package(Python COMPONENTS Interpreter Development.Module QUIET)
find_package(pybind11 QUIET)
if(NOT TUMBLE_PYTHON_PACKAGE OR NOT pybind11_FOUND OR TUMBLE_SANITIZE)
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/native/*.cpp")
pybind11_add_module(tumble_python MODULE EXCLUDE_FROM_ALL NO_EXTRAS ${sources})
tumble_compile_lightly(tumble_python)
target_link_libraries(tumble_python PRIVATE tumble::tumble fmt::fmt)
set(package "${PROJECT_BINARY_DIR}/python/tumble")
set_target_properties(tumble_python PROPERTIES OUTPUT_NAME _native LIBRARY_OUTPUT_DIRECTORY "${package}")

# Links, so that a change of the sources needs no build.
file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/python/tumble/*.py*" "${PROJECT_SOURCE_DIR}/python/tumble/py.typed")
file(MAKE_DIRECTORY "${package}")
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME name)
  file(CREATE_LINK "${file}" "${package}/${name}" SYMBOLIC)
endforeach()
