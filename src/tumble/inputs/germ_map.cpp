#include "tumble/inputs/germ_map.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tumble {

void require_accurate(const GermMap& map) {
  if (map.error <= most_germ_map_error) return;
  throw std::invalid_argument(fmt::format(
      "{} has no good enough map of independent random numbers: its probabilities would "
      "be off by up to {:.2g}, and {:g} is allowed; use method monte-carlo, whose draws "
      "are exact",
      map.variable, map.error, most_germ_map_error));
}

std::string to_string(const GermMap& map) {
  return fmt::format("{}: a map of independent random numbers, probabilities off by at most {:.1e}",
                     map.variable, map.error);
}

}  // namespace tumble
