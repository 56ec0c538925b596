// Whether a symmetric 3 x 3 matrix is positive definite, and its determinant if so.
#pragma once
#include <Eigen/Core>
#include <cmath>
#include <optional>

namespace tumble {

/// log det(A) from the pivots of A = L D L^T; nothing if one of them is not positive.
inline std::optional<double> log_det_if_positive(const Eigen::Matrix3d& a) {
  const double d0 = a(0, 0);
  if (!(d0 > 0.0)) return std::nullopt;
  const double l1 = a(1, 0) / d0, l2 = a(2, 0) / d0;
  const double d1 = a(1, 1) - l1 * a(1, 0);
  if (!(d1 > 0.0)) return std::nullopt;
  const double r = a(2, 1) - l2 * a(1, 0);
  const double d2 = a(2, 2) - l2 * a(2, 0) - r * r / d1;
  if (!(d2 > 0.0)) return std::nullopt;
  return std::log(d0) + std::log(d1) + std::log(d2);
}

}  // namespace tumble
