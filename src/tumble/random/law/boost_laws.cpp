// The laws whose functions are in Boost.Math: their parameters, and one kernel for all.
#include <fmt/core.h>

#include <algorithm>
#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/extreme_value.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/triangular.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/math/distributions/weibull.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "tumble/random/law/bisection.hpp"
#include "tumble/random/law/law_kernel.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/law/parameter_checks.hpp"

namespace tumble {
namespace {

namespace bm = boost::math;
namespace bmp = boost::math::policies;

/// Whatever goes wrong throws, so that no NaN enters a study. Numbers too small for a double become
/// 0, which is what a density far out in a tail should be.
using Policy =
    bmp::policy<bmp::domain_error<bmp::throw_on_error>, bmp::pole_error<bmp::throw_on_error>,
                bmp::overflow_error<bmp::throw_on_error>,
                bmp::evaluation_error<bmp::throw_on_error>,
                bmp::rounding_error<bmp::throw_on_error>, bmp::promote_double<false>>;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// x = origin + scale t, where t has the distribution D of Boost.
template <class D>
class BoostKernel : public LawKernel {
 public:
  BoostKernel(D distribution, std::vector<NamedValue> parameters, Support support,
              double origin = 0, double scale = 1)
      : distribution_(std::move(distribution)),
        parameters_(std::move(parameters)),
        support_(support),
        origin_(origin),
        scale_(scale) {}

  std::vector<NamedValue> parameters() const override { return parameters_; }
  Support support() const override { return support_; }
  double mean() const override { return origin_ + scale_ * bm::mean(distribution_); }
  double variance() const override { return scale_ * scale_ * bm::variance(distribution_); }

  double pdf(double x) const override { return bm::pdf(distribution_, t(x)) / scale_; }
  double cdf(double x) const override { return bm::cdf(distribution_, t(x)); }
  double cdf_upper(double x) const override { return bm::cdf(bm::complement(distribution_, t(x))); }
  double quantile(double p) const override { return x(bm::quantile(distribution_, p)); }
  double quantile_upper(double q) const override {
    return x(bm::quantile(bm::complement(distribution_, q)));
  }

 protected:
  const D& distribution() const { return distribution_; }

 private:
  double t(double x) const { return (x - origin_) / scale_; }
  /// Rounding must not carry x out of its support.
  double x(double t) const {
    return std::min(std::max(origin_ + scale_ * t, support_.min), support_.max);
  }

