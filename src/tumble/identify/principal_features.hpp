// Long series of measurements, projected on the few directions in which an ensemble varies most.
#pragma once
#include <span>

#include "tumble/identify/likelihood.hpp"

namespace tumble {

/// Orthonormal directions, the first with the largest variance.
struct PrincipalDirections {
  std::size_t numbers = 0, directions = 0;
  std::vector<double> mean;     ///< [number]
  std::vector<double> vectors;  ///< [direction][number]
  double share = 0;             ///< of the variance that these directions have

  /// Coordinates of `row` along the directions.
  void project(std::span<const double> row, double* coordinates) const;
};

/// Of the columns [first, first + count) of the responses. The noise of a coordinate is that of
/// the numbers, if all of these have the same. The sign of each direction is such that its largest
/// entry is positive.
PrincipalDirections principal_directions(const Responses& responses, std::size_t first,
                                         std::size_t count, std::size_t directions);

}  // namespace tumble
