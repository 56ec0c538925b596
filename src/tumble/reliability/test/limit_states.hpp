// Limit states whose probability is known from closed forms or quadrature.
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "tumble/random/law/normal_score.hpp"
#include "tumble/reliability/limit_state.hpp"

namespace tumble {

struct KnownProblem {
  const char* name;
  std::size_t dimension;
  double probability;
  double (*g)(std::span<const double>);
};

inline LimitState limit_state(const std::function<double(std::span<const double>)>& g) {
  return [g](const GermPoints& points) {
    std::vector<LimitValue> values;
    for (std::size_t i = 0; i < points.size(); ++i) values.push_back({g(points.row(i))});
    return values;
  };
}

/// The plane at the distance beta = 4.26489 of ten germs, p = 1e-5.
inline double plane(std::span<const double> x) {
  double sum = 0;
  for (const double xi : x) sum += xi;
  return 4.264890793922825 - sum / std::sqrt(static_cast<double>(x.size()));
}

inline double four_branches(std::span<const double> x) {
  const double d = x[0] - x[1], s = (x[0] + x[1]) / std::numbers::sqrt2;
  return std::min({3 + 0.1 * d * d + s, 3 + 0.1 * d * d - s, d + 7 / std::numbers::sqrt2,
                   -d + 7 / std::numbers::sqrt2});
}

inline const std::array<KnownProblem, 7>& known_problems() {
  using std::numbers::sqrt2;
  static const std::array<KnownProblem, 7> all{{
      {"RP22", 2, 4.20730551e-3,
       [](std::span<const double> x) {
         const double d = x[0] - x[1];
         return 2.5 - (x[0] + x[1]) / sqrt2 + 0.1 * d * d;
       }},
      {"RP25", 2, 4.14856629e-5,
       [](std::span<const double> x) {
         return std::max(x[0] * x[0] - 8 * x[1] + 16, -16 * x[0] + x[1] + 32);
       }},
      {"RP31", 2, 3.22668121e-3,
       [](std::span<const double> x) { return 2 - x[1] + 256 * x[0] * x[0] * x[0] * x[0]; }},
      {"RP55", 2, 0.560014428,
       [](std::span<const double> z) {  // of uniform numbers on (-1, 1)
         const double d = 2 * (standard_normal_cdf(z[0]) - standard_normal_cdf(z[1]));
         const double quartic = 0.2 + 0.6 * d * d * d * d;
         return std::min(
             {quartic + d / sqrt2, quartic - d / sqrt2, d + 5 / sqrt2 - 2.2, -d + 5 / sqrt2 - 2.2});
       }},
      {"four branches", 2, 2.22279506619e-3, four_branches},
      {"R - S", 2, 0.0786496035, [](std::span<const double> x) { return 4 + x[0] - (2 + x[1]); }},
      {"plane of 10", 10, 1e-5, plane},
  }};
  return all;
}

/// x'' + 2 z w x' + w^2 x = W(t) from rest, w = 2 pi, z = 0.05, stationary variance 1, by exact
/// transitions, 100 in a period of 1 s: two germs each. g = 3 - max |x(t)| over 10 s.
class NoisyOscillator {
 public:
  static constexpr std::size_t steps = 1000, germs = 2 * steps;
  static constexpr double probability = 0.0783;  ///< +- 0.0003

  NoisyOscillator() {
    const double w = 2 * std::numbers::pi, z = 0.05, dt = 0.01;
    const double wd = w * std::sqrt(1 - z * z), e = std::exp(-z * w * dt);
    const double c = std::cos(wd * dt), s = std::sin(wd * dt);
    a_ = {e * (c + z * w / wd * s), e * s / wd, -e * w * w / wd * s, e * (c - z * w / wd * s)};
    // Q = P - A P A^T with P = diag(1, w^2), and its Cholesky factor.
    const double q11 = 1 - a_[0] * a_[0] - a_[1] * a_[1] * w * w;
    const double q12 = -a_[0] * a_[2] - a_[1] * a_[3] * w * w;
    const double q22 = w * w - a_[2] * a_[2] - a_[3] * a_[3] * w * w;
    l_ = {std::sqrt(q11), q12 / std::sqrt(q11), std::sqrt(q22 - q12 * q12 / q11)};
  }

  LimitState limit_state() const {
    return [this](const GermPoints& points) {
      std::vector<LimitValue> values;
      for (std::size_t i = 0; i < points.size(); ++i) values.push_back({g(points.row(i))});
      return values;
    };
  }

 private:
  double g(std::span<const double> u) const {
    double x = 0, v = 0, peak = 0;
    for (std::size_t k = 0; k < steps; ++k) {
      const double next = a_[0] * x + a_[1] * v + l_[0] * u[2 * k];
      v = a_[2] * x + a_[3] * v + l_[1] * u[2 * k] + l_[2] * u[2 * k + 1];
      x = next;
      peak = std::max(peak, std::abs(x));
    }
    return 3 - peak;
  }
  std::array<double, 4> a_{};
  std::array<double, 3> l_{};
};

}  // namespace tumble
