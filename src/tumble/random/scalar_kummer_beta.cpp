#include "tumble/random/scalar_kummer_beta.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tumble {
namespace {

// Terms below exp(-38) = 3e-17 of the largest are left out.
constexpr double negligible = -38.0;

// The mode in s solves alpha (1-t) - beta t - z t (1-t) = 0, which has one root in (0, 1). Written
// for the sign of z + alpha + beta that does not cancel.
double mode(double alpha, double beta, double z) {
  const double b = alpha + beta + z;
  const double root = std::sqrt(b * b - 4.0 * alpha * z);
  return b > 0.0 ? 2.0 * alpha / (b + root) : (b - root) / (2.0 * z);
}

}  // namespace

ScalarKummerBetaRule::ScalarKummerBetaRule(double alpha, double beta, double largest_z, double step)
    : alpha_(alpha),
      beta_(beta < 2.0 ? beta + 2.0 : beta),
      lower_(beta < 2.0),
      // The second bound: with z large the integrand is like exp(alpha s - z exp(s)), whose Fourier
      // transform falls like exp(-pi |omega| / 2), so the error is exp(-pi^2 / step).
      step_(std::min(step / std::sqrt(std::max(alpha_, beta_)), 0.4 * step)) {
  // Modes lie within +-log(1 + (largest_z + alpha + beta) / min), and beyond a mode terms fall at
  // least like a Gaussian of that curvature or like exp(-min |s|).
  const double least = std::min(alpha_, beta_);
  const double reach = std::log1p((largest_z + alpha_ + beta_) / least) - negligible / least +
                       std::sqrt(-2.0 * negligible / least);
  middle_ = static_cast<int>(std::ceil(reach / step_));
  const std::size_t count = 2 * static_cast<std::size_t>(middle_) + 1;
  t_.resize(count);
  log_beta_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double s = (static_cast<double>(k) - middle_) * step_;
    // log t = -log(1 + exp(-s)) and log(1-t) = log t - s, from the exponential that is below one.
    const double small = std::exp(-std::abs(s));
    const double log_larger = -std::log1p(small), log_smaller = log_larger - std::abs(s);
    t_[k] = (s > 0.0 ? 1.0 : small) / (1.0 + small);
    log_beta_[k] = s > 0.0 ? alpha_ * log_larger + beta_ * log_smaller
                           : alpha_ * log_smaller + beta_ * log_larger;
  }
}

ScalarKummerBeta ScalarKummerBetaRule::operator()(double z) const {
  ScalarKummerBeta raised = integrate(z);
  if (!lower_) return raised;
  // Let I(k) be the integral with (1-t)^(beta-1+k). As t^alpha (1-t)^(beta+k) exp(-z t) vanishes at
  // both ends, the integral of its derivative gives
  //   (beta+k) I(k) = (alpha + beta + k - z) I(k+1) + z I(k+2).
  // In units of I(2), of which I(3) = I(2) E{1-t}.
  const double beta = beta_ - 2.0;
  const double i2 = 1.0, i3 = 1.0 - raised.mean;
  const double i1 = ((alpha_ + beta + 1.0 - z) * i2 + z * i3) / (beta + 1.0);
  const double i0 = ((alpha_ + beta - z) * i1 + z * i2) / beta;
  return {raised.log_partition + std::log(i0), 1.0 - i1 / i0, 1.0 - (2.0 * i1 - i2) / i0};
}

ScalarKummerBeta ScalarKummerBetaRule::integrate(double z) const {
  const double t_mode = mode(alpha_, beta_, z), rest = mode(beta_, alpha_, -z);
  const int last = 2 * middle_;
  const int center =
      std::clamp(middle_ + static_cast<int>(std::lround(std::log(t_mode / rest) / step_)), 0, last);
  const auto exponent = [&](int k) {
    return log_beta_[static_cast<std::size_t>(k)] - z * t_[static_cast<std::size_t>(k)];
  };
  const double largest = exponent(center);
  // Moments about the mode: about 0 the variance of a narrow law would cancel.
  double sum = 0.0, first = 0.0, second = 0.0;
  const auto add = [&](int k) {
    const double below = exponent(k) - largest;
    if (below < negligible) return false;
    const double weight = std::exp(below), d = t_[static_cast<std::size_t>(k)] - t_mode;
    sum += weight;
    first += weight * d;
    second += weight * d * d;
    return true;
  };
  for (int k = center; k <= last && add(k); ++k) {
  }
  for (int k = center - 1; k >= 0 && add(k); --k) {
  }
  first /= sum;
  const double mean = t_mode + first;
  return {largest + std::log(sum * step_), mean, mean * mean + (second / sum - first * first)};
}

}  // namespace tumble
