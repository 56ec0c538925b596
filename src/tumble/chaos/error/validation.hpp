// What runs that were kept out of a fit say about its errors.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "tumble/chaos/error/error_estimate.hpp"
#include "tumble/chaos/error/validation_points.hpp"
#include "tumble/chaos/expansion.hpp"

namespace tumble {

/// Lower and upper ends, one entry per output.
struct Intervals {
  std::vector<double> lower, upper;
};

/// Model y, polynomial p and residual r = y - p at m points with weights w (sum 1). From
///
///   E{y} - E{p} = E{r},   Var{y} - Var{p} = E{r (r + 2 (p - E{p}))} - E{r}^2
///
/// and E{r^2}, weighted means tell how wrong mean, deviation and polynomial are. The points fill
/// their cube evenly, so that neighbours are alike and the usual variance of a mean would be far
/// too large: each point is paired with a near one, as if two points had been drawn in each of m /
/// 2 strata, and the variance of sum_i z_i is the sum of (z_i - z_j)^2 over pairs (W. G. Cochran,
/// Sampling Techniques, section 5A.12, collapsed strata). Intervals take Student's quantile with as
/// many degrees of freedom as pairs carry that sum, (sum d^2)^2 / sum d^4, at least 3.
///
/// Every result is for `confidence`, two-sided. Immutable; may be used by many threads.
class Validation {
 public:
  static constexpr std::size_t least_points = 16;  ///< fewer say too little

  /// One row of `values` per point; those with a 1 in `failed` are left out (empty: none failed).
  /// @throws std::invalid_argument if fewer than least_points are left. Refers to `expansion`.
  Validation(const Expansion& expansion, const ValidationPoints& points, const DenseMatrix& values,
             std::span<const std::uint8_t> failed, double confidence);

  std::size_t points() const { return weights_.size(); }

  /// `mean` and `std`: what these are wrong by at most. `relative`: E{r^2} / Var{y} with its
  /// interval, on a logarithmic scale; its upper end allows for a point not met that weighs as much
  /// as the heaviest of those met, and up to three times as much where tails are met more rarely
  /// (tail_share()).
  ChaosErrors errors() const;

  /// What quantiles, [output][probability], are wrong by at most. If |r| <= b wherever p is near a
  /// quantile of p, the quantile of y is within b of it. b is taken as 2.2 times the weighted root
  /// mean square of r at the 12 points whose p is next to the quantile, or at all within b of it.
  std::vector<double> quantile_errors(std::span<const double> quantiles,
                                      std::size_t probabilities) const;

  /// Of Sobol' indices of a group of germs: N / Var{y} with N = ||P y||^2, P the projection on
  /// functions of the group alone (closed index) or on those that vanish without it (total index).
  /// N = ||P p||^2 + 2 E{r P p} + ||P r||^2, where the second is measured and the third lies
  /// between 0 and E{r^2}.
  Intervals closed_sobol(std::span<const std::size_t> group) const;
  Intervals total_sobol(std::span<const std::size_t> group) const;

 private:
  struct Spread {
    double error = 0, quantile = 0;  ///< standard error, and Student's quantile
    double half_width() const { return quantile * error; }
  };

  /// The weighted mean of `numbers`, whose contributions to its error take their place.
  double take_mean(std::span<double> numbers) const;
  /// Of a number with these contributions to its error.
  Spread spread_of(std::span<const double> parts) const;
  void set_residuals(const DenseMatrix& values, std::span<const std::size_t> kept);
  void set_variances();
  template <class Choose>
  Intervals sobol(std::span<const std::size_t> group, const Choose& choose) const;

  const Expansion& expansion_;
  std::vector<double> weights_;  ///< their sum is 1
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  DenseMatrix basis_;                               ///< [point][term]
  DenseMatrix surrogate_, residuals_;               ///< [output][point]
  std::vector<double> means_, variances_;           ///< of the expansion
  std::vector<double> squares_;                     ///< E{r^2}
  std::vector<double> unseen_;                      ///< the square of a point not met, with weight
  std::vector<double> shifts_, model_variances_;    ///< E{r}, Var{y}
  DenseMatrix shift_parts_, model_variance_parts_;  ///< [output][point], of their errors
  std::vector<double> student_;                     ///< quantiles by 1 / degrees of freedom
};

}  // namespace tumble
