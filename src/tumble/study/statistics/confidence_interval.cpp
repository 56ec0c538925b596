#include "tumble/study/statistics/confidence_interval.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "tumble/math/special_functions.hpp"

namespace tumble {

double student_quantile(double degrees, double level) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Policy> t(degrees);
  return quantile(complement(t, (1 - level) / 2));
}

Interval skewed_interval(double estimate, double error, double skewness_over_root_n, double t) {
  const double a = skewness_over_root_n;
  const auto inverse = [a](double y) {
    // Below, the cube root would lose more digits than the term in a is worth.
    if (std::abs(a) < 1e-6) return y;
    return 3 * (cube_root(1 + a * (y - a / 6)) - 1) / a;
  };
  return {estimate - error * inverse(t), estimate - error * inverse(-t)};
}

}  // namespace tumble
