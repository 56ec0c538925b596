#include "tumble/study/statistics/proportion_interval.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "tumble/study/statistics/copy_moments.hpp"

namespace tumble {
namespace {
using ProportionPolicy =
    boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// As exact_proportion_interval(), but what was found counts half in the chances of so few and so
/// many (H. O. Lancaster, "Significance tests in discrete distributions", Journal of the American
/// Statistical Association 56, 1961): narrower, and holds `level` on average. For 0 < hits <
/// trials.
Interval mid_p_interval(double hits, double trials, double level) {
  const double misses = trials - hits, tail = (1 - level) / 2;
  const auto place_of = [&](double chance) {
    double low = 0, high = 1;
    for (int step = 0; step < 60; ++step) {
      const double p = 0.5 * (low + high);
      const double so_many = 0.5 * (boost::math::ibeta(hits + 1, misses, p, ProportionPolicy()) +
                                    boost::math::ibeta(hits, misses + 1, p, ProportionPolicy()));
      (so_many < chance ? low : high) = p;
    }
    return 0.5 * (low + high);
  };
  return {place_of(tail), place_of(1 - tail)};
}

/// Of the copies that have any values.
std::vector<std::uint64_t> with_values(std::span<const std::uint64_t> of_copies,
                                       std::span<const std::uint64_t> counts) {
  std::vector<std::uint64_t> kept;
  for (std::size_t r = 0; r < counts.size(); ++r)
    if (counts[r] > 0) kept.push_back(of_copies[r]);
  return kept;
}

/// What the interval holds at least, because evenly placed points scatter less than they err.
Interval held_by_even_points(std::span<const std::uint64_t> hits,
                             std::span<const std::uint64_t> counts, double p, double n,
                             double level) {
  const auto copies = static_cast<double>(counts.size());
  const auto [least, most] = std::ranges::minmax(hits);
  if (most == least + 1 && std::ranges::count(counts, counts[0]) == std::ssize(counts)) {
    const auto lower = static_cast<double>(least);
    const Interval part = mid_p_interval(p * n - copies * lower, copies, level);
    return {(lower + part.lower) * copies / n, (lower + part.upper) * copies / n};
  }
  const double unseen = (1 - std::pow((1 - level) / 2, 1 / copies)) * (copies / n);
  return {p - unseen, p + unseen};
}

}  // namespace

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
  const Interval held =
      held_by_even_points(with_values(hits, counts), with_values(counts, counts), p, n, level);
  return {std::max(0.0, std::min(result.lower, held.lower)),
          std::min(1.0, std::max(result.upper, held.upper))};
}

}  // namespace tumble
