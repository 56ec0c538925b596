// Random tensors of inertia for tests, and what their draws are compared by.
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>
#include <vector>

#include "tumble/random/inertia/eigen_matrix.hpp"
#include "tumble/random/inertia/inertia_law.hpp"
#include "tumble/random/inertia/positive_definite.hpp"

namespace tumble::samples {

inline Mat3<double> diagonal(double a, double b, double c) { return {{a, 0, 0, 0, b, 0, 0, 0, c}}; }

inline BoundedInertia case2() {
  return {3000, diagonal(1200, 5000, 6000), diagonal(9.61, 1.0, 0.0625), InertiaExponents{-5, -5}};
}

inline BoundedInertia turned(double lambda_l, double lambda_u) {
  const Mat3<double> moments{{0.8, 0.2, -0.1, 0.2, 0.5, 0.15, -0.1, 0.15, 0.3}};
  const Mat3<double> bound{{2.0, -0.3, 0.2, -0.3, 1.5, 0.4, 0.2, 0.4, 1.9}};
  return {12, inertia_from_moments(12, moments), bound, InertiaExponents{lambda_l, lambda_u}};
}

// P(|Z| > 4.892) = 1e-6.
inline constexpr double normal_limit = 4.892;
// The Kolmogorov-Smirnov distance of n values exceeds 2.694/sqrt(n) with probability 1e-6 at most.
inline constexpr double ks_limit = 2.694;

struct MeanAndError {
  explicit MeanAndError(const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    for (const double value : values) mean += value / n;
    for (const double value : values) error += (value - mean) * (value - mean);
    error = std::sqrt(error / (n * (n - 1)));
  }
  double mean = 0.0, error = 0.0;
};

template <class Distribution>
double ks_distance(std::vector<double> values, const Distribution& distribution) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double p = boost::math::cdf(distribution, values[i]);
    distance =
        std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return distance;
}

struct Weighted {
  double value, weight;
};

/// Between two weighted samples.
inline double ks_distance(std::vector<Weighted> a, std::vector<Weighted> b) {
  const auto prepare = [](std::vector<Weighted>& s) {
    std::sort(s.begin(), s.end(), [](auto& l, auto& r) { return l.value < r.value; });
    double sum = 0.0;
    for (const Weighted& w : s) sum += w.weight;
    for (Weighted& w : s) w.weight /= sum;
  };
  prepare(a), prepare(b);
  double difference = 0.0, distance = 0.0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].value < b[j].value)
      difference += a[i++].weight;
    else
      difference -= b[j++].weight;
    distance = std::max(distance, std::abs(difference));
  }
  return distance;
}

inline double trace(const Mat3<double>& g) { return g(0, 0) + g(1, 1) + g(2, 2); }
inline double determinant(const Mat3<double>& g) { return to_eigen(g).determinant(); }

inline std::vector<Mat3<double>> exact_draws(const InertiaLaw& law, std::size_t count,
                                             std::uint64_t seed) {
  std::vector<Mat3<double>> draws;
  for (std::size_t r = 0; r < count; ++r) {
    Draws stream(Stream(seed, r, 5));
    draws.push_back(law.draw_normalized(stream));
  }
  return draws;
}

inline void expect_admissible(const InertiaLaw& law, const std::vector<Mat3<double>>& draws) {
  for (const Mat3<double>& g : draws) {
    ASSERT_TRUE(log_det_if_positive(to_eigen(g)));
    if (law.report().bound) {
      ASSERT_TRUE(log_det_if_positive(to_eigen(*law.report().bound - g)));
    }
    const Eigen::Vector3d principal = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                                          to_eigen(law.inertia_of(2500, g)), Eigen::EigenvaluesOnly)
                                          .eigenvalues();
    ASSERT_GT(principal[0], 0.0);
    ASSERT_LT(principal[2], principal[0] + principal[1]);
  }
}

inline void expect_moments(const InertiaLaw& law, const std::vector<Mat3<double>>& draws) {
  const auto check = [&](auto&& f, double expected, double limit) {
    std::vector<double> values;
    for (const Mat3<double>& g : draws) values.push_back(f(g));
    const MeanAndError result(values);
    EXPECT_LT(std::abs(result.mean - expected), limit * result.error)
        << result.mean << " instead of " << expected;
  };
  // Within 4 standard errors: exceeded by one of six entries in 4e-4 of all choices of a seed.
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      check([&](const Mat3<double>& g) { return g(i, j); }, i == j ? 1.0 : 0.0, 4.0);
  check(
      [](const Mat3<double>& g) {
        return (to_eigen(g) - Eigen::Matrix3d::Identity()).squaredNorm() / 3;
      },
      law.report().dispersion * law.report().dispersion, normal_limit);
  check([](const Mat3<double>& g) { return std::log(determinant(g)); }, law.report().mean_log_det,
        normal_limit);
}

}  // namespace tumble::samples
