// A model's outputs as polynomials of the germs, and what their coefficients say.
//
// The basis is orthonormal, so that moments are sums of products of coefficients: Wu et al. (2016),
// Eqs. (33)-(35) with gamma = 1. Sobol' indices: B. Sudret, "Global sensitivity analysis using
// polynomial chaos expansions", Reliab. Eng. Syst. Saf. 93 (2008).
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "tumble/chaos/basis/polynomial_basis.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// Many outputs at once: every probed number at every time. Lists have one entry per output.
/// Immutable; may be used by many threads.
class Expansion {
 public:
  /// One row of coefficients per term, one column per output.
  Expansion(PolynomialBasis basis, DenseMatrix coefficients);

  const PolynomialBasis& basis() const { return basis_; }
  const DenseMatrix& coefficients() const { return coefficients_; }
  std::size_t outputs() const { return coefficients_.columns(); }

  /// Coefficients of the constant.
  std::vector<double> means() const;
  /// Sums of squares of all other coefficients.
  std::vector<double> variances() const;
  double covariance(std::size_t output_1, std::size_t output_2) const;
  /// Rows and columns in the order of `outputs`.
  DenseMatrix covariance(std::span<const std::size_t> outputs) const;

  // Sobol' indices, between 0 and 1; NaN for an output that does not vary. A group is a list of
  // germs: those of a random field, or of variables that are correlated, belong together.

  /// Share of the variance that is due to germs of the group alone, interactions within included:
  /// for a group of one, the first-order index.
  std::vector<double> closed_sobol(std::span<const std::size_t> group) const;
  /// Share that would be gone if the group did not vary: with all interactions it takes part in.
  std::vector<double> total_sobol(std::span<const std::size_t> group) const;
  std::vector<double> first_sobol(std::size_t germ) const { return closed_sobol({&germ, 1}); }
  std::vector<double> total_sobol(std::size_t germ) const { return total_sobol({&germ, 1}); }

  /// The surrogate: all outputs at one point, or at one point per row.
  void evaluate(std::span<const double> germs, std::span<double> values) const;
  DenseMatrix at(const DenseMatrix& points) const;
  /// The outputs [first, first + count) where terms have the values of basis().at(), one row per
  /// point.
  DenseMatrix from_terms(const DenseMatrix& terms, std::size_t first, std::size_t count) const;

 private:
  /// Sums of squares over terms that `choose` takes, given which germs are in the group.
  template <class Choose>
  std::vector<double> share(std::span<const std::size_t> group, const Choose& choose) const;

  PolynomialBasis basis_;
  DenseMatrix coefficients_;
};

}  // namespace tumble
