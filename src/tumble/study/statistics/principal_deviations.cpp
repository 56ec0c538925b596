#include "tumble/study/statistics/principal_deviations.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

/// Components are equal in size if they differ by less, so that rounding does not decide on signs.
constexpr double equal_components = 1e-9;

bool has_nan(const Mat3d& matrix) {
  return std::any_of(matrix.m, matrix.m + 9, [](double x) { return std::isnan(x); });
}

}  // namespace

PrincipalDeviations principal_deviations(const Mat3d& covariance) {
  PrincipalDeviations result;
  if (has_nan(covariance)) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    result.deviations = {nan, nan, nan};
    std::fill(result.directions.m, result.directions.m + 9, nan);
    return result;
  }
  const Eigen::Map<const Eigen::Matrix3d> matrix(covariance.m);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);  // ascending
  for (int k = 0; k < 3; ++k) {
    // Of a vector that moves in a plane the smallest one may be below zero by rounding.
    result.deviations[k] = std::sqrt(std::max(0.0, solver.eigenvalues()[2 - k]));
    const Eigen::Vector3d direction = solver.eigenvectors().col(2 - k);
    const double largest = direction.cwiseAbs().maxCoeff();
    int first = 0;
    while (std::abs(direction[first]) < largest - equal_components) ++first;
    const double sign = direction[first] < 0 ? -1 : 1;
    for (int a = 0; a < 3; ++a) result.directions(k, a) = sign * direction[a];
  }
  return result;
}

}  // namespace tumble
