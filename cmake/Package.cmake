# A Debian package of everything: cmake --build build/release --target deb makes build/release/tumble_<version>_amd64.deb.
#
# With program, libraries, public headers, Python module, schema, examples, man pages and completions. The version is
# that of project(). What the program and the module link is found by dpkg-shlibdeps; what headers and the module need
# beside it is named here.
set(TUMBLE_SHARE "${PROJECT_BINARY_DIR}/share")
if(TARGET tumble)
  add_custom_target(
    shell_files
    COMMAND "${CMAKE_COMMAND}" -E env "TUMBLE=$<TARGET_FILE:tumble>" "${TUMBLE_PYTHON}"
            "${PROJECT_SOURCE_DIR}/scripts/shell_files" "${TUMBLE_SHARE}"
    COMMENT "Man pages and completions"
    VERBATIM)
  add_dependencies(shell_files tumble)
  install(DIRECTORY "${TUMBLE_SHARE}/" DESTINATION "${CMAKE_INSTALL_DATADIR}" OPTIONAL)
endif()
install(DIRECTORY examples DESTINATION "${CMAKE_INSTALL_DATADIR}/tumble" PATTERN "notebooks" EXCLUDE)
install(DIRECTORY examples/notebooks DESTINATION "${CMAKE_INSTALL_DATADIR}/tumble/examples")
if(TARGET tumble_python)
  # Where Debian's Python looks; under another prefix PYTHONPATH says so.
  set(TUMBLE_PYTHON_DIR "lib/python3/dist-packages" CACHE STRING "Where the Python package is installed")
  install(TARGETS tumble_python LIBRARY DESTINATION "${TUMBLE_PYTHON_DIR}/tumble" OPTIONAL)
  install(DIRECTORY python/tumble/ DESTINATION "${TUMBLE_PYTHON_DIR}/tumble"
          PATTERN "__pycache__" EXCLUDE)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the Tumble project")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.9), python3-numpy, python3-xarray, python3-netcdf4")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "g++, cmake, pkg-config, libfmt-dev, libyaml-cpp-dev, libnetcdf-dev, libhdf5-dev, libtbb-dev, libisal-dev, libnlopt-dev, libtinyxml2-dev, nlohmann-json3-dev, libeigen3-dev")
include(CPack)
if(TARGET tumble AND TARGET tumble_python)
  add_custom_target(
    deb
    COMMAND "${CMAKE_CPACK_COMMAND}" -G DEB
    WORKING_DIRECTORY "${PROJECT_BINARY_DIR}"
    COMMENT "Debian package"
    VERBATIM)
  add_dependencies(deb tumble tumble_python shell_files)
endif()
