#include "tumble/io/results/build_info.hpp"

#include "tumble_build_info.hpp"  // made by cmake/BuildInfo.cmake; nothing else includes it

namespace tumble {

const BuildInfo& build_info() {
  static const BuildInfo info{TUMBLE_SOURCE_REVISION, TUMBLE_COMPILER, TUMBLE_COMPILER_FLAGS};
  return info;
}

}  // namespace tumble
