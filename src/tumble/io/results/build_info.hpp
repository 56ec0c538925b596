// Which build of the program this is: equal bits are promised for equal builds.
#pragma once
#include <string>

namespace tumble {

struct BuildInfo {
  std::string revision;  ///< of the source, as `git describe` calls it; "unknown" without git
  std::string compiler;  ///< and its version
  std::string flags;     ///< but for warnings
};

const BuildInfo& build_info();

}  // namespace tumble
