#include "tumble/field/correlated_fields.hpp"

#include <fmt/core.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

/// Relative change of a coefficient of variation along a field that may be rounding.
constexpr double same_cv = 1e-9;

/// A number with the dependence on its normal score that the field has at every point, up to shift
/// and scale, which correlations do not see.
ScalarLaw point_law(const FieldMarginal& marginal, std::size_t k, CorrelationMatrix::Of of,
                    std::span<const Vec3d> points) {
  if (marginal.law == FieldLaw::gaussian || of == CorrelationMatrix::Of::normal_scores)
    return ScalarLaw(NormalLaw{.mean = 0, .std = 1});
  const double first = log_std(moments_at(marginal, points.front()));
  for (const Vec3d& x : points) {
    const double here = log_std(moments_at(marginal, x));
    if (!(std::abs(here - first) <= same_cv * first))
      throw std::invalid_argument(fmt::format(
          "random fields: the coefficient of variation of lognormal field {} changes from "
          "place to place, so its correlation with other fields cannot be the same "
          "everywhere; give that of the underlying Gaussian fields",
          k + 1));
  }
  return ScalarLaw(LognormalLaw{.log_mean = 0, .log_std = first});
}

}  // namespace

CorrelatedFields::CorrelatedFields(std::vector<FieldMarginal> marginals,
                                   const CorrelationMatrix& correlation,
                                   std::shared_ptr<const FieldExpansion> expansion)
    : marginals_(std::move(marginals)), expansion_(std::move(expansion)) {
  std::vector<ScalarLaw> laws;
  for (std::size_t k = 0; k < size(); ++k)
    laws.push_back(point_law(marginals_[k], k, correlation.of, expansion_->probes()));
  // The matrix is checked and, between lognormal fields, solved for like that of random numbers.
  const GaussianCopula copula(std::move(laws), correlation);
  Eigen::MatrixXd matrix(size(), size());
  for (std::size_t k = 0; k < size(); ++k)
    for (std::size_t l = 0; l < size(); ++l) matrix(k, l) = copula.score_correlation(k, l);
  const Eigen::MatrixXd factor = matrix.llt().matrixL();
  for (std::size_t k = 0; k < size(); ++k)
    for (std::size_t l = 0; l < size(); ++l) {
      correlation_.push_back(matrix(k, l));
      factor_.push_back(factor(k, l));
    }
}

double CorrelatedFields::gaussian_correlation(std::size_t k, std::size_t l) const {
  return correlation_.at(k * size() + l);
}

FieldMap CorrelatedFields::map(std::size_t k, std::span<const Vec3d> points) const {
  FieldMap map = make_field_map(marginals_.at(k), *expansion_, points);
  const std::size_t terms = expansion_->terms();
  // Rows of L have unit length, so the offset is what it is for the field by itself.
  ModeMatrix joint(points.size(), germ_size());
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t l = 0; l <= k; ++l)
      for (std::size_t i = 0; i < terms; ++i)
        joint(p, l * terms + i) = factor_[k * size() + l] * map.modes(p, i);
  map.modes = std::move(joint);
  return map;
}

}  // namespace tumble
