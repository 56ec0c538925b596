#include "tumble/field/field_marginal.hpp"

#include <fmt/core.h>

#include <cmath>
#include <stdexcept>

namespace tumble {

PointMoments moments_at(const FieldMarginal& marginal, const Vec3d& x) {
  const PointMoments moments{marginal.mean(x), marginal.std(x)};
  if (!(moments.std >= 0))
    throw std::invalid_argument(
        fmt::format("random field: standard deviation = {} at ({}, {}, {}) m must not be negative",
                    moments.std, x.x, x.y, x.z));
  if (marginal.law == FieldLaw::lognormal && !(moments.mean > 0))
    throw std::invalid_argument(
        fmt::format("random field: mean = {} at ({}, {}, {}) m must be positive, as a lognormal "
                    "field is positive everywhere",
                    moments.mean, x.x, x.y, x.z));
  return moments;
}

double log_std(const PointMoments& moments) {
  const double cv = moments.std / moments.mean;
  return std::sqrt(std::log1p(cv * cv));
}

CorrelationFunction gaussian_correlation(const CorrelationKernel& kernel,
                                         const FieldMarginal& marginal, FieldCorrelationOf of) {
  if (marginal.law == FieldLaw::gaussian || of == FieldCorrelationOf::gaussian) return kernel;
  return [kernel, marginal](const Vec3d& x, const Vec3d& y) {
    const double rho = kernel(x, y);
    const PointMoments at_x = moments_at(marginal, x), at_y = moments_at(marginal, y);
    const double product = log_std(at_x) * log_std(at_y);
    // Without variance on either side, the limit for small ones.
    if (product == 0) return rho;
    return std::log1p(rho * (at_x.std / at_x.mean) * (at_y.std / at_y.mean)) / product;
  };
}

}  // namespace tumble
