// Which order statistics enclose a quantile: by chance alone, or whatever failed realisations would
// have been.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tumble {

/// Ranks counted from 0; none: no order statistic of the sample does it.
struct RankInterval {
  std::optional<std::uint64_t> lower, upper;
};

/// The order statistics of n independent values between which the p-quantile of their distribution
/// lies with at least the probability `level`, whatever the distribution, and outside of which it
/// lies with at most (1 - level) / 2 on either side. The number of values at or below the quantile
/// is binomial B(n, p) if the distribution is continuous, so with 1-based ranks l is the largest
/// with P(B <= l - 1) <= (1 - level) / 2, and u the smallest with P(B >= u) <= (1 - level) / 2;
/// atoms only add to the probability (H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., Wiley
/// 2003, section 7.1). Small samples have no such l or u: with 95 %, l exists for p = 0.05 from 72
/// values on.
RankInterval quantile_interval_ranks(std::uint64_t n, double p, double level);

/// The same for n values that are worth `worth` <= n independent ones: the ranks among so many,
/// rounded down to whole values, stretched to n and rounded outwards.
RankInterval quantile_interval_ranks(std::uint64_t n, double worth, double p, double level);

/// What one sample gives for one probability.
struct QuantileValues {
  double estimate;      ///< by the rule of quantile_rule.hpp
  double lower, upper;  ///< confidence interval of the quantile; infinite where there is none
  /// The estimate from all realisations lies here, whatever the failed ones would have been;
  /// infinite where that says nothing.
  double bound_lower, bound_upper;
};

/// The order statistics that a sample's quantiles and what encloses them need. One plan serves all
/// samples of the same size.
class QuantileRanks {
 public:
  /// `counted` > 0 values, which are worth so many independent ones, of `total` realisations.
  /// `probabilities` in any order. A value said to have rank r may have any from r - rank_error to
  /// r + rank_error.
  QuantileRanks(std::uint64_t counted, double worth, std::uint64_t total,
                std::span<const double> probabilities, double level, std::uint64_t rank_error);

  /// Those needed, ascending.
  const std::vector<std::size_t>& ranks() const { return ranks_; }
  /// From the values that have these ranks, and the extremes of the sample.
  QuantileValues evaluate(std::size_t probability, std::span<const double> at_ranks, double minimum,
                          double maximum) const;

 private:
  /// Ranks with signs: those outside of [0, counted) are below and above all values.
  struct Plan {
    std::int64_t lower, upper;
    double fraction;
    std::optional<std::int64_t> interval_lower, interval_upper;
    /// The positions in a sample of all, with the failed ones at either end.
    std::int64_t all_lower, all_upper;
    double all_fraction;
  };
  void need(std::int64_t rank);

  std::int64_t counted_, failed_, error_;
  std::vector<Plan> plans_;
  std::vector<std::size_t> ranks_;
};

}  // namespace tumble
