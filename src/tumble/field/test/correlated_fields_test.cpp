// Fields that depend on each other, and beams that share a field.
#include "tumble/field/correlated_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "field_samples.hpp"
#include "tumble/field/random_field.hpp"

namespace tumble {
namespace {

using Of = CorrelationMatrix::Of;

std::shared_ptr<const FieldExpansion> expansion(double tolerance = 0.05) {
  return std::make_shared<FieldExpansion>(uniform_nodes(std::vector{arc_length_curve(1)}, 101),
                                          CorrelationKernel::squared_exponential(0.7),
                                          Truncation{.tolerance = tolerance});
}

double covariance(const FieldMap& a, std::size_t p, const FieldMap& b, std::size_t q) {
  double sum = 0;
  for (std::size_t i = 0; i < a.germ_size(); ++i) sum += a.modes(p, i) * b.modes(q, i);
  return sum;
}

const std::vector<Vec3d> points = {{0, 0, 0}, {0.4, 0, 0}, {1, 0, 0}};

// Cov(Z_k(x), Z_l(x')) = R_kl rho(x, x'), up to the truncation.
TEST(CorrelatedFields, HaveTheCovarianceOfTheirMatrix) {
  const FieldMarginal modulus{.mean = 2e7, .std = 2e6}, ratio{.mean = 0.3, .std = 0.015},
      density{.mean = 7200, .std = 72};
  const CorrelatedFields fields({modulus, ratio, density},
                                {.rows = {{1, -0.6, 0.2}, {-0.6, 1, 0.3}, {0.2, 0.3, 1}}},
                                expansion(1e-8));
  const double std[] = {2e6, 0.015, 72};
  const double matrix[3][3] = {{1, -0.6, 0.2}, {-0.6, 1, 0.3}, {0.2, 0.3, 1}};
  const auto kernel = CorrelationKernel::squared_exponential(0.7);
  EXPECT_EQ(fields.germ_size(), 3 * fields.expansion().terms());
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) {
      const FieldMap a = fields.map(k, points), b = fields.map(l, points);
      ASSERT_EQ(a.germ_size(), fields.germ_size());
      for (std::size_t p = 0; p < 3; ++p)
        for (std::size_t q = 0; q < 3; ++q)
          EXPECT_NEAR(covariance(a, p, b, q) / (std[k] * std[l]),
                      matrix[k][l] * kernel(points[p], points[q]), 2e-8);
    }
}

TEST(CorrelatedFields, FirstFieldIsTheFieldByItself) {
  const FieldMarginal modulus{.law = FieldLaw::lognormal, .mean = 2e7, .std = 2e6},
      ratio{.mean = 0.3, .std = 0.015};
  const auto common = expansion();
  const CorrelatedFields fields({modulus, ratio}, {.rows = {{1, 0.5}, {0.5, 1}}}, common);
  const FieldMap joint = fields.map(0, points), alone = make_field_map(modulus, *common, points);
  const auto germ = sample_germ(fields.germ_size(), 3, 0);
  const auto a = joint.values(germ);
  const auto b = alone.values(std::span(germ).first(common->terms()));
  for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(a[p], b[p]);
  // Each law stays what it is, whatever the correlation.
  const FieldMap second = fields.map(1, points);
  const FieldMap second_alone = make_field_map(ratio, *common, points);
  for (std::size_t p = 0; p < 3; ++p) {
    EXPECT_NEAR(second.moments(p).std, second_alone.moments(p).std, 1e-15);
    EXPECT_EQ(second.moments(p).mean, 0.3);
  }
}

// Two lognormal numbers: corr = (exp(r s t) - 1) / sqrt((exp(s^2) - 1) (exp(t^2) - 1)).
TEST(CorrelatedFields, TellFieldsFromTheirGaussianFields) {
  const FieldMarginal first{.law = FieldLaw::lognormal, .mean = 2, .std = 1},
      second{.law = FieldLaw::lognormal, .mean = 5, .std = 4}, normal{.mean = 1, .std = 3};
  const auto common = expansion();
  const double s = std::sqrt(std::log1p(0.25)), t = std::sqrt(std::log1p(0.64));
  const CorrelatedFields by_fields({first, second}, {.rows = {{1, 0.4}, {0.4, 1}}}, common);
  EXPECT_NEAR(by_fields.gaussian_correlation(0, 1), std::log1p(0.4 * 0.5 * 0.8) / (s * t), 1e-9);
  const CorrelatedFields mixed({first, normal}, {.rows = {{1, 0.4}, {0.4, 1}}}, common);
  EXPECT_NEAR(mixed.gaussian_correlation(0, 1), 0.4 * 0.5 / s, 1e-9);
  const CorrelatedFields by_scores({first, second},
                                   {.of = Of::normal_scores, .rows = {{1, 0.4}, {0.4, 1}}}, common);
  EXPECT_EQ(by_scores.gaussian_correlation(0, 1), 0.4);
}

TEST(CorrelatedFields, RefuseWhatCannotBe) {
  const FieldMarginal normal{.mean = 1, .std = 3};
  const FieldMarginal changing{.law = FieldLaw::lognormal,
                               .mean = 1,
                               .std = PositionFunction::piecewise_linear({{0, 0.1}, {1, 0.2}})};
  const auto common = expansion();
  const std::vector<std::vector<double>> half = {{1, 0.5}, {0.5, 1}};
  EXPECT_THROW(CorrelatedFields({normal, normal}, {.rows = {{1, 1.2}, {1.2, 1}}}, common),
               std::invalid_argument);
  EXPECT_THROW(CorrelatedFields({normal}, {.rows = half}, common), std::invalid_argument);
  EXPECT_THROW(CorrelatedFields({}, {.rows = {}}, common), std::invalid_argument);
  EXPECT_THROW(CorrelatedFields({normal, changing}, {.rows = half}, common), std::invalid_argument);
  EXPECT_NO_THROW(
      CorrelatedFields({normal, changing}, {.of = Of::normal_scores, .rows = half}, common));
}

// The beams of the double pendulum at t = 0, an L in the plane: one field over their points in
// space.
TEST(SharedField, CorrelatesBeamsByTheirDistanceInSpace) {
  const auto kernel = CorrelationKernel::squared_exponential(0.3);
  const FieldCurve first = straight_curve({0, 0, 0}, {0.3, 0, 0});
  const FieldCurve second = straight_curve({0.3, 0, 0}, {0.3, 0.4, 0});
  for (const auto method : {ExpansionMethod::eole, ExpansionMethod::karhunen_loeve}) {
    const RandomField field({.marginal = {.mean = 2e7, .std = 2e6},
                             .kernel = kernel,
                             .method = method,
                             .curves = {first, second},
                             .truncation = {.tolerance = 1e-6}});
    EXPECT_LT(field.expansion().report().largest_error, 1e-6);
    const std::vector<Vec3d> on_first = {first.point(0), first.point(0.17), first.point(0.3)};
    const std::vector<Vec3d> on_second = {second.point(0), second.point(0.05), second.point(0.4)};
    const FieldMap a = field.map(on_first), b = field.map(on_second);
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t q = 0; q < 3; ++q)
        EXPECT_NEAR(covariance(a, p, b, q) / 4e12, kernel(on_first[p], on_second[q]), 2e-6);
    // Where they meet, they have the same value.
    const auto germ = sample_germ(field.germ_size(), 8, 0);
    EXPECT_EQ(a.values(germ)[2], b.values(germ)[0]);
  }
}

}  // namespace
}  // namespace tumble
