# Most of the time of a build goes into the same headers again and again: compiling ten sources of a
# module together takes a fifth of it. The preset `debug` compiles each by itself, which shows that
# every source includes what it uses.
#
# Names in anonymous namespaces of two sources may be the same, and then these two cannot be compiled
# together. Nor can a source whose names hide some that another has from headers of tests. So each
# source is put into the first group with which it gets on. What stands at the
# beginning of a line is taken for a definition; clang-format indents everything else. Groups are made
# when cmake configures: if a new name is said to be defined twice, let it configure again.

set(TUMBLE_SOURCES_TOGETHER 10)  # in a group, at most

# tumble_names_of(<source> <variable>): names that the source defines or declares for itself.
function(tumble_names_of source variable)
  file(STRINGS "${source}" lines REGEX "^([A-Za-z_]|#define |\\[\\[)")
  set(names)
  foreach(line IN LISTS lines)
    # Members and names of other namespaces are nobody else's: of Journal::write() and std::numeric_limits
    # only what stands before the colons counts.
    string(REGEX REPLACE "::[A-Za-z0-9_~]+" "" line "${line}")
    if(line MATCHES "^TEST[A-Z_]*\\(([A-Za-z0-9_]+), *([A-Za-z0-9_]+)")
      list(APPEND names "${CMAKE_MATCH_1}_${CMAKE_MATCH_2}")
    elseif(line MATCHES "^(namespace|using namespace|using [^=]*$|template|extern|static_assert)")
      continue()
    elseif(line MATCHES "^(struct|class|enum class|enum|union|using|#define) ([A-Za-z0-9_]+)")
      list(APPEND names "${CMAKE_MATCH_2}")
    elseif(line MATCHES "^(const|constexpr|inline) ")  # perhaps several, each with its value
      string(REGEX MATCHALL "[A-Za-z0-9_]+( =|[({[])" found "${line}")
      string(REGEX REPLACE "[ =({[]" "" found "${found}")
      list(APPEND names ${found})
    elseif(line MATCHES "([A-Za-z0-9_]+) *[({=;[]")
      list(APPEND names "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES names)
  set(${variable} "${names}" PARENT_SCOPE)
endfunction()

# tumble_names_from_tests(<source> <variable>): names in the headers of tests that it includes.
function(tumble_names_from_tests source variable)
  file(STRINGS "${source}" lines REGEX "^#include \"")
  cmake_path(GET source PARENT_PATH folder)
  set(all)
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" header "${line}")
    foreach(place IN ITEMS "${folder}/${header}" "${PROJECT_SOURCE_DIR}/src/${header}")
      if(EXISTS "${place}" AND place MATCHES "/test/|/validation/")
        tumble_names_of("${place}" names)
        tumble_names_from_tests("${place}" deeper)
        list(APPEND all ${names} ${deeper})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES all)
  set(${variable} "${all}" PARENT_SCOPE)
endfunction()

# tumble_compile_together(<target>): its sources, several at a time.
function(tumble_compile_together target)
  if(NOT TUMBLE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  set(groups 0)
  foreach(source IN LISTS sources)
    # Templates' definitions are long enough, and their names meant for one source.
    file(STRINGS "${source}" definitions REGEX "^#include .*(_impl|lane_runner)\\.hpp")
    if(definitions OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    if(source MATCHES "/probe_recorder\\.cpp$")  # its header defines names that others have too
      continue()
    endif()
    if(source MATCHES "/build_info\\.cpp$")  # compiled again after every commit
      continue()
    endif()
    # Who reads machines alone, as an FMU does, links neither studies nor netCDF: the sources that read them
    # are in no object with others.
    set(kind plain)
    if(source MATCHES "/io/(netcdf|results|table/results_table)")
      set(kind results)
    elseif(source MATCHES "/io/(text/|model_reader|table/csv_table|model/(entry_reader|override|referenced_file|read_(context|expression|forms|modal|table|values))\\.)")
      set(kind machine)
    elseif(source MATCHES "/base/crc64")  # nor ISA-L
      set(kind checksums)
    endif()
    tumble_names_of("${source}" names)
    tumble_names_from_tests("${source}" borrowed)
    set(group 0)
    while(group LESS groups)
      set(fits TRUE)
      foreach(name IN LISTS names)
        if(name IN_LIST names_${group} OR name IN_LIST borrowed_${group})
          set(fits FALSE)
          break()
        endif()
      endforeach()
      foreach(name IN LISTS borrowed)
        if(name IN_LIST names_${group})
          set(fits FALSE)
          break()
        endif()
      endforeach()
      if(fits AND kind_${group} STREQUAL kind AND size_${group} LESS TUMBLE_SOURCES_TOGETHER)
        break()
      endif()
      math(EXPR group "${group} + 1")
    endwhile()
    if(group EQUAL groups)
      math(EXPR groups "${groups} + 1")
      set(size_${group} 0)
      set(kind_${group} ${kind})
    endif()
    list(APPEND names_${group} ${names})
    list(APPEND borrowed_${group} ${borrowed})
    math(EXPR size_${group} "${size_${group}} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${target}_${group}")
  endforeach()
endfunction()
