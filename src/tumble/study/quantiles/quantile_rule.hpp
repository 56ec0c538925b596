// Quantiles of a finite sample by linear interpolation between order statistics.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tumble {

/// Type 7 of Hyndman and Fan, "Sample quantiles in statistical packages", The American
/// Statistician 50 (1996): with x(0) <= ... <= x(n-1) and h = (n - 1) p,
///   Q(p) = x(floor h) + (h - floor h) (x(floor h + 1) - x(floor h)).
struct QuantilePosition {
  QuantilePosition(std::uint64_t n, double p) {
    const double h = static_cast<double>(n - 1) * p;
    lower = std::min(static_cast<std::uint64_t>(h), n - 1);
    upper = std::min(lower + 1, n - 1);
    fraction = h - static_cast<double>(lower);
  }
  double interpolate(double x_lower, double x_upper) const {
    return x_lower + fraction * (x_upper - x_lower);
  }
  std::uint64_t lower, upper;  ///< counted from 0
  double fraction;             ///< in [0, 1)
};

}  // namespace tumble
