// A normal variable on condition that it lies between two bounds.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/random/law/gauss_legendre.hpp"
#include "tumble/random/law/law_kernel.hpp"
#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/law/parameter_checks.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// P(a < Z < b) with a small relative error, in tails and for intervals of any width.
double normal_probability(double a, double b) {
  if (a > 0) return normal_probability(-b, -a);  // the lower tail is the accurate one
  // A difference of two nearly equal values would have lost its digits.
  if (b - a < 0.25) return gauss_legendre(standard_normal_pdf, a, b);
  return standard_normal_cdf(b) - standard_normal_cdf(a);
}

/// The standard normal variable between a and b.
struct Truncation {
  double a, b, probability;

  Truncation(double from, double to) : a(from), b(to), probability(normal_probability(a, b)) {}

  /// P(a < Z < z) = p P(a < Z < b) solved for z. The mirrored problem has the same form, so the
  /// upper tail needs no formula of its own.
  double quantile(double p) const {
    const double wanted = p * probability;
    const double below = standard_normal_cdf(a) + wanted;
    const double above = standard_normal_cdf(-b) + (1 - p) * probability;
    double z = below <= above ? standard_normal_score(below) : -standard_normal_score(above);
    z = std::clamp(z, a, b);
    // Close to `a`, `wanted` drowns in the probability below `a`. Newton's method on the accurate
    // probability of (a, z) brings its digits back: two steps, quadratic convergence.
    for (int step = 0; step < 2 && std::isfinite(a); ++step)
      z = std::clamp(z - (normal_probability(a, z) - wanted) / standard_normal_pdf(z), a, b);
    return z;
  }
};

class TruncatedNormalKernel : public LawKernel {
 public:
  explicit TruncatedNormalKernel(const TruncatedNormalLaw& law)
      : law_(law),
        min_(law.min.value_or(-infinity)),
        max_(law.max.value_or(infinity)),
        lower_((min_ - law.normal_mean) / law.normal_std,
               (max_ - law.normal_mean) / law.normal_std),
        mirrored_(-lower_.b, -lower_.a) {
    // P(Z > 37) = 6e-300 is the end of what a double can say of a tail.
    if (!(lower_.probability > 1e-299))
      throw std::invalid_argument(fmt::format(
          "truncated normal: between min = {} and max = {} a normal variable with the mean {} "
          "and the standard deviation {} has no probability that a number can hold",
          min_, max_, law.normal_mean, law.normal_std));
    find_moments();
  }

  std::vector<NamedValue> parameters() const override {
    return {{"normal_mean", law_.normal_mean},
            {"normal_std", law_.normal_std},
            {"min", min_},
            {"max", max_}};
  }
  Support support() const override { return {min_, max_}; }
  double mean() const override { return x(mean_); }
  double variance() const override { return law_.normal_std * law_.normal_std * variance_; }
  double pdf(double x) const override {
    return standard_normal_pdf(z(x)) / (law_.normal_std * lower_.probability);
  }
  double cdf(double x) const override {
    return normal_probability(lower_.a, z(x)) / lower_.probability;
  }
  double cdf_upper(double x) const override {
    return normal_probability(z(x), lower_.b) / lower_.probability;
  }
  double quantile(double p) const override { return x(lower_.quantile(p)); }
  double quantile_upper(double q) const override { return x(-mirrored_.quantile(q)); }

 private:
  double z(double x) const { return (x - law_.normal_mean) / law_.normal_std; }
  double x(double z) const {
    return std::clamp(law_.normal_mean + law_.normal_std * z, min_, max_);
  }

  /// The closed forms, such as E{Z} = (phi(a) - phi(b)) / P(a < Z < b), cancel in narrow intervals
  /// and far tails; quadrature does not. What lies beyond the quantiles of 1e-18 is not seen by a
  /// double.
  void find_moments() {
    const double from = lower_.quantile(1e-18), to = -mirrored_.quantile(1e-18);
    constexpr int panels = 64;
    const auto integral = [&](const auto& f) {
      double sum = 0;
      for (int k = 0; k < panels; ++k)
        sum +=
            gauss_legendre([&](double t) { return f(t) * standard_normal_pdf(t); },
                           from + (to - from) * k / panels, from + (to - from) * (k + 1) / panels);
      return sum / lower_.probability;
    };
    mean_ = from + integral([&](double t) { return t - from; });
    variance_ = integral([&](double t) { return (t - mean_) * (t - mean_); });
  }

  TruncatedNormalLaw law_;
  double min_, max_;
  Truncation lower_, mirrored_;
  double mean_ = 0, variance_ = 0;  ///< of (X - normal_mean) / normal_std
};

}  // namespace

Kernel make_kernel(const TruncatedNormalLaw& law) {
  constexpr std::string_view name = "truncated normal";
  check_finite(name, "normal_mean", law.normal_mean);
  check_positive(name, "normal_std", law.normal_std);
  // Either bound may be infinite, but not NaN.
  const double min = law.min.value_or(-infinity), max = law.max.value_or(infinity);
  if (!(max > min))
    throw std::invalid_argument(
        fmt::format("{}: max = {} must be greater than min = {}", name, max, min));
  return std::make_unique<TruncatedNormalKernel>(law);
}

}  // namespace tumble
