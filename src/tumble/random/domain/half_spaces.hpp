// Corners of an intersection of half-spaces.
#pragma once
#include <vector>

#include "tumble/random/domain/domain.hpp"

namespace tumble {

/// All x with <normal, x> <= offset; the normal may have any length.
struct HalfSpace {
  Vec3d normal;
  double offset = 0;
};

/// The corners, each once. The time grows as the third power of the number of half-spaces.
/// @throws std::invalid_argument if a normal is zero, or the intersection is empty or without
/// bounds.
std::vector<Vec3d> corners_of(const std::vector<HalfSpace>& half_spaces);

}  // namespace tumble
