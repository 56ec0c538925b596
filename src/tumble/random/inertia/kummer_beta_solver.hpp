// Finds the Kummer-Beta law with a given mean, and with a given dispersion.
#pragma once
#include <optional>

#include "tumble/random/inertia/matrix_kummer_beta.hpp"

namespace tumble {

/// The law of B, 0 < B < I, with E{B} = diag(mean): x minimises the convex function
///   log_partition(x) + sum_i x_i mean_i,
/// whose gradient is mean - E{B_ii} and whose Hessian is the covariance of the diagonal.
struct KummerBetaSolution {
  double a = 0.0, b = 0.0;
  Vec3<double> mean;         ///< the mean asked for
  Vec3<double> x;            ///< the exponent is -sum_i x_i B_ii
  MatrixKummerBeta moments;  ///< of the law found
  double residual = 0.0;     ///< largest |E{B_ii} / mean_i - 1|
  /// By how much the x_i mean_i of a coarser integration differ at most, and the Newton step that
  /// would come next: an estimate from above of the error left in them.
  double accuracy = 0.0;
  int iterations = 0;  ///< of Newton's method

  /// sqrt(E{||G - I||_F^2} / 3) for G = diag(mean)^(-1/2) B diag(mean)^(-1/2).
  double dispersion() const;
};

/// For a > 2, b > 1 and 0 < mean_i < 1. Throws std::runtime_error if Newton's method does not end.
KummerBetaSolution solve_kummer_beta(double a, double b, const Vec3<double>& mean);

/// Where a law of given dispersion is looked for: lambda_l = 2 - a below -1, and dispersions down
/// to some thousandths.
constexpr double smallest_a = 3.0, largest_a = 1e6;

/// The law with the dispersion `delta`: a in (smallest_a, largest_a), and b given or equal to a.
/// Throws std::invalid_argument with the attainable range if `delta` is outside.
KummerBetaSolution solve_kummer_beta_for_dispersion(double delta, std::optional<double> b,
                                                    const Vec3<double>& mean);

}  // namespace tumble
