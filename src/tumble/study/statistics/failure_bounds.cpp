#include "tumble/study/statistics/failure_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {

MomentBounds moment_bounds(double mean, double deviation, std::uint64_t counted,
                           std::uint64_t total, const ValueRange& range) {
  const auto m = static_cast<double>(counted), n = static_cast<double>(total), k = n - m;
  if (counted == 0) mean = range.lower;  // of no weight
  const double squares = counted < 2 ? 0.0 : (m - 1) * deviation * deviation;
  const double width = range.upper - range.lower;
  const auto deviation_of = [&](double within, double others_mean) {
    if (total < 2) return std::numeric_limits<double>::quiet_NaN();
    const double d = others_mean - mean;
    return std::sqrt((squares + within + m * k / n * d * d) / (n - 1));
  };
  MomentBounds bounds{};
  bounds.mean_lower = (m * mean + k * range.lower) / n;
  bounds.mean_upper = (m * mean + k * range.upper) / n;
  bounds.deviation_lower = deviation_of(0.0, std::clamp(mean, range.lower, range.upper));
  bounds.deviation_upper = bounds.deviation_lower;
  if (k == 0) return bounds;
  const double top = (n * width + 2 * m * (range.lower - mean)) / (2 * width);
  for (const double rounded : {std::floor(top), std::ceil(top)}) {
    const double j = std::clamp(rounded, 0.0, k);
    bounds.deviation_upper =
        std::max(bounds.deviation_upper,
                 deviation_of(width * width * j * (k - j) / k, range.lower + width * j / k));
  }
  return bounds;
}

}  // namespace tumble
