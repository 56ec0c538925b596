// Correlation of two random numbers that are functions of correlated normal scores.
//
// X = x(Z) and Y = y(W) with standard normal scores Z, W of correlation r. In normalised Hermite
// polynomials h_k, (x(z) - E{X}) / std(X) = sum_k a_k h_k(z), and Mehler's formula E{h_j(Z) h_k(W)}
// = r^k if j = k, else 0, gives
//
//   corr(X, Y) = sum_{k >= 1} a_k b_k r^k,      sum a_k^2 = sum b_k^2 = 1.
//
// That is the integral equation of A. Nataf (Comptes Rendus 225, 1962) and of P.-L. Liu and A. Der
// Kiureghian (Probabilistic Engineering Mechanics 1, 1986), with one integral for each law and k in
// place of a double integral for each pair and trial value of r.
#pragma once
#include <span>
#include <vector>

#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

class HermiteExpansion {
 public:
  /// Of a law with a positive variance.
  explicit HermiteExpansion(const ScalarLaw& law);

  /// a_1, a_2, ...
  std::span<const double> coefficients() const { return coefficients_; }
  /// Root of the sum of squares of all coefficients that follow.
  double remainder() const { return remainder_; }

 private:
  std::vector<double> coefficients_;
  double remainder_;
};

struct CorrelationRange {
  double min, max;
};

struct ScoreCorrelation {
  double value;  ///< r
  double error;  ///< bound of what the neglected terms change in corr(X, Y)
};

/// The correlation of two laws as a function of the correlation r of their scores.
class PairCorrelation {
 public:
  /// With the expansions of the laws.
  PairCorrelation(const ScalarLaw& x, const ScalarLaw& y, const HermiteExpansion& expansion_x,
                  const HermiteExpansion& expansion_y);

  /// What can be attained: with the scores W = -Z and W = Z.
  CorrelationRange range() const { return range_; }
  /// corr(X, Y)
  double at(double r) const;
  /// The r that gives a correlation strictly inside the range.
  ScoreCorrelation scores_for(double correlation) const;

 private:
  CorrelationRange range_;
  std::vector<double> terms_;  ///< a_k b_k
  double remainder_;           ///< bound of the sum of the terms that are neglected
};

}  // namespace tumble
