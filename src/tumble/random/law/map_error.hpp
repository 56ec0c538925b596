// How far the law of a map of independent numbers is from the law it stands for.
#pragma once
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <cstddef>

namespace tumble {

/// Points of a Kronecker sequence, u_k = frac(1/2 + n alpha_k) with alpha_k = r^-(k+1) and r the
/// root of r^(d+1) = r + 1: evenly spread and the same everywhere.
template <std::size_t d>
std::array<double, d> even_point(std::size_t n) {
  double r = 1.5;
  for (int i = 0; i < 60; ++i) r = std::pow(1.0 + r, 1.0 / (static_cast<double>(d) + 1.0));
  std::array<double, d> u{};
  double alpha = 1.0;
  for (double& x : u) {
    alpha /= r;
    x = std::fmod(0.5 + static_cast<double>(n + 1) * alpha, 1.0);
  }
  return u;
}

/// The total variation distance between the law of y(u), u uniform in the unit cube, and the law
/// of density p: the law of the map has the density q = 1 / |dy/du|, and
///
///   sup_A |P(A) - Q(A)| = 1/2 integral |p - q| dy = 1/2 E{|1 - p(y(u)) |dy/du||}.
///
/// It bounds the error of every probability: of each coordinate, of each pair and of all together.
/// The mean is taken over `points` even points, the derivatives are central differences over
/// `step` of the distance from an end of (0, 1): short ones where the map has kinks or jumps, so
/// that none lies between, longer ones where it has errors of rounding.
/// `map(u)` returns an array of d numbers, `log_density(y)` the logarithm of p.
template <std::size_t d, class Map, class LogDensity>
double map_error(const Map& map, const LogDensity& log_density, std::size_t points, double step) {
  double sum = 0;
  for (std::size_t n = 0; n < points; ++n) {
    const std::array<double, d> u = even_point<d>(n);
    Eigen::Matrix<double, static_cast<int>(d), static_cast<int>(d)> derivative;
    for (std::size_t k = 0; k < d; ++k) {
      // Quantile functions bend at the ends of (0, 1): steps shrink with the distance from there.
      const double change = step * u[k] * (1.0 - u[k]);
      std::array<double, d> above = u, below = u;
      above[k] += change, below[k] -= change;
      const std::array<double, d> y_above = map(above), y_below = map(below);
      for (std::size_t i = 0; i < d; ++i)
        derivative(static_cast<int>(i), static_cast<int>(k)) =
            (y_above[i] - y_below[i]) / (above[k] - below[k]);
    }
    const double ratio = std::exp(log_density(map(u))) * std::abs(derivative.determinant());
    sum += std::isfinite(ratio) ? std::abs(1.0 - ratio) : 1.0;
  }
  return 0.5 * sum / static_cast<double>(points);
}

}  // namespace tumble
