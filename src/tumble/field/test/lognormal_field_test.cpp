// Lognormal fields: moments, correlation of the field and of the Gaussian field behind it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "field_samples.hpp"
#include "tumble/field/random_field.hpp"

namespace tumble {
namespace {

RandomField lognormal(double mean, double std, const CorrelationKernel& kernel,
                      FieldCorrelationOf of, const Truncation& truncation = {}) {
  return RandomField({.marginal = {.law = FieldLaw::lognormal, .mean = mean, .std = std},
                      .kernel = kernel,
                      .correlation_of = of,
                      .curves = {arc_length_curve(1)},
                      .truncation = truncation});
}

/// Correlation of the values of a lognormal map at two of its points, from the covariance c of the
/// logarithms: Cov(H, H') = mean mean' (exp(c) - 1).
double correlation(const FieldMap& map, std::size_t p, std::size_t q) {
  double c = 0;
  for (std::size_t i = 0; i < map.germ_size(); ++i) c += map.modes(p, i) * map.modes(q, i);
  const PointMoments at_p = map.moments(p), at_q = map.moments(q);
  return at_p.mean * at_q.mean * std::expm1(c) / (at_p.std * at_q.std);
}

const std::vector<Vec3d> points = {{0, 0, 0}, {0.2, 0, 0}, {0.55, 0, 0}, {1, 0, 0}};

TEST(LognormalField, KeepsTheMeanExactlyAndTheDeviationUpToTheVarianceError) {
  // The error of log H is below the tolerance at every point, and by it the variance falls short.
  for (const double tolerance : {0.05, 1e-8}) {
    const RandomField field = lognormal(2e7, 6e6, CorrelationKernel::squared_exponential(0.5),
                                        FieldCorrelationOf::gaussian, {.tolerance = tolerance});
    const FieldMap map = field.map(points);
    const double variance_of_log = std::log1p(0.09);
    const auto errors = field.expansion().variance_error(points);
    for (std::size_t p = 0; p < points.size(); ++p) {
      EXPECT_NEAR(map.moments(p).mean, 2e7, 1e-6);
      EXPECT_NEAR(map.moments(p).std,
                  2e7 * std::sqrt(std::expm1(variance_of_log * (1 - errors[p]))), 1e-5);
      EXPECT_NEAR(map.moments(p).std, 6e6, tolerance * 6e6);
    }
  }
}

TEST(LognormalField, HasTheCorrelationItWasGivenFor) {
  const auto kernel = CorrelationKernel::matern(0.5, 1.5);
  const Truncation all_but_rounding{.tolerance = 1e-5};
  // mean, std, correlation of H: the kernel.
  const FieldMap own =
      lognormal(3, 1.2, kernel, FieldCorrelationOf::field, all_but_rounding).map(points);
  // Correlation of log H: the kernel.
  const FieldMap behind =
      lognormal(3, 1.2, kernel, FieldCorrelationOf::gaussian, all_but_rounding).map(points);
  const double s2 = std::log1p(0.16);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t q = 0; q < points.size(); ++q) {
      const double rho = kernel(points[p], points[q]);
      EXPECT_NEAR(correlation(own, p, q), rho, 2e-5);
      EXPECT_NEAR(correlation(behind, p, q), std::expm1(s2 * rho) / std::expm1(s2), 2e-5);
    }
  EXPECT_GT(correlation(own, 0, 3), 1.05 * correlation(behind, 0, 3));
}

TEST(LognormalField, FollowsMeansAndDeviationsOfPosition) {
  const FieldMarginal marginal{.law = FieldLaw::lognormal,
                               .mean = PositionFunction([](const Vec3d& p) { return 1 + p.x; }),
                               .std = PositionFunction::piecewise_linear({{0, 0}, {1, 0.8}})};
  const auto kernel = CorrelationKernel::exponential(2);
  const RandomField field({.marginal = marginal,
                           .kernel = kernel,
                           .curves = {arc_length_curve(1)},
                           .nodes = 201,
                           .truncation = {.tolerance = 2e-3}});
  const FieldMap map = field.map(points);
  // Where the deviation is 0, the field is its mean.
  EXPECT_NEAR(map.values(sample_germ(field.germ_size(), 1, 1))[0], 1, 1e-15);
  for (std::size_t p = 1; p < points.size(); ++p) {
    EXPECT_NEAR(map.moments(p).mean, 1 + points[p].x, 1e-12);
    EXPECT_NEAR(map.moments(p).std, 0.8 * points[p].x, 2e-3);
    EXPECT_NEAR(correlation(map, 1, p), kernel(points[1], points[p]), 2e-2);
  }
}

// Moments of 40000 realisations within 5 standard errors, a false-alarm rate of 6e-7 each.
TEST(LognormalField, SamplesHaveItsMoments) {
  const RandomField field = lognormal(2, 0.5, CorrelationKernel::squared_exponential(1),
                                      FieldCorrelationOf::field, {.tolerance = 1e-4});
  const FieldMap map = field.map(points);
  ProductMean mean, variance, covariance;
  double smallest = 1e9;
  for (std::uint64_t n = 0; n < 40'000; ++n) {
    const auto h = map.values(sample_germ(field.germ_size(), 21, n));
    mean.add(h[1], 1);
    variance.add(h[1] - 2, h[1] - 2);
    covariance.add(h[0] - 2, h[3] - 2);
    smallest = std::min({smallest, h[0], h[1], h[2], h[3]});
  }
  EXPECT_GT(smallest, 0);
  EXPECT_NEAR(mean.mean(), 2, 5 * mean.standard_error());
  // The truncation takes up to 1e-4 of the variance.
  EXPECT_NEAR(variance.mean(), 0.25, 5 * variance.standard_error() + 3e-5);
  EXPECT_NEAR(covariance.mean(), 0.25 * std::exp(-1.0), 5 * covariance.standard_error() + 3e-5);
}

// log(1 + cv^2 exp(-d^2 / a^2)) is not positive definite. For a small cv that hardly matters, for a
// large one it does; NumPy 1.24.2 (eigh, 201 nodes, a = 0.1) finds an excess of the variance
// of 1.18e-4 for cv = 0.3 and of 1.59e-2 for cv = 2.
TEST(LognormalField, RefusesCorrelationsThatNoLognormalFieldHas) {
  const auto kernel = CorrelationKernel::squared_exponential(0.1);
  const auto excess = [&](const CorrelationKernel& of_field, double cv, double tolerance) {
    return lognormal(1, cv, of_field, FieldCorrelationOf::field, {.tolerance = tolerance})
        .expansion()
        .report()
        .excess_variance;
  };
  EXPECT_NEAR(excess(kernel, 0.3, 0.05), 1.18e-4, 1e-6);
  EXPECT_NEAR(excess(kernel, 2, 0.2), 1.59e-2, 1e-4);
  EXPECT_THROW(excess(kernel, 2, 0.05), std::invalid_argument);
  EXPECT_THROW(excess(kernel, 0.3, 1e-3), std::invalid_argument);
  EXPECT_LT(excess(CorrelationKernel::exponential(0.5), 2, 0.05), 1e-12);
  EXPECT_NO_THROW(lognormal(1, 2, kernel, FieldCorrelationOf::gaussian));
  EXPECT_THROW(lognormal(0, 0.1, kernel, FieldCorrelationOf::gaussian), std::invalid_argument);
  EXPECT_THROW(lognormal(-1, 0.1, kernel, FieldCorrelationOf::gaussian), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
