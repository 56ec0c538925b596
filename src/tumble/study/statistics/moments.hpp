// Means, central moments up to the fourth and extremes of an ensemble, realisation by realisation,
// without the values.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tumble/study/journal/byte_stream.hpp"
#include "tumble/study/layout.hpp"

namespace tumble {

/// Per output time the count n of realisations; per number the mean and the extremes with the
/// realisations that have them; per pair of components of a quantity the centred co-moment
/// C_ab = sum (x_a - mean_a) (x_b - mean_b), and per number T = sum (x - mean)^3 and
/// F = sum (x - mean)^4, for the standard error of the standard deviation.
///
/// Adding a realisation, with d = x - mean (B. P. Welford, Technometrics 4, 1962, and its
/// symmetric form for co-moments):
///   n <- n + 1,  mean <- mean + d / n,  C_ab <- C_ab + d_a d_b (n - 1) / n.
/// Merging A and B, with d = mean_B - mean_A (T. F. Chan, G. H. Golub, R. J. LeVeque, The American
/// Statistician 37, 1983):
///   mean = mean_A + d n_B / n,  C_ab = C_ab,A + C_ab,B + d_a d_b n_A n_B / n,
/// and (P. Pebay, report SAND2008-6212, Sandia National Laboratories, 2008), with C = C_aa,
///   T = T_A + T_B + d^3 n_A n_B (n_A - n_B) / n^2 + 3 d (n_A C_B - n_B C_A) / n,
///   F = F_A + F_B + d^4 n_A n_B (n_A^2 - n_A n_B + n_B^2) / n^3
///       + 6 d^2 (n_A^2 C_B + n_B^2 C_A) / n^2 + 4 d (n_A T_B - n_B T_A) / n.
/// Adding is merging with B = {x}. Where fourth powers leave the range of doubles, F is not finite.
///
/// Errors to first order, for leaves of 64 and chains of L merges, with u = 2^-53, X the largest
/// |x| and kappa = X / standard deviation: the mean is within (40 + 4 L) u X, a variance relatively
/// within (4 sqrt(1 + L / 4) (40 + 4 L) kappa + 67 + 5 L) u. Derived in docs/theory/statistics.md.
///
/// A realisation that fails counts at the times before its failure, so counts may differ from time
/// to time. Arrays are [number][time] and [pair][time]: every loop runs along contiguous times.
class Moments {
 public:
  /// Stands for "none" where no realisation counts.
  static constexpr std::int64_t no_realization = std::numeric_limits<std::int64_t>::max();

  explicit Moments(LayoutPointer layout);

  /// Adds one realisation, at its first `valid_times` output times. In order of increasing index:
  /// of equal extremes the first one stays. The values must be usable; see usable_times() for that
  /// and for `stride`.
  void add(std::int64_t realization, const double* values, std::size_t stride,
           std::size_t valid_times) {
    const Run run{values, valid_times};
    add(realization, {&run, 1}, stride);
  }
  /// The same for several, the first of which has the index `realization`: their sums are fetched
  /// from memory once.
  struct Run {
    const double* values;
    std::size_t valid_times;
  };
  void add(std::int64_t realization, std::span<const Run> runs, std::size_t stride);
  /// The union of two disjoint sets. Of equal extremes the one with the lower index stays.
  static Moments merge(const Moments& a, const Moments& b);

  const StatisticsLayout& layout() const { return *layout_; }
  std::uint64_t count(std::size_t time) const { return counts_[time]; }
  /// NaN where nothing counts, as are the extremes.
  double mean(std::size_t time, std::size_t number) const;
  /// C_ab / (n - 1), of the components a and b of a quantity; NaN for n < 2.
  double covariance(std::size_t time, std::size_t quantity, std::size_t a, std::size_t b) const;
  double variance(std::size_t time, std::size_t number) const;
  double standard_deviation(std::size_t time, std::size_t number) const;
  /// sum (x - mean)^3 / n and sum (x - mean)^4 / n; NaN where nothing counts.
  double third_moment(std::size_t time, std::size_t number) const;
  double fourth_moment(std::size_t time, std::size_t number) const;
  double minimum(std::size_t time, std::size_t number) const;
  double maximum(std::size_t time, std::size_t number) const;
  std::int64_t minimum_realization(std::size_t time, std::size_t number) const;
  std::int64_t maximum_realization(std::size_t time, std::size_t number) const;

  struct Counted;  ///< a realisation, while it is added

  void write(ByteWriter& out) const;
  static Moments read(ByteReader& in, LayoutPointer layout);
  std::size_t bytes() const;

 private:
  std::size_t at(std::size_t time, std::size_t number) const {
    return number * layout_->times() + time;
  }
  void add_counted(std::size_t t, std::size_t times, std::span<const Counted> runs,
                   std::size_t stride);
  double co_moment(std::size_t time, std::size_t pair) const;
  double per_count(std::size_t time, double sum) const;

  LayoutPointer layout_;
  std::vector<std::uint64_t> counts_;    ///< [time]
  std::vector<double> means_;            ///< [number][time]
  std::vector<double> co_moments_;       ///< [pair][time]
  std::vector<double> cubes_, fourths_;  ///< [number][time]: T and F
  std::vector<double> minima_, maxima_;
  std::vector<std::int64_t> minimum_at_, maximum_at_;
};

}  // namespace tumble
