// What results say of functions that another program added to their model: a line for each, a
// digest and behind two spaces `quantity NAME`, `force NAME` or `constraint NAME`.
#pragma once
#include <string_view>

namespace tumble {

/// Whether there are forces or constraints among them. The model in the results does not hold
/// these, and its runs without them are others; a quantity changes no run.
inline bool change_runs(std::string_view added_functions) {
  return added_functions.find("  force ") != std::string_view::npos ||
         added_functions.find("  constraint ") != std::string_view::npos;
}

}  // namespace tumble
