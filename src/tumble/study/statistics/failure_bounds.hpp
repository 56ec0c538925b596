// What mean and standard deviation of all realisations can be at most and at least, where some
// failed but are known to lie in a range.
#pragma once
#include <cstdint>

namespace tumble {

struct ValueRange {
  double lower, upper;
};

struct MomentBounds {
  double mean_lower, mean_upper;
  double deviation_lower, deviation_upper;
};

/// Of `total` values, of which `counted` have this mean and standard deviation (n - 1) and the
/// others lie anywhere in `range`. The bounds are reached.
///
/// With m counted values, k others with mean v, n = m + k and C the sum of squares about the mean
/// a of the counted ones, the sum of squares of all is
///   S = C + W + (m k / n) (v - a)^2,
/// W being that of the others about v. It is smallest for W = 0 and v nearest to a. As a convex
/// function of the others' values it is largest where each is at an end of the range; with j of
/// them at the upper one, and D the width of the range, W = D^2 j (k - j) / k and
/// v = lower + D j / k, a concave parabola in j with its top at
///   j = (n D + 2 m (lower - a)) / (2 D).
MomentBounds moment_bounds(double mean, double deviation, std::uint64_t counted,
                           std::uint64_t total, const ValueRange& range);

}  // namespace tumble
