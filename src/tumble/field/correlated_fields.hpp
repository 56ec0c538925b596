// Several random fields that depend on each other, such as Young's modulus and Poisson's ratio.
//
// Their standard Gaussian fields Z_k have one correlation function rho in space and a matrix R
// between each other: Cov(Z_k(x), Z_l(x')) = R_kl rho(x, x'), positive definite for every
// correlation matrix R. With one expansion for all and R = L L^T,
//
//   Z_k(x) ~ sum_l L_kl sum_i xi_li g_i(x),
//
// so field k is a function of the blocks xi_0 ... xi_k of a joint germ, block l having the numbers
// l m ... l m + m - 1, m being the terms of the expansion.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "tumble/field/field_expansion.hpp"
#include "tumble/field/field_map.hpp"
#include "tumble/random/law/gaussian_copula.hpp"

namespace tumble {

/// Immutable; may be used by many threads.
class CorrelatedFields {
 public:
  /// The correlation is that of the fields at the same point (Of::variables), or of their Gaussian
  /// fields (Of::normal_scores); the two differ where a field is lognormal. Throws
  /// std::invalid_argument for a matrix that is no correlation matrix; for a correlation that the
  /// laws cannot have; and for one of the fields themselves if a lognormal one has a coefficient of
  /// variation that changes from place to place, since then it could not be the same everywhere.
  CorrelatedFields(std::vector<FieldMarginal> marginals, const CorrelationMatrix& correlation,
                   std::shared_ptr<const FieldExpansion> expansion);

  std::size_t size() const { return marginals_.size(); }
  std::size_t germ_size() const { return size() * expansion_->terms(); }
  const FieldExpansion& expansion() const { return *expansion_; }
  /// R_kl
  double gaussian_correlation(std::size_t k, std::size_t l) const;
  /// Of field k, from the joint germ.
  FieldMap map(std::size_t k, std::span<const Vec3d> points) const;

 private:
  std::vector<FieldMarginal> marginals_;
  std::shared_ptr<const FieldExpansion> expansion_;
  std::vector<double> correlation_;  ///< R, by rows
  std::vector<double> factor_;       ///< L, by rows
};

}  // namespace tumble
