#include "tumble/study/quantiles/woodruff_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tumble/study/statistics/copy_moments.hpp"

namespace tumble {

Interval woodruff_ranks(std::span<const std::uint64_t> below, std::span<const std::uint64_t> counts,
                        double p, double level, double t) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> fractions;
  double n = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto count = static_cast<double>(counts[r]);
    fractions.push_back(counts[r] == 0 ? 0.0 : static_cast<double>(below[r]) / count);
    n += count;
  }
  const CopyEstimate found =
      estimate_from_copies(fractions, std::vector<std::uint64_t>(counts.begin(), counts.end()));
  if (found.copies < 2) return {-infinity, infinity};
  const double s = found.error, spread = p * (1 - p);
  const double shift = spread > 0 ? (t * t - 1) * (1 - 2 * p) / 6 * (n * s * s / spread) : 0.0;
  const double middle = n * p + 0.5 + shift;
  const double half = std::max(t * n * s, level / 2);
  Interval ranks{middle - half, middle + half};
  const double beyond = (1 - level) / 2;
  if (ranks.lower < 1) ranks.lower = std::pow(1 - p, n) <= beyond ? 1 : -infinity;
  if (ranks.upper > n) ranks.upper = std::pow(p, n) <= beyond ? n : infinity;
  // An end that the shift has moved past the sample on the other side.
  if (ranks.lower > n) ranks.lower = n;
  if (ranks.upper < 1) ranks.upper = 1;
  return ranks;
}

}  // namespace tumble
