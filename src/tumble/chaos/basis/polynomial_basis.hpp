// Products of orthonormal polynomials in independent germs: an orthonormal basis.
#pragma once
#include <span>
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/basis/multi_index.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// Psi_i(g) = product of p_{i_k}(g_k): Wu et al. (2016), Eq. (31), with E{Psi_i Psi_j} = delta_ij.
class PolynomialBasis {
 public:
  PolynomialBasis(const InputSpace& space, const MultiIndexSet& terms);
  PolynomialBasis(std::vector<OrthonormalPolynomials> polynomials, MultiIndexSet terms);

  const MultiIndexSet& terms() const { return terms_; }
  std::size_t size() const { return terms_.size(); }
  std::size_t variables() const { return polynomials_.size(); }
  const OrthonormalPolynomials& polynomials(std::size_t k) const { return polynomials_[k]; }

  /// All terms at a point of the germs: size() numbers.
  void evaluate(std::span<const double> germs, std::span<double> values) const;
  /// One row per point.
  DenseMatrix at(const DenseMatrix& points) const;
  /// The same polynomials with other terms of at most the same degrees.
  PolynomialBasis with(MultiIndexSet terms) const;

 private:
  std::vector<OrthonormalPolynomials> polynomials_;
  MultiIndexSet terms_;
  std::vector<std::size_t> first_;  ///< where the values of each variable's polynomials begin
};

}  // namespace tumble