  D distribution_;
  std::vector<NamedValue> parameters_;
  Support support_;
  double origin_ = 0, scale_ = 0;
};

using Normal = bm::normal_distribution<double, Policy>;
using Lognormal = bm::lognormal_distribution<double, Policy>;
using Uniform = bm::uniform_distribution<double, Policy>;
using Triangular = bm::triangular_distribution<double, Policy>;
using Beta = bm::beta_distribution<double, Policy>;
using Gamma = bm::gamma_distribution<double, Policy>;
using Weibull = bm::weibull_distribution<double, Policy>;
using Gumbel = bm::extreme_value_distribution<double, Policy>;
using Exponential = bm::exponential_distribution<double, Policy>;

class NormalKernel : public BoostKernel<Normal> {
 public:
  using BoostKernel::BoostKernel;
  double from_normal_score(double z) const override {
    return distribution().mean() + distribution().standard_deviation() * z;
  }
};

class LognormalKernel : public BoostKernel<Lognormal> {
 public:
  using BoostKernel::BoostKernel;
  double from_normal_score(double z) const override {
    return support().min + std::exp(distribution().location() + distribution().scale() * z);
  }
};

class TriangularKernel : public BoostKernel<Triangular> {
 public:
  using BoostKernel::BoostKernel;
  std::vector<double> breakpoints() const override { return {cdf(distribution().mode())}; }
};

/// Of a gamma law with a large shape k: the variable in terms of a standard normal one, by the
/// expansion of E. A. Cornish and R. A. Fisher (Rev. Inst. Int. Stat. 5, 1937) with the cumulants
/// (r - 1)! k. Terms left out are below k^-2 of the standard deviation.
double narrow_gamma(double k, double z) {
  const double root = std::sqrt(k), z2 = z * z;
  return k + root * z + (z2 - 1) / 3 + z * (z2 - 7) / (36 * root) -
         (3 * z2 * z2 + 7 * z2 - 16) / (810 * k);
}

/// Its inverse: the map is next to a straight line.
double narrow_gamma_score(double k, double t) {
  const double root = std::sqrt(k);
  double z = (t - k) / root;
  for (int i = 0; i < 6; ++i) z -= (narrow_gamma(k, z) - t) / root;
  return z;
}

class GammaKernel : public BoostKernel<Gamma> {
 public:
  using BoostKernel::BoostKernel;
  double cdf(double x) const override {
    return narrow() ? standard_normal_cdf(score(x)) : BoostKernel::cdf(x);
  }
  double cdf_upper(double x) const override {
    return narrow() ? standard_normal_cdf(-score(x)) : BoostKernel::cdf_upper(x);
  }
  double quantile(double p) const override {
    return narrow() && p > 0 && p < 1 ? value(standard_normal_score(p)) : BoostKernel::quantile(p);
  }
  double quantile_upper(double q) const override {
    return narrow() && q > 0 && q < 1 ? value(-standard_normal_score(q))
                                      : BoostKernel::quantile_upper(q);
  }
  /// Boost has 0 at the lower end whatever the shape.
  double pdf(double x) const override {
    if (x > support().min || distribution().shape() > 1) return BoostKernel::pdf(x);
    if (distribution().shape() == 1) return 1 / distribution().scale();
    throw std::overflow_error(
        fmt::format("gamma: the density is infinite at min = {} because shape = {} is less than 1",
                    x, distribution().shape()));
  }

