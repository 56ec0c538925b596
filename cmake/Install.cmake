# Headers, libraries, the program, the schema of the model file, and the package configuration that
# makes find_package(tumble) work from another project (tested by tests/install).
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tumble")

install(
  DIRECTORY src/tumble
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "test" EXCLUDE)

list(TRANSFORM TUMBLE_MODULES PREPEND tumble_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} tumble_umbrella EXPORT tumbleTargets)
install(EXPORT tumbleTargets NAMESPACE tumble:: DESTINATION "${package_dir}")

if(TARGET tumble)
  install(TARGETS tumble)
endif()
# OPTIONAL: looked for when installing, so the file may appear after configuring.
install(FILES share/model.schema.json DESTINATION "${CMAKE_INSTALL_DATADIR}/tumble" OPTIONAL)

configure_package_config_file(
  cmake/tumbleConfig.cmake.in "${PROJECT_BINARY_DIR}/tumbleConfig.cmake"
  INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tumbleConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tumbleConfig.cmake"
              "${PROJECT_BINARY_DIR}/tumbleConfigVersion.cmake" DESTINATION "${package_dir}")
