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

# The public headers are there, and nothing else is.
include("${SOURCE}/cmake/PublicHeaders.cmake")
file(GLOB_RECURSE installed RELATIVE "${prefix}/include" "${prefix}/include/*")
set(missing ${TUMBLE_PUBLIC_HEADERS})
list(REMOVE_ITEM missing ${installed})
list(REMOVE_ITEM installed ${TUMBLE_PUBLIC_HEADERS})
if(missing OR installed)
  message(FATAL_ERROR "headers not installed: ${missing}; installed, but not public: ${installed}")
endif()
# Nor does whoever uses them need libraries of headers that only Tumble's own sources see.
foreach(file IN LISTS package)
  file(READ "${file}" text)
  if(text MATCHES "Eigen3|nlohmann")
    message(FATAL_ERROR "${file} asks for ${CMAKE_MATCH_0}, which no public header includes")
  endif()
endforeach()
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
check("${WORK}/build/consumer" "${WORK}/study")
