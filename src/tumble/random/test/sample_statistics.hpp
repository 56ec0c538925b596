// What draws are compared by. Limits are for a false-alarm rate of 1e-6 over the choice of a seed,
// where nothing else is said; seeds are fixed, so a test that passes always does.
#pragma once
#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

#include "tumble/random/domain/domain.hpp"

namespace tumble::samples {

/// Pearson's sum over cells with the probabilities given.
inline double chi_square(const std::vector<double>& counts,
                         const std::vector<double>& probabilities, double draws) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double expected = draws * probabilities[i];
    sum += (counts[i] - expected) * (counts[i] - expected) / expected;
  }
  return sum;
}

/// What chi-square of this many cells exceeds with probability 1e-6.
inline double chi_square_limit(std::size_t cells) {
  const boost::math::chi_squared law(static_cast<double>(cells - 1));
  return boost::math::quantile(boost::math::complement(law, 1e-6));
}

/// Chi-square on n x n x n cells of points that should be uniform in the unit cube.
inline double cube_chi_square(const std::vector<Vec3d>& points, std::size_t n) {
  std::vector<double> counts(n * n * n);
  const auto cell = [n](double u) {
    return std::min(static_cast<std::size_t>(u * static_cast<double>(n)), n - 1);
  };
  for (const Vec3d& p : points) ++counts[(cell(p.x) * n + cell(p.y)) * n + cell(p.z)];
  return chi_square(counts,
                    std::vector<double>(counts.size(), 1.0 / static_cast<double>(counts.size())),
                    static_cast<double>(points.size()));
}

/// sqrt(n) times the Kolmogorov-Smirnov distance of numbers that should be uniform on (0, 1);
/// exceeds 2.69 with probability 2 exp(-2 * 2.69^2) = 1e-6.
inline double kolmogorov(std::vector<double> u) {
  std::sort(u.begin(), u.end());
  const auto n = static_cast<double>(u.size());
  double largest = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto k = static_cast<double>(i);
    largest = std::max({largest, (k + 1) / n - u[i], u[i] - k / n});
  }
  return std::sqrt(n) * largest;
}
inline constexpr double kKolmogorovLimit = 2.69;

inline Vec3d mean_of(const std::vector<Vec3d>& points) {
  Vec3d sum;
  for (const Vec3d& p : points) sum += p;
  return (1.0 / static_cast<double>(points.size())) * sum;
}

}  // namespace tumble::samples
