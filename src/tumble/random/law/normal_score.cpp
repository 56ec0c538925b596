#include "tumble/random/law/normal_score.hpp"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "tumble/math/special_functions.hpp"

namespace tumble {
namespace {

namespace bmp = boost::math::policies;

/// Errors throw; no detour through long double, whose inverse takes twice the time for nothing.
using Policy =
    bmp::policy<bmp::domain_error<bmp::throw_on_error>, bmp::pole_error<bmp::throw_on_error>,
                bmp::overflow_error<bmp::throw_on_error>,
                bmp::evaluation_error<bmp::throw_on_error>, bmp::promote_double<false>>;

}  // namespace

double standard_normal_pdf(double z) {
  constexpr double factor = 0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2;
  return factor * std::exp(-0.5 * z * z);
}

double standard_normal_cdf(double z) { return 0.5 * erfc(-z / std::numbers::sqrt2); }

double standard_normal_score(double u) {
  // 1 - u is exact for u >= 1/2, so 2 u and 2 (1 - u) are both exact.
  const double magnitude =
      std::numbers::sqrt2 * boost::math::erfc_inv(2 * (u <= 0.5 ? u : 1 - u), Policy());
  return u <= 0.5 ? -magnitude : magnitude;
}

}  // namespace tumble
