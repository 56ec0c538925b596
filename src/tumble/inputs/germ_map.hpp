// Maps from independent germs to the laws of bodies, as studies use them.
#pragma once
#include <string>

namespace tumble {

/// A law that a study reaches through a map of independent numbers, and how well.
struct GermMap {
  std::string variable;
  double error;  ///< of every probability, at most; see map_error()
};

/// Maps whose probabilities are further off are refused.
inline constexpr double most_germ_map_error = 1e-3;

/// @throws std::invalid_argument with the error measured, if it is more than that.
void require_accurate(const GermMap& map);

/// One line for users.
std::string to_string(const GermMap& map);

}  // namespace tumble
