// Polynomials through the values of a smooth function at Chebyshev points.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace tumble {

/// k-th of n Chebyshev points, on (0, length).
inline double chebyshev_point(std::size_t k, std::size_t n, double length) {
  const double angle = std::numbers::pi * (static_cast<double>(k) + 0.5) / static_cast<double>(n);
  return 0.5 * length * (1.0 - std::cos(angle));
}

/// Coefficients of T_0, T_1, ... from values at chebyshev_point(0 ... n-1).
inline std::vector<double> chebyshev_coefficients(std::span<const double> values) {
  const std::size_t n = values.size();
  std::vector<double> c(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < n; ++k)
      c[j] += values[k] * std::cos(std::numbers::pi * static_cast<double>(j) *
                                   (static_cast<double>(k) + 0.5) / static_cast<double>(n));
    // Points run from left to right, where cos falls: T_j at the mirrored place.
    c[j] *= (j == 0 ? 1.0 : 2.0) / static_cast<double>(n) * (j % 2 == 0 ? 1.0 : -1.0);
  }
  return c;
}

/// Clenshaw's sum at x in (0, length); beyond, the value at the end.
inline double chebyshev_sum(std::span<const double> c, double x, double length) {
  const double y = std::clamp(2.0 * x / length - 1.0, -1.0, 1.0);
  double b1 = 0, b2 = 0;
  for (std::size_t j = c.size(); j-- > 1;) {
    const double b0 = 2.0 * y * b1 - b2 + c[j];
    b2 = b1;
    b1 = b0;
  }
  return y * b1 - b2 + c[0];
}

}  // namespace tumble
