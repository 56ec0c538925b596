# Public headers, libraries, the program, the schema of the model file, and the package configuration that
# makes find_package(tumble) work from another project (tested by tests/install).
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tumble")

include("${CMAKE_CURRENT_LIST_DIR}/PublicHeaders.cmake")
foreach(header IN LISTS TUMBLE_PUBLIC_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "src/${header}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()

list(TRANSFORM TUMBLE_MODULES PREPEND tumble_ OUTPUT_VARIABLE libraries)
install(TARGETS ${libraries} tumble_umbrella EXPORT tumbleTargets)
install(EXPORT tumbleTargets NAMESPACE tumble:: DESTINATION "${package_dir}")

if(TARGET tumble)
  install(TARGETS tumble)
endif()
# Where the program looks for it, whatever the folder of libraries is called.
install(TARGETS tumble_fmu_binary LIBRARY DESTINATION lib/tumble)
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
