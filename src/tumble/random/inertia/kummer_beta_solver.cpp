#include "tumble/random/inertia/kummer_beta_solver.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "tumble/random/inertia/eigen_matrix.hpp"

namespace tumble {
namespace {

// Steps of the integration, in standard deviations. On case 2 of Batou and Soize the coarse one is
// right to 1e-11 and the fine one to rounding errors; with powers b near 1 they lose some digits.
constexpr double coarse = 0.7, fine = 0.55;

/// Where a Beta density of the exponents a, b (instead of a - 2, b - 2: the mean is asked for, not
/// the mode) has its mode at the mean: a/m - b/(1-m) - x = 0. A few per cent off.
Vec3<double> first_guess(double a, double b, const Vec3<double>& mean) {
  Vec3<double> x;
  for (int i = 0; i < 3; ++i) x[i] = a / mean[i] - b / (1.0 - mean[i]);
  return x;
}

double dual(const MatrixKummerBeta& moments, const Vec3<double>& x, const Vec3<double>& mean) {
  return moments.log_partition + dot(x, mean);
}

Vec3<double> newton_step(const MatrixKummerBeta& moments, const Vec3<double>& mean) {
  const Vec3<double> excess = moments.mean - mean;
  const Eigen::Vector3d step =
      to_eigen(moments.covariance()).ldlt().solve(Eigen::Vector3d(excess.x, excess.y, excess.z));
  return {step[0], step[1], step[2]};
}

/// Newton's method with halved steps where the dual does not fall, on the integrals of one step
/// size. Ends when the next decrease, half the squared length of the step in the metric of the
/// Hessian, is lost in the rounding of the dual and the steps do not shrink further.
void minimize(KummerBetaSolution& s, double integration_step) {
  s.moments = matrix_kummer_beta(s.a, s.b, s.x, integration_step);
  double value = dual(s.moments, s.x, s.mean);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vec3<double> step = newton_step(s.moments, s.mean);
    const double decrement = dot(s.moments.mean - s.mean, step);
    // In units of the standard deviation of B: the mean is off by sqrt(decrement) of them.
    if (decrement < 1e-24) return;
    ++s.iterations;
    double scale = 1.0;
    while (true) {
      const Vec3<double> x = s.x + scale * step;
      const MatrixKummerBeta moments = matrix_kummer_beta(s.a, s.b, x, integration_step);
      const double trial = dual(moments, x, s.mean);
      const double rounding = 1e-14 * (1.0 + std::abs(value));
      if (trial <= value - 0.1 * scale * decrement + rounding) {
        s.x = x, s.moments = moments, value = trial;
        break;
      }
      scale *= 0.5;
      if (scale < 1e-6)
        throw std::runtime_error("Newton's method for the multipliers of the inertia is stuck");
    }
    // Quadratic convergence: this step has taken the decrement below any rounding error.
    if (scale == 1.0 && decrement < 1e-13) return;
  }
  throw std::runtime_error("Newton's method for the multipliers of the inertia does not end");
}

KummerBetaSolution solve(double a, double b, const Vec3<double>& mean, const Vec3<double>& start) {
  KummerBetaSolution s;
  s.a = a, s.b = b, s.mean = mean, s.x = start;
  minimize(s, coarse);
  return s;
}

/// Repeats the last steps with a finer integration.
void refine(KummerBetaSolution& s) {
  const Vec3<double> before = s.x;
  minimize(s, fine);
  const Vec3<double> left = newton_step(s.moments, s.mean);
  for (int i = 0; i < 3; ++i) {
    s.accuracy =
        std::max(s.accuracy, (std::abs(s.x[i] - before[i]) + std::abs(left[i])) * s.mean[i]);
    s.residual = std::max(s.residual, std::abs(s.moments.mean[i] / s.mean[i] - 1.0));
  }
}

}  // namespace

double KummerBetaSolution::dispersion() const {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const double variance = i == j ? moments.covariance()(i, i) : moments.squares(i, j);
      sum += variance / (mean[i] * mean[j]);
    }
  return std::sqrt(sum / 3.0);
}

KummerBetaSolution solve_kummer_beta(double a, double b, const Vec3<double>& mean) {
  KummerBetaSolution s = solve(a, b, mean, first_guess(a, b, mean));
  refine(s);
  return s;
}

// The dispersion falls with a, nearly like 1/sqrt(a): a root in log a of a nearly straight line.
KummerBetaSolution solve_kummer_beta_for_dispersion(double delta, std::optional<double> b,
                                                    const Vec3<double>& mean) {
  KummerBetaSolution latest;
  const auto excess = [&](double log_a) {
    const double a = std::exp(log_a);
    const double b_here = b.value_or(a);
    // From the law tried before, corrected by the change of the guess, x is close at once.
    Vec3<double> start = first_guess(a, b_here, mean);
    if (latest.a > 0.0) start += latest.x - first_guess(latest.a, latest.b, mean);
    latest = solve(a, b_here, mean, start);
    return std::log(latest.dispersion() / delta);
  };
  const double low = std::log(smallest_a), high = std::log(largest_a);
  const double at_low = excess(low), at_high = excess(high);
  if (!(at_low > 0.0 && at_high < 0.0))
    throw std::invalid_argument(fmt::format(
        "the dispersion delta_G = {} cannot be reached: with this bound Zmax and lambda_u {} it "
        "must be between {:.4g} and {:.4g}",
        delta, b ? fmt::format("= {}", 2.0 - *b) : "= lambda_l", delta * std::exp(at_high),
        delta * std::exp(at_low)));
  std::uintmax_t evaluations = 50;
  const auto tolerance = [](double lower, double upper) { return upper - lower < 1e-12; };
  const auto [lower, upper] =
      boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, tolerance, evaluations);
  excess(0.5 * (lower + upper));
  refine(latest);
  return latest;
}

}  // namespace tumble
