// Ratios of means with intervals, in one pass: what Sobol' indices are estimated by.
//
// Of independent blocks j = 1 ... n come a numerator x_j, a denominator d_j and a control q_j whose
// mean is known to be zero. The estimate of E x / E d is
//   R = mean(x - c q) / mean(d),   c = mean((x - R d) q) / mean(q^2),
// with the c of least variance, and by the delta method
//   Var R = mean((x - c q - R d)^2) / (n mean(d)^2).
// Nine sums of a ratio are all that this needs. Numerators are products of two deviations, whose
// kurtosis is 9 if these are normal; a variance from n such values has 2 n / (9 - 1) degrees of
// freedom (Satterthwaite), and so has the Student distribution of the interval.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {

struct RatioEstimate {
  double value, error;  ///< and its standard error
  Interval interval;
};

class ControlledRatios {
 public:
  explicit ControlledRatios(std::size_t count) : sums_(count) {}

  std::size_t size() const { return sums_.size(); }
  void add(std::size_t i, double x, double d, double q) {
    auto& s = sums_[i];
    s[0] += x, s[1] += d, s[2] += q;
    s[3] += x * x, s[4] += d * d, s[5] += q * q;
    s[6] += x * d, s[7] += x * q, s[8] += d * q;
  }
  /// Of `blocks` blocks that were added, with the t of t_of(). NaN where the denominator is zero.
  RatioEstimate estimate(std::size_t i, std::uint64_t blocks, double t) const;
  /// NaN for fewer than 8 blocks, which tell no interval.
  static double t_of(std::uint64_t blocks, double level);

 private:
  std::vector<std::array<double, 9>> sums_;
};

}  // namespace tumble