 private:
  /// Boost's series do not end for shapes beyond 1e9.
  bool narrow() const { return distribution().shape() >= 1e8; }
  /// Nothing is left beyond forty standard deviations.
  double score(double x) const {
    const double k = distribution().shape(), most = 40 * std::sqrt(k);
    const double t = (x - support().min) / distribution().scale();
    return narrow_gamma_score(k, std::clamp(t, k - most, k + most));
  }
  double value(double z) const {
    return support().min + distribution().scale() * narrow_gamma(distribution().shape(), z);
  }
};

/// log Gamma(1 + t), without rounding 1 + t.
double log_gamma_1p(double t) { return std::log1p(bm::tgamma1pm1(t, Policy())); }

class WeibullKernel : public BoostKernel<Weibull> {
 public:
  using BoostKernel::BoostKernel;
  /// Boost's difference Gamma(1 + 2 t) - Gamma(1 + t)^2, t = 1 / shape, has no digits left when the
  /// law is narrow. That of the logarithms keeps all but log10(shape) of them.
  double variance() const override {
    const double t = 1 / distribution().shape();
    const double log_mean = log_gamma_1p(t);
    const double mean = distribution().scale() * std::exp(log_mean);
    return mean * mean * std::expm1(log_gamma_1p(2 * t) - 2 * log_mean);
  }
};

template <class D>
Kernel kernel(D distribution, std::vector<NamedValue> parameters, Support support,
              double origin = 0, double scale = 1) {
  return std::make_unique<BoostKernel<D>>(std::move(distribution), std::move(parameters), support,
                                          origin, scale);
}

/// Mean above min and standard deviation, for laws that begin at `min`.
template <class Law>
MeanStd moments_above_min(const Law& law) {
  auto [mean, std] = mean_and_std(Law::type, *law.mean, law.std, law.cv);
  check_above(Law::type, "mean", mean, "min", law.min);
  return {mean - law.min, std};
}

/// E{X^2} / E{X}^2 = Gamma(1 + 2 t) / Gamma(1 + t)^2 with t = 1 / shape for min = 0. It increases
/// with t.
double weibull_shape(double relative_std) {
  const double target = std::log1p(relative_std * relative_std);
  const auto excess = [target](double t) {
    return log_gamma_1p(2 * t) - 2 * log_gamma_1p(t) - target;
  };
  constexpr double smallest = 1e-5, largest = 20;
  if (excess(smallest) > 0 || excess(largest) < 0)
    throw std::invalid_argument(
        fmt::format("weibull: std = {} times (mean - min) must lie between 1.3e-5 and 3.7e5, which "
                    "are the shapes 1e5 and 0.05: give shape and scale",
                    relative_std));
  return 1 / root_by_bisection(excess, smallest, largest);
}

}  // namespace

Kernel make_kernel(const NormalLaw& law) {
  check_given(law);
  const auto [mean, std] = mean_and_std(law.type, *law.mean, law.std, law.cv);
  return std::make_unique<NormalKernel>(Normal(mean, std),
                                        std::vector<NamedValue>{{"mean", mean}, {"std", std}},
                                        Support{-infinity, infinity});
}

Kernel make_kernel(const LognormalLaw& law) {
  check_finite(law.type, "min", law.min);
  check_given(law);
  double m = 0, s = 0;
  if (law.log_std) {
    check_positive(law.type, "log_std", *law.log_std);
    m = *law.log_mean;
    s = *law.log_std;
  } else {
    // mean = exp(m + s^2 / 2), std^2 = mean^2 (exp(s^2) - 1)
    const auto [mean, std] = moments_above_min(law);
    const double variance_of_log = std::log1p((std / mean) * (std / mean));
    s = std::sqrt(variance_of_log);
    m = std::log(mean) - 0.5 * variance_of_log;
  }
  return std::make_unique<LognormalKernel>(
      Lognormal(m, s), std::vector<NamedValue>{{"log_mean", m}, {"log_std", s}, {"min", law.min}},
      Support{law.min, infinity}, law.min);
}

Kernel make_kernel(const UniformLaw& law) {
  check_given(law);
  double min = 0, max = 0;
  if (law.max) {
    check_above(law.type, "max", *law.max, "min", *law.min);
    min = *law.min;
    max = *law.max;
  } else {
    // std = (max - min) / sqrt(12)
    const auto [mean, std] = mean_and_std(law.type, *law.mean, law.std, law.cv);
    min = mean - std::numbers::sqrt3 * std;
    max = mean + std::numbers::sqrt3 * std;
  }
  return kernel(Uniform(min, max), {{"min", min}, {"max", max}}, {min, max});
}

Kernel make_kernel(const TriangularLaw& law) {
  check_finite(law.type, "min", law.min);
  check_above(law.type, "max", law.max, "min", law.min);
  check_finite(law.type, "mode", law.mode);
  if (law.mode < law.min || law.mode > law.max)
    throw std::invalid_argument(fmt::format(
        "triangular: mode = {} must lie from min = {} to max = {}", law.mode, law.min, law.max));
  return std::make_unique<TriangularKernel>(
      Triangular(law.min, law.mode, law.max),
      std::vector<NamedValue>{{"min", law.min}, {"mode", law.mode}, {"max", law.max}},
      Support{law.min, law.max});
}

Kernel make_kernel(const BetaLaw& law) {
  check_finite(law.type, "min", law.min);
  check_above(law.type, "max", law.max, "min", law.min);
  check_given(law);
  double alpha = 0, beta = 0;
  if (law.alpha) {
    check_positive(law.type, "alpha", *law.alpha);
    check_positive(law.type, "beta", *law.beta);
    alpha = *law.alpha;
    beta = *law.beta;
  } else {
    const auto [mean, std] = mean_and_std(law.type, *law.mean, law.std, law.cv);
    if (mean <= law.min || mean >= law.max)
      throw std::invalid_argument(fmt::format(
          "beta: mean = {} must lie between min = {} and max = {}", mean, law.min, law.max));
    // With t in (0, 1): mean = alpha / (alpha + beta), std^2 = mean (1 - mean) / (alpha + beta + 1)
    const double below = mean - law.min, above = law.max - mean, range = law.max - law.min;
    const double largest = std::sqrt(below * above);
    if (std >= largest)
      throw std::invalid_argument(fmt::format(
          "beta: std = {} must be below sqrt((mean - min) (max - mean)) = {}, which all "
          "probability at the two bounds would have",
          std, largest));
    const double sum = below * above / (std * std) - 1;
    alpha = sum * below / range;
    beta = sum * above / range;
  }
  return kernel(Beta(alpha, beta),
                {{"alpha", alpha}, {"beta", beta}, {"min", law.min}, {"max", law.max}},
                {law.min, law.max}, law.min, law.max - law.min);
}

Kernel make_kernel(const GammaLaw& law) {
  check_finite(law.type, "min", law.min);
  check_given(law);
  double shape = 0, scale = 0;
  if (law.shape) {
    check_positive(law.type, "shape", *law.shape);
    check_positive(law.type, "scale", *law.scale);
    shape = *law.shape;
    scale = *law.scale;
  } else {
    // mean = shape scale, std^2 = shape scale^2
    const auto [mean, std] = moments_above_min(law);
    shape = (mean / std) * (mean / std);
    scale = std * (std / mean);
  }
  return std::make_unique<GammaKernel>(
      Gamma(shape, scale),
      std::vector<NamedValue>{{"shape", shape}, {"scale", scale}, {"min", law.min}},
      Support{law.min, infinity}, law.min);
}

Kernel make_kernel(const WeibullLaw& law) {
  check_finite(law.type, "min", law.min);
  check_given(law);
  double shape = 0, scale = 0;
  if (law.shape) {
    check_positive(law.type, "shape", *law.shape);
    check_positive(law.type, "scale", *law.scale);
    shape = *law.shape;
    scale = *law.scale;
  } else {
    // mean = scale Gamma(1 + 1 / shape)
    const auto [mean, std] = moments_above_min(law);
    shape = weibull_shape(std / mean);
    scale = mean * std::exp(-log_gamma_1p(1 / shape));
  }
  return std::make_unique<WeibullKernel>(
      Weibull(shape, scale),
      std::vector<NamedValue>{{"shape", shape}, {"scale", scale}, {"min", law.min}},
      Support{law.min, infinity}, law.min);
}

Kernel make_kernel(const GumbelLaw& law) {
  check_given(law);
  double location = 0, scale = 0;
  if (law.location) {
    check_positive(law.type, "scale", *law.scale);
    location = *law.location;
    scale = *law.scale;
  } else {
    // mean = location + Euler's constant times scale, std = pi scale / sqrt(6)
    const auto [mean, std] = mean_and_std(law.type, *law.mean, law.std, law.cv);
    scale = std * std::sqrt(6.0) * std::numbers::inv_pi;
    location = mean - std::numbers::egamma * scale;
  }
  return kernel(Gumbel(location, scale), {{"location", location}, {"scale", scale}},
                {-infinity, infinity});
}

Kernel make_kernel(const ExponentialLaw& law) {
  check_finite(law.type, "min", law.min);
  check_given(law);
  double rate = 0;
  if (law.mean) {
    check_above(law.type, "mean", *law.mean, "min", law.min);
    rate = 1 / (*law.mean - law.min);
  } else {
    check_positive(law.type, "rate", *law.rate);
    rate = *law.rate;
  }
  return kernel(Exponential(rate), {{"rate", rate}, {"min", law.min}}, {law.min, infinity},
                law.min);
}

}  // namespace tumble
