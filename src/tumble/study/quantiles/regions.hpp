// Regions that hold a given part of all machines, beside the one between two quantiles.
#pragma once
#include <optional>
#include <string>

#include "tumble/model/study/study.hpp"
#include "tumble/study/quantiles/quantile_ranks.hpp"
#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

/// All [time][number]; infinite where too few values count.
struct EnsembleRegion {
  std::vector<double> lower, upper;
};

/// The ranks of n independent values between which at least the part `content` of the distribution
/// lies with the probability `confidence`, whatever the distribution, or the rank below which it
/// lies. What is between the order statistics l and u of a continuous distribution is a Beta
/// variable with the parameters u - l and n - u + l + 1, so P(content or more) = P(B <= u - l - 1)
/// with B binomial (n, content) (S. S. Wilks, Annals of Mathematical Statistics 12, 1941); l = 0
/// stands for no lower end. Two-sided ones leave out as many values at either end. None if n is too
/// small: 46 two-sided, 29 one-sided, for 90 % with 95 %.
std::optional<RankInterval> two_sided_tolerance_ranks(std::uint64_t n, double content,
                                                      double confidence);
std::optional<std::uint64_t> one_sided_tolerance_rank(std::uint64_t n, double content,
                                                      double confidence);
/// The fewest realisations from which there is such a region; 1 for those that need none.
std::uint64_t smallest_region_sample(RegionKind kind, double content, double confidence);

struct RegionOptions {
  RegionKind kind = RegionKind::quantile;
  double content = 0.9;      ///< Pc
  double confidence = 0.95;  ///< that it holds that much
  Sampling sampling;
};

/// - tolerance: two_sided_tolerance_ranks() of the values at each time, from `values` or, widened
///   by the error of ranks, from sketches.
/// - simultaneous: for each number m(t) - c a(t) ... m(t) + c b(t). From every second of the
///   realisations that succeeded come the shape, the median m and its distances a and b from the
///   quantiles (1 - Pc) / 2 and (1 + Pc) / 2; from the others the size c, the order statistic of
///   one_sided_tolerance_rank() of max over t of (x - m) / b and (m - x) / a. As the two halves are
///   independent, that is exact: it holds the whole trajectories of the part Pc of all machines
///   with the stated confidence. Those that failed are left out. Needs `values`.
/// - chebyshev: mean -+ s / sqrt(1 - Pc); no more than 1 - Pc is farther from the mean.
EnsembleRegion ensemble_region(const LeafStatistics& statistics, const StoredValues* values,
                               const RegionOptions& options);

/// What to say of a region for which too few realisations succeeded, so that its ends are infinite,
/// at some times or, if it is one for whole trajectories, at all; empty if there are enough.
std::string region_shortfall(const Moments& moments, const RegionOptions& options);

/// How much of the distribution is on average between the quantiles (1 - Pc) / 2 and (1 + Pc) / 2
/// of n independent values: Pc (n - 1) / (n + 1), as order statistic k has the probability
/// k / (n + 1) below it on average.
double expected_content(double content, std::uint64_t n);

}  // namespace tumble
