// Coefficients that fit values at any points best, for all outputs with one factorisation.
#pragma once
#include <span>
#include <vector>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

struct LeastSquaresFit {
  DenseMatrix coefficients;  ///< one row per term, one column per output
  /// Leave-one-out error relative to the variance of the values, one per output. Infinite if there
  /// are as many terms as points, 0 for an output that does not vary.
  std::vector<double> leave_one_out;
  /// The same times N / (N - P) (1 + tr(C^-1) / N) with C = Psi^T Psi / N, which makes up for the
  /// optimism of few points N for P terms (Blatman & Sudret 2011, Eq. (24); O. Chapelle, V. Vapnik,
  /// Y. Bengio, Machine Learning 48, 2002).
  std::vector<double> corrected_leave_one_out;
};

/// Minimises sum of w_i (y_i - sum_j c_j Psi_j(g_i))^2 by the QR factorisation of
/// sqrt(w_i) Psi_j(g_i): Wu et al. (2016), Eqs. (39) and (46), without forming Psi^T Psi, whose
/// condition number is the square.
class LeastSquares {
 public:
  /// `basis` has one row per point and one column per term. Weights are positive; none means equal
  /// ones. @throws std::invalid_argument if there are fewer points than terms, or if the points do
  /// not tell the terms apart (condition number above 1e12).
  explicit LeastSquares(const DenseMatrix& basis, std::span<const double> weights = {});

  /// Of the weighted matrix, in the 2-norm. Near 1 when points are many and well placed.
  double condition() const { return condition_; }
  /// The factor of corrected_leave_one_out.
  double correction() const { return correction_; }
  /// `values`: one row per point, one column per output.
  LeastSquaresFit fit(const DenseMatrix& values) const;

 private:
  DenseMatrix q_, r_inverse_;
  std::vector<double> root_weights_;
  std::vector<double> leverages_;  ///< sum of squares of the rows of Q
  double condition_ = 1, correction_ = 1;
};

/// Weighted sum of squares about the weighted mean, with rounding errors of constant values taken
/// for zero; weights empty for equal ones.
double spread_of(std::span<const double> values, std::span<const double> weights = {});

}  // namespace tumble
