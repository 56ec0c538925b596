// Whether a sample shows a tail so heavy that what it says of its own errors is not to be trusted.
#pragma once
#include <optional>
#include <span>

#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

/// Ratios of L-moments, which unlike skewness and kurtosis small samples estimate well (J. R. M.
/// Hosking, "L-moments: analysis and estimation of distributions using linear combinations of order
/// statistics", Journal of the Royal Statistical Society B 52, 1990): t3 = l3 / l2, t4 = l4 / l2.
/// Normal: 0, 0.123; uniform: 0, 0; exponential: 1/3, 1/6; lognormal with log_std 1: 0.463, 0.294.
struct TailShape {
  double skewness, kurtosis;
};
/// Of at least four values, ascending; zero if all are equal.
TailShape tail_shape(std::span<const double> ascending);

/// |t3| + t4 > 0.56 - 0.9 / sqrt(n), above the 0.5 of an exponential distribution for large n; or,
/// for symmetric tails, t4 > max(0.2, 0.123 + 1.65 / sqrt(n)). Of normal values one sample in
/// 60 000 looks so at n = 64, one in 400 000 at n = 72 and none of 10^6 from n = 96 on.
bool is_heavy(const TailShape& shape, std::uint64_t n);

/// Fewer values than this do not show a tail.
inline constexpr std::uint64_t tail_sample = 64;

struct HeavyTail {
  std::size_t number, time;
  TailShape shape;
};
/// Looks at up to 16 times; of each quantity the first one found. From `values`, or from sketches.
std::vector<HeavyTail> find_heavy_tails(const LeafStatistics& statistics,
                                        const StoredValues* values);

}  // namespace tumble
