// The law of a random field at each point, and the Gaussian field behind a lognormal one.
#pragma once
#include "tumble/field/correlation_kernel.hpp"
#include "tumble/field/position_function.hpp"

namespace tumble {

enum class FieldLaw {
  gaussian,  ///< H = mean + std Z
  lognormal  ///< H = exp(log_mean + log_std Z), positive everywhere
};

/// Mean and standard deviation are those of the field H itself, for both laws.
struct FieldMarginal {
  FieldLaw law = FieldLaw::gaussian;
  PositionFunction mean = 0.0;
  PositionFunction std = 1.0;
};

/// Of the field at one point.
struct PointMoments {
  double mean, std;
};

/// Throws std::invalid_argument if the standard deviation is negative, or the mean of a lognormal
/// field not positive.
PointMoments moments_at(const FieldMarginal& marginal, const Vec3d& x);

/// Standard deviation of log H for a lognormal number H: log_std^2 = log(1 + (std / mean)^2).
double log_std(const PointMoments& moments);

/// What a correlation was given for.
enum class FieldCorrelationOf {
  field,    ///< H
  gaussian  ///< Z, the standard Gaussian field of which H is a function
};

/// The correlation of Z. For a Gaussian field it is the kernel. For a lognormal one whose own
/// correlation is the kernel, from Cov(H, H') = mean mean' (exp(log_std log_std' rho_Z) - 1),
///
///   rho_Z(x, x') = log(1 + rho(x, x') cv(x) cv(x')) / (log_std(x) log_std(x')),   cv = std / mean.
///
/// Not every kernel and coefficient of variation leads to a correlation function, that is a
/// positive definite one; FieldExpansion refuses those that do not.
CorrelationFunction gaussian_correlation(const CorrelationKernel& kernel,
                                         const FieldMarginal& marginal, FieldCorrelationOf of);

}  // namespace tumble
