# The template of the report: one HTML file that viewer/ is built into, and that becomes part of the
# library tumble_report. Needs node 18 or newer and npm, which fetches the viewer's packages; who
# has the file already names it with TUMBLE_REPORT_TEMPLATE and needs neither.
set(TUMBLE_REPORT_TEMPLATE "" CACHE FILEPATH
    "Use this report.html of viewer/ instead of building it with node")

if(TUMBLE_REPORT_TEMPLATE)
  set(template "${TUMBLE_REPORT_TEMPLATE}")
else()
  find_program(TUMBLE_NODE NAMES node nodejs)
  find_program(TUMBLE_NPM npm)
  mark_as_advanced(TUMBLE_NODE TUMBLE_NPM)
  if(NOT TUMBLE_NODE OR NOT TUMBLE_NPM)
    message(FATAL_ERROR "The page of `tumble report` is built with node (18 or newer) and npm, and "
                        "one of them is missing. On Debian: apt-get install nodejs npm")
  endif()
  execute_process(COMMAND "${TUMBLE_NODE}" --version OUTPUT_VARIABLE version
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "v" "" version "${version}")
  if(version VERSION_LESS 18)
    message(FATAL_ERROR "The page of `tumble report` needs node 18 or newer, ${TUMBLE_NODE} is "
                        "${version}")
  endif()

  # Built from a copy, so that the source tree stays as it is.
  set(viewer "${PROJECT_SOURCE_DIR}/viewer")
  set(work "${PROJECT_BINARY_DIR}/viewer")
  set(template "${work}/dist/report.html")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${viewer}/src/*")
  set(packages "${viewer}/package.json" "${viewer}/package-lock.json" "${viewer}/.npmrc")
  set(settings "${viewer}/build.mjs" "${viewer}/tsconfig.json")
  add_custom_command(
    OUTPUT "${work}/packages.stamp"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${work}"
    COMMAND "${CMAKE_COMMAND}" -E copy ${packages} "${work}"
    COMMAND "${CMAKE_COMMAND}" -E chdir "${work}" "${TUMBLE_NPM}" ci --prefer-offline --no-audit
            --no-fund --loglevel=error
    COMMAND "${CMAKE_COMMAND}" -E touch "${work}/packages.stamp"
    DEPENDS ${packages}
    COMMENT "Fetching the packages of the report's page"
    VERBATIM)
  add_custom_command(
    OUTPUT "${template}"
    COMMAND "${CMAKE_COMMAND}" -E copy ${settings} "${work}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${work}/src"
    COMMAND "${CMAKE_COMMAND}" -E copy_directory "${viewer}/src" "${work}/src"
    COMMAND "${CMAKE_COMMAND}" -E chdir "${work}" "${TUMBLE_NPM}" run --silent build
    DEPENDS "${work}/packages.stamp" ${sources} ${settings}
    COMMENT "Building the report's page"
    VERBATIM)
  # A target of its own, so that it does not wait for the libraries that tumble_report links.
  add_custom_target(tumble_viewer DEPENDS "${template}")
  add_dependencies(tumble_report tumble_viewer)
endif()

set(embedding "${PROJECT_BINARY_DIR}/report_template.cpp")
configure_file("${PROJECT_SOURCE_DIR}/cmake/report_template.cpp.in" "${embedding}" @ONLY)
set_source_files_properties("${embedding}" PROPERTIES OBJECT_DEPENDS "${template}")
target_sources(tumble_report PRIVATE "${embedding}")
