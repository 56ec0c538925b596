#include "tumble/study/quantiles/quantile_ranks.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>

#include "tumble/study/quantiles/quantile_rule.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Errors throw, which is Boost's default, and nothing is computed in long double.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

/// The smallest i in [0, n] for which `holds`, which does so from some i on; n + 1 if for none.
template <class F>
std::uint64_t first_that(std::uint64_t n, const F& holds) {
  std::uint64_t first = 0, end = n + 1;
  while (first < end) {
    const std::uint64_t middle = first + (end - first) / 2;
    if (holds(middle))
      end = middle;
    else
      first = middle + 1;
  }
  return first;
}

}  // namespace

RankInterval quantile_interval_ranks(std::uint64_t n, double p, double level) {
  const double tail = (1 - level) / 2;
  const Binomial binomial(static_cast<double>(n), p);
  // The first i with P(B <= i) > tail: the 1-based l, and 0 if there is none.
  const std::uint64_t below =
      first_that(n, [&](std::uint64_t i) { return cdf(binomial, static_cast<double>(i)) > tail; });
  // The first i with P(B > i) <= tail: the 0-based u.
  const std::uint64_t above = first_that(n, [&](std::uint64_t i) {
    return cdf(complement(binomial, static_cast<double>(i))) <= tail;
  });
  RankInterval ranks;
  if (below > 0) ranks.lower = below - 1;
  if (above < n) ranks.upper = above;
  return ranks;
}

RankInterval quantile_interval_ranks(std::uint64_t n, double worth, double p, double level) {
  const auto few = static_cast<std::uint64_t>(worth);
  if (few >= n) return quantile_interval_ranks(n, p, level);
  if (few == 0) return {};
  RankInterval ranks = quantile_interval_ranks(few, p, level);
  const double stretch = static_cast<double>(n) / static_cast<double>(few);
  if (ranks.lower)
    ranks.lower = static_cast<std::uint64_t>(static_cast<double>(*ranks.lower) * stretch);
  if (ranks.upper)
    ranks.upper = std::min(
        n - 1,
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(*ranks.upper + 1) * stretch)) - 1);
  return ranks;
}

QuantileRanks::QuantileRanks(std::uint64_t counted, double worth, std::uint64_t total,
                             std::span<const double> probabilities, double level,
                             std::uint64_t rank_error)
    : counted_(static_cast<std::int64_t>(counted)),
      failed_(static_cast<std::int64_t>(total - counted)),
      error_(static_cast<std::int64_t>(rank_error)) {
  for (const double p : probabilities) {
    Plan plan{};
    const QuantilePosition position(counted, p), all(total, p);
    plan.lower = static_cast<std::int64_t>(position.lower);
    plan.upper = static_cast<std::int64_t>(position.upper);
    plan.fraction = position.fraction;
    const RankInterval interval = quantile_interval_ranks(counted, worth, p, level);
    if (interval.lower) plan.interval_lower = static_cast<std::int64_t>(*interval.lower);
    if (interval.upper) plan.interval_upper = static_cast<std::int64_t>(*interval.upper);
    plan.all_lower = static_cast<std::int64_t>(all.lower);
    plan.all_upper = static_cast<std::int64_t>(all.upper);
    plan.all_fraction = all.fraction;
    need(plan.lower);
    need(plan.upper);
    if (plan.interval_lower) need(*plan.interval_lower - error_);
    if (plan.interval_upper) need(*plan.interval_upper + error_);
    if (failed_ > 0) {
      for (const std::int64_t rank : {plan.all_lower, plan.all_upper}) {
        need(rank - failed_ - error_);
        need(rank + error_);
      }
    }
    plans_.push_back(plan);
  }
  std::sort(ranks_.begin(), ranks_.end());
  ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
}

void QuantileRanks::need(std::int64_t rank) {
  if (rank >= 0 && rank < counted_) ranks_.push_back(static_cast<std::size_t>(rank));
}

QuantileValues QuantileRanks::evaluate(std::size_t probability, std::span<const double> at_ranks,
                                       double minimum, double maximum) const {
  const Plan& plan = plans_[probability];
  const auto value = [&](std::int64_t rank) {
    const auto found =
        std::lower_bound(ranks_.begin(), ranks_.end(), static_cast<std::size_t>(rank));
    return at_ranks[static_cast<std::size_t>(found - ranks_.begin())];
  };
  const auto interpolate = [](double low, double high, double fraction) {
    return fraction == 0 ? low : low + fraction * (high - low);
  };
  // A value that is surely not above, or below, the order statistic of this rank.
  const auto at_most = [&](std::int64_t rank) {
    if (rank < 0) return -infinity;
    if (error_ == 0) return value(rank);
    return rank < error_ ? minimum : value(rank - error_);
  };
  const auto at_least = [&](std::int64_t rank) {
    if (rank >= counted_) return infinity;
    if (error_ == 0) return value(rank);
    return rank + error_ >= counted_ ? maximum : value(rank + error_);
  };
  QuantileValues result{};
  result.estimate = interpolate(value(plan.lower), value(plan.upper), plan.fraction);
  result.lower = plan.interval_lower ? at_most(*plan.interval_lower) : -infinity;
  result.upper = plan.interval_upper ? at_least(*plan.interval_upper) : infinity;
  result.bound_lower = result.bound_upper = result.estimate;
  if (failed_ == 0) return result;
  const double low = at_most(plan.all_lower - failed_);
  // Beside minus infinity the upper neighbour counts for nothing.
  result.bound_lower = low == -infinity
                           ? low
                           : interpolate(low, at_most(plan.all_upper - failed_), plan.all_fraction);
  const double high = at_least(plan.all_lower);
  result.bound_upper =
      high == infinity ? high : interpolate(high, at_least(plan.all_upper), plan.all_fraction);
  return result;
}

}  // namespace tumble
