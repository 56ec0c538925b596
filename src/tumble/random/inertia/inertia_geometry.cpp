#include "tumble/random/inertia/inertia_geometry.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "tumble/random/inertia/eigen_matrix.hpp"

namespace tumble {
namespace {

void require_symmetric(std::string_view name, const Mat3<double>& a) {
  double largest = 0.0;
  for (const double entry : a.m) {
    if (!std::isfinite(entry))
      throw std::invalid_argument(
          fmt::format("{} has an entry {}: expected finite numbers", name, entry));
    largest = std::max(largest, std::abs(entry));
  }
  for (int i = 0; i < 3; ++i)
    for (int j = i + 1; j < 3; ++j)
      if (std::abs(a(i, j) - a(j, i)) > 1e-12 * largest)
        throw std::invalid_argument(
            fmt::format("{} is not symmetric: its entries ({},{}) and ({},{}) are {} and {}", name,
                        i + 1, j + 1, j + 1, i + 1, a(i, j), a(j, i)));
}

Eigen::Vector3d eigenvalues(const Eigen::Matrix3d& a) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(a, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace

Mat3<double> moments_from_inertia(double mass, const Mat3<double>& inertia) {
  const double half_trace = 0.5 * (inertia(0, 0) + inertia(1, 1) + inertia(2, 2));
  return (1.0 / mass) * (half_trace * Mat3<double>::identity() - inertia);
}

Mat3<double> inertia_from_moments(double mass, const Mat3<double>& moments) {
  const double trace = moments(0, 0) + moments(1, 1) + moments(2, 2);
  return mass * (trace * Mat3<double>::identity() - moments);
}

InertiaScale::InertiaScale(double mass, const Mat3<double>& inertia) {
  if (!(mass > 0.0) || !std::isfinite(mass))
    throw std::invalid_argument(fmt::format("the mass = {} kg must be positive", mass));
  require_symmetric("the tensor of inertia", inertia);
  const Eigen::Vector3d principal = eigenvalues(to_eigen(inertia));
  // A flat body has equality and no inverse of Z_0; rounding must not make a body of it.
  if (!(principal[0] > 0.0) || !(principal[0] + principal[1] - principal[2] > 1e-12 * principal[2]))
    throw std::invalid_argument(fmt::format(
        "the tensor of inertia has the principal moments {:.6g}, {:.6g} and {:.6g} kg m^2: the "
        "largest must be below the sum of the others, {:.6g}, because a body with extent in all "
        "three directions has no others",
        principal[0], principal[1], principal[2], principal[0] + principal[1]));
  moments_ = moments_from_inertia(mass, inertia);
  factor_ = from_eigen(to_eigen(moments_).llt().matrixU());
}

Mat3<double> InertiaScale::moments_of(const Mat3<double>& normalized) const {
  const Eigen::Matrix3d l = to_eigen(factor_);
  return from_eigen(symmetric_part(l.transpose() * to_eigen(normalized) * l));
}

Mat3<double> InertiaScale::normalized_from(const Mat3<double>& moments) const {
  const Eigen::Matrix3d inverse =
      to_eigen(factor_).triangularView<Eigen::Upper>().solve(Eigen::Matrix3d::Identity());
  return from_eigen(symmetric_part(inverse.transpose() * to_eigen(moments) * inverse));
}

Mat3<double> InertiaScale::normalized_bound(const Mat3<double>& moment_bound) const {
  require_symmetric("the bound Zmax", moment_bound);
  const double smallest = eigenvalues(to_eigen(moment_bound - moments_))[0];
  if (!(smallest > 0.0))
    throw std::invalid_argument(fmt::format(
        "the bound Zmax must exceed the nominal Z = (tr(J)/2 I - J)/m, diagonal ({:.6g}, {:.6g}, "
        "{:.6g}) m^2, because it is the mean of the random Z: the smallest eigenvalue of Zmax - Z "
        "is {:.6g} m^2, expected above 0",
        moments_(0, 0), moments_(1, 1), moments_(2, 2), smallest));
  return normalized_from(moment_bound);
}

}  // namespace tumble
