# cmake -Dgit= -Dsource= -Dcompiler= -Dflags= -Doutput= -P write_build_info.cmake
#
# A source tree without a repository of its own, an unpacked archive for example, has the revision
# "unknown", also where it lies inside somebody else's repository.
set(revision unknown)
if(git)
  # Nobody who commits meanwhile has to wait for us.
  execute_process(COMMAND "${git}" --no-optional-locks rev-parse --show-prefix
                  WORKING_DIRECTORY "${source}" OUTPUT_VARIABLE prefix RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed AND prefix STREQUAL "")
    execute_process(COMMAND "${git}" --no-optional-locks describe --always --dirty --abbrev=12
                    WORKING_DIRECTORY "${source}" OUTPUT_VARIABLE found RESULT_VARIABLE failed
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(NOT failed AND found)
      set(revision "${found}")
    endif()
  endif()
endif()

foreach(text IN ITEMS revision compiler flags)
  string(REPLACE "\\" "\\\\" ${text} "${${text}}")
  string(REPLACE "\"" "\\\"" ${text} "${${text}}")
endforeach()
# Written only if it changes.
file(CONFIGURE OUTPUT "${output}" @ONLY CONTENT [[
#pragma once
#define TUMBLE_SOURCE_REVISION "@revision@"
#define TUMBLE_COMPILER "@compiler@"
#define TUMBLE_COMPILER_FLAGS "@flags@"
]])
