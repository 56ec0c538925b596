#include "tumble/study/proportion_interval.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tumble/study/copy_moments.hpp"

namespace tumble {
namespace {
using ProportionPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>>;
}

Interval exact_proportion_interval(double hits, double trials, double level) {
  const double tail = (1 - level) / 2, misses = trials - hits;
  Interval result{0, 1};
  if (hits > 0) result.lower = boost::math::ibeta_inv(hits, misses + 1, tail, ProportionPolicy());
  if (misses > 0)
    result.upper = boost::math::ibetac_inv(hits + 1, misses, tail, ProportionPolicy());
  return result;
}

Interval copies_proportion_interval(std::span<const std::uint64_t> hits,
                                    std::span<const std::uint64_t> counts, double level) {
  std::vector<double> fractions;
  double n = 0, sum = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto count = static_cast<double>(counts[r]), hit = static_cast<double>(hits[r]);
    fractions.push_back(counts[r] == 0 ? 0.0 : hit / count);
    n += count;
    sum += hit;
  }
  const CopyEstimate found =
      estimate_from_copies(fractions, std::vector<std::uint64_t>(counts.begin(), counts.end()));
  if (found.copies < 2) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {nan, nan};
  }
  const double p = sum / n;
  const auto copies = static_cast<double>(found.copies);
  Interval result{p, p};
  if (sum == 0 || sum == n) {
    result = exact_proportion_interval(sum, n, level);
  } else if (found.error > 0) {
    const double z = std::numbers::sqrt2 * boost::math::erf_inv(level, ProportionPolicy());
    const double t = student_quantile(copies - 1, level);
    const double worth = p * (1 - p) / (found.error * found.error) * (z / t) * (z / t);
    result = exact_proportion_interval(p * worth, worth, level);
  }
  const double unseen = (1 - std::pow((1 - level) / 2, 1 / copies)) * (copies / n);
  return {std::max(0.0, std::min(result.lower, p - unseen)),
          std::min(1.0, std::max(result.upper, p + unseen))};
}

}  // namespace tumble
