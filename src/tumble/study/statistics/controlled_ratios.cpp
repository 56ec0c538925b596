#include "tumble/study/statistics/controlled_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {

double ControlledRatios::t_of(std::uint64_t blocks, double level) {
  if (blocks < 8) return std::numeric_limits<double>::quiet_NaN();
  return student_quantile(static_cast<double>(blocks) / 4, level);
}

RatioEstimate ControlledRatios::estimate(std::size_t i, std::uint64_t blocks, double t) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(blocks);
  const auto& s = sums_[i];
  if (!(s[1] > 0) || blocks < 4) return {nan, nan, {nan, nan}};
  const double d = s[1] / n;
  // Both equations for c and R at once: then an x that is a sum of d and q is met exactly.
  const double spread = s[5] - s[2] * s[8] / s[1];
  const double c = spread > s[5] / 8 ? (s[7] - s[0] * s[8] / s[1]) / spread : 0.0;
  const double value = (s[0] - c * s[2]) / s[1];
  // The sum of (x - c q - R d)^2, which has lost a degree of freedom to R and one to c.
  const double squares = s[3] + c * c * s[5] + value * value * s[4] - 2 * c * s[7] -
                         2 * value * s[6] + 2 * c * value * s[8];
  const double error = std::sqrt(std::max(0.0, squares) / (n * (n - 2))) / d;
  return {value, error, {value - t * error, value + t * error}};
}

}  // namespace tumble
