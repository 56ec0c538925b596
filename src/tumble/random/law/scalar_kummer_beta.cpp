#include "tumble/random/law/scalar_kummer_beta.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tumble {
namespace {

// The smallest cut that callers may ask for.
constexpr double deepest_cut = -40.0;

// The mode in s solves alpha (1-t) - beta t - z t (1-t) = 0, which has one root in (0, 1). Written
// for the sign of z + alpha + beta that does not cancel.
double mode(double alpha, double beta, double z) {
  const double b = alpha + beta + z;
  const double root = std::sqrt(b * b - 4.0 * alpha * z);
  return b > 0.0 ? 2.0 * alpha / (b + root) : (b - root) / (2.0 * z);
}

}  // namespace

ScalarKummerBetaRule::Table::Table(double alpha, double beta, double largest_z, double step)
    : alpha_(alpha),
      beta_(beta),
      // The second bound: with z large the integrand is like exp(alpha s - z exp(s)), whose Fourier
      // transform falls like exp(-pi |omega| / 2), so the error is exp(-pi^2 / step).
      step_(std::min(step / std::sqrt(std::max(alpha, beta)), 0.4 * step)) {
  // Modes lie within +-log(1 + (largest_z + alpha + beta) / least), and beyond a mode terms fall at
  // least like a Gaussian of that curvature or like exp(-least |s|).
  const double least = std::min(alpha, beta);
  const double reach = std::log1p((largest_z + alpha + beta) / least) - deepest_cut / least +
                       std::sqrt(-2.0 * deepest_cut / least);
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
    log_beta_[k] =
        s > 0.0 ? alpha * log_larger + beta * log_smaller : alpha * log_smaller + beta * log_larger;
  }
}

ScalarKummerBeta ScalarKummerBetaRule::Table::integrate(double z, double cut) const {
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
    if (below < cut) return false;
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

ScalarKummerBetaRule::ScalarKummerBetaRule(double alpha, double beta, double largest_z, double step)
    : alpha_(alpha), beta_(beta), direct_(alpha, beta, largest_z, step) {
  if (beta < 1.5) raised_.emplace_back(alpha, beta + 2.0, largest_z, step);
}

ScalarKummerBeta ScalarKummerBetaRule::operator()(double z, double cut) const {
  // A small power of 1-t makes terms fall slowly as t approaches 1, unless exp(-z t) does it.
  if (raised_.empty() || z > 50.0) return direct_.integrate(z, cut);
  // Let I(k) be the integral with (1-t)^(beta-1+k). As t^alpha (1-t)^(beta+k) exp(-z t) vanishes at
  // both ends, the integral of its derivative gives
  //   (beta+k) I(k) = (alpha + beta + k - z) I(k+1) + z I(k+2).
  // In units of I(2), of which I(3) = I(2) E{1-t}.
  // The differences may cost some digits, so all there are are computed.
  const ScalarKummerBeta raised = raised_.front().integrate(z, deepest_cut);
  const double i1 = (alpha_ + beta_ + 1.0 - z * raised.mean) / (beta_ + 1.0);
  const double i0 = ((alpha_ + beta_) * i1 - z * (i1 - 1.0)) / beta_;
  return {raised.log_partition + std::log(i0), 1.0 - i1 / i0, 1.0 - (2.0 * i1 - 1.0) / i0};
}

}  // namespace tumble
