# Installs Tumble into a fresh prefix, moves that prefix, and builds the project beside this file
# against it: what a user of the package meets. Run by ctest as house.find_package.

function(check)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}")
check("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/installed-here")
file(RENAME "${WORK}/installed-here" "${WORK}/moved-there")
set(prefix "${WORK}/moved-there")

# Nothing in the package may point back into the source or build tree.
file(GLOB_RECURSE package "${prefix}/*/cmake/tumble/*.cmake")
if(NOT package)
  message(FATAL_ERROR "no package configuration under ${prefix}")
endif()
foreach(file IN LISTS package)
  file(READ "${file}" text)
  foreach(tree IN ITEMS "${SOURCE}/src" "${BUILD}/" "installed-here")
    string(FIND "${text}" "${tree}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${file} refers to ${tree}")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE stray "${prefix}/include/*/test/*")
if(stray)
  message(FATAL_ERROR "test headers were installed: ${stray}")
endif()
if(EXISTS "${SOURCE}/share/model.schema.json"
   AND NOT EXISTS "${prefix}/share/tumble/model.schema.json")
  message(FATAL_ERROR "the schema of the model file was not installed")
endif()
if(EXISTS "${SOURCE}/apps/tumble/main.cpp")
  check("${prefix}/bin/tumble" --version)
endif()

check("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${WORK}/build"
      "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
check("${CMAKE_COMMAND}" --build "${WORK}/build")
check("${WORK}/build/consumer")
