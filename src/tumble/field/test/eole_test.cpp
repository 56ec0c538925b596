// EOLE: variance errors computed elsewhere, automatic truncation, what all terms together give, and
// samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "field_samples.hpp"
#include "tumble/field/field_expansion.hpp"
#include "tumble/field/random_field.hpp"

namespace tumble {
namespace {

FieldExpansion eole(double length, const CorrelationKernel& kernel, std::size_t nodes,
                    const Truncation& truncation = {}) {
  return FieldExpansion(uniform_nodes(std::vector{arc_length_curve(length)}, nodes), kernel,
                        truncation);
}

std::vector<Vec3d> places(std::initializer_list<double> arc_lengths) {
  std::vector<Vec3d> points;
  for (const double s : arc_lengths) points.push_back({s, 0, 0});
  return points;
}

struct ErrorValue {
  double length, correlation_length;
  std::size_t terms, nodes;
  double error;
};

// The kernel exp(-d^2 / a^2), from an independent computation by exact linear algebra.
constexpr ErrorValue error_values[] = {
    {1.0, 2, 2, 11, 0.002635}, {1.0, 2, 2, 51, 0.003094}, {1.0, 2, 2, 101, 0.003154},
    {0.3, 1, 1, 11, 0.043389}, {0.3, 1, 1, 51, 0.043453}, {0.3, 1, 1, 101, 0.043461},
    {0.4, 1, 1, 11, 0.075027}, {0.4, 1, 1, 51, 0.075219}, {0.4, 1, 1, 101, 0.075244},
    {0.4, 1, 2, 11, 0.001105}, {0.4, 1, 2, 51, 0.001302}, {0.4, 1, 2, 101, 0.001328},
};

TEST(Eole, HasTheVarianceErrorsOfTheReference) {
  for (const auto& [length, a, terms, nodes, error] : error_values) {
    const auto expansion =
        eole(length, CorrelationKernel::squared_exponential(a), nodes, {.terms = terms});
    EXPECT_NEAR(expansion.report().largest_error, error, 5.1e-7)
        << length << " m, " << terms << " terms, " << nodes << " nodes";
    EXPECT_EQ(expansion.report().largest_error_by_terms.at(terms - 1),
              expansion.report().largest_error);
  }
}

// Wu et al. (2016): the planar pendulum (6.1) and the two beams of the double pendulum (6.2).
TEST(Eole, TruncatesThePapersFieldsAsThePaperDoes) {
  const auto terms = [](double length, double a, std::optional<std::size_t> nodes) {
    return RandomField({.kernel = CorrelationKernel::squared_exponential(a),
                        .curves = {arc_length_curve(length)},
                        .nodes = nodes})
        .germ_size();
  };
  for (const std::optional<std::size_t> nodes : {std::optional<std::size_t>{}, {11}, {51}}) {
    EXPECT_EQ(terms(1.0, 2, nodes), 2u);
    EXPECT_EQ(terms(0.3, 1, nodes), 1u);
    EXPECT_EQ(terms(0.4, 1, nodes), 2u);
  }
  // "The maximum error is about 0.0032", at the ends of the beam as in its Figure 6.
  const RandomField poisson(
      {.kernel = CorrelationKernel::squared_exponential(2), .curves = {arc_length_curve(1)}});
  const ExpansionReport& report = poisson.expansion().report();
  EXPECT_NEAR(report.largest_error, 0.0032, 5e-5);
  EXPECT_TRUE(report.largest_error_place.x == 0 || report.largest_error_place.x == 1);
  EXPECT_LT(report.mean_error, report.largest_error);
}

TEST(Eole, TakesTheFewestTermsBelowTheTolerance) {
  for (const double tolerance : {0.2, 0.05, 1e-3, 1e-6}) {
    const auto kernel = CorrelationKernel::matern(0.3, 2.5);
    const auto expansion = eole(1, kernel, 101, {.tolerance = tolerance});
    EXPECT_LT(expansion.report().largest_error, tolerance);
    ASSERT_GT(expansion.terms(), 1u);
    const auto fewer = eole(1, kernel, 101, {.terms = expansion.terms() - 1});
    EXPECT_GE(fewer.report().largest_error, tolerance);
    // Beyond the sixteen terms that are looked at first, too.
    if (tolerance == 1e-6) {
      EXPECT_GT(expansion.terms(), 16u);
    }
  }
}

// With all terms, sum g_i(x_j) g_i(x_k) = rho(x_j, x_k), and the error at nodes is 0. Between them
// a field of exponential correlation is Markovian: the error in the middle of a gap h is tanh(h / 2
// a).
TEST(Eole, ReproducesTheCorrelationAtNodes) {
  const CorrelationKernel kernels[] = {
      CorrelationKernel::exponential(0.5), CorrelationKernel::matern(0.5, 1.5),
      CorrelationKernel::squared_exponential(0.2), CorrelationKernel::matern(0.1, 0.8)};
  for (const CorrelationKernel& kernel : kernels) {
    const auto all = eole(1, kernel, 21, {.terms = 21});
    const ModeMatrix modes = all.modes(all.nodes());
    double largest = 0;
    for (std::size_t j = 0; j < 21; ++j)
      for (std::size_t k = 0; k < 21; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < 21; ++i) sum += modes(j, i) * modes(k, i);
        largest = std::max(largest, std::abs(sum - kernel(all.nodes()[j], all.nodes()[k])));
      }
    EXPECT_LT(largest, 1e-9) << kernel.description();
    for (const double error : all.variance_error(all.nodes())) EXPECT_LT(error, 1e-9);
  }
  const auto rough = eole(1, CorrelationKernel::exponential(0.5), 21, {.terms = 21});
  EXPECT_NEAR(rough.report().largest_error, std::tanh(0.05 / (2 * 0.5)), 1e-12);
}

TEST(Eole, DropsEigenvaluesThatAreRounding) {
  const auto kernel = CorrelationKernel::squared_exponential(2);
  const auto expansion = eole(1, kernel, 101, {.tolerance = 1e-12});
  EXPECT_LT(expansion.report().eigenvalues.size(), 20u);
  EXPECT_LT(expansion.report().largest_error, 1e-12);
  EXPECT_THROW(eole(1, kernel, 101, {.terms = 50}), std::invalid_argument);
}

// A mode's sign: its largest node value, the first of equal ones, is positive. Modes of an interval
// are even and odd in turn.
TEST(Eole, FixesSignsAndOrder) {
  const auto expansion = eole(1, CorrelationKernel::squared_exponential(1), 51, {.terms = 4});
  const auto ends = expansion.modes(places({0, 0.5, 1}));
  EXPECT_GT(ends(1, 0), 0);
  EXPECT_NEAR(ends(0, 0), ends(2, 0), 1e-12);
  EXPECT_GT(ends(0, 1), 0);
  EXPECT_NEAR(ends(0, 1), -ends(2, 1), 1e-12);
  EXPECT_NEAR(ends(1, 1), 0, 1e-12);
  EXPECT_GT(ends(0, 2), 0);
  EXPECT_NEAR(ends(0, 2), ends(2, 2), 1e-10);
  EXPECT_GT(ends(0, 3), 0);
  const auto& values = expansion.report().eigenvalues;
  EXPECT_TRUE(std::is_sorted(values.rbegin(), values.rend()));
  // A row depends on its point alone, to the bit.
  const auto alone = expansion.modes(places({0.5}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(alone(0, i), ends(1, i));
}

// Mean and deviation as functions of position: H = mean + std sum xi_i g_i.
TEST(Eole, MapsTheGermToTheField) {
  const auto mean = PositionFunction::piecewise_linear({{0, 2e7}, {1, 3e7}});
  const PositionFunction deviation([](const Vec3d& p) { return 1e6 * (1 + p.x); });
  const RandomField field({.marginal = {.mean = mean, .std = deviation},
                           .kernel = CorrelationKernel::squared_exponential(1),
                           .curves = {arc_length_curve(1)}});
  const auto points = places({0.1, 0.75});
  const FieldMap map = field.map(points);
  const ModeMatrix modes = field.expansion().modes(points);
  const auto germ = sample_germ(field.germ_size(), 5, 0);
  const auto values = map.values(germ);
  for (std::size_t p = 0; p < 2; ++p) {
    double z = 0;
    for (std::size_t i = 0; i < germ.size(); ++i) z += modes(p, i) * germ[i];
    const double s = points[p].x;
    EXPECT_NEAR(values[p], 2e7 + 1e7 * s + 1e6 * (1 + s) * z, 1e-6);
    const double error = field.expansion().variance_error(points)[p];
    EXPECT_NEAR(map.moments(p).std, 1e6 * (1 + s) * std::sqrt(1 - error), 1e-6);
    EXPECT_NEAR(map.moments(p).mean, 2e7 + 1e7 * s, 1e-6);
  }
}

// Means of products of 40000 realisations at pairs of points lie within 5 standard errors of the
// covariance of the expansion: a false-alarm rate of 6e-7 each, 6e-6 for all ten. (Variances are
// closer than 1.5 % with this number.)
TEST(Eole, SamplesHaveTheCovarianceOfTheFormula) {
  const RandomField field({.marginal = {.mean = 0.3, .std = 0.015},
                           .kernel = CorrelationKernel::exponential(0.5),
                           .curves = {arc_length_curve(1)}});
  const auto points = places({0, 0.13, 0.5, 1});
  const FieldMap map = field.map(points);
  ProductMean products[4][4];
  for (std::uint64_t n = 0; n < 40'000; ++n) {
    const auto values = map.values(sample_germ(field.germ_size(), 11, n));
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q <= p; ++q) products[p][q].add(values[p] - 0.3, values[q] - 0.3);
  }
  const auto error = field.expansion().variance_error(points);
  const auto kernel = CorrelationKernel::exponential(0.5);
  for (std::size_t p = 0; p < 4; ++p)
    for (std::size_t q = 0; q <= p; ++q) {
      double expected = 0;
      for (std::size_t i = 0; i < map.germ_size(); ++i)
        expected += map.modes(p, i) * map.modes(q, i);
      EXPECT_NEAR(products[p][q].mean(), expected, 5 * products[p][q].standard_error()) << p << q;
      // By Cauchy and Schwarz the truncation changes a covariance by no more than this.
      EXPECT_NEAR(expected / (0.015 * 0.015), kernel(points[p], points[q]),
                  std::sqrt(error[p] * error[q]) + 1e-12);
    }
}

TEST(Eole, RefusesWhatCannotBeReached) {
  const auto kernel = CorrelationKernel::exponential(0.1);
  EXPECT_THROW(eole(1, kernel, 11), std::invalid_argument);
  EXPECT_THROW(eole(1, kernel, 11, {.terms = 12}), std::invalid_argument);
  EXPECT_THROW(eole(1, kernel, 11, {.terms = 0}), std::invalid_argument);
  EXPECT_THROW(eole(1, kernel, 11, {.tolerance = 0}), std::invalid_argument);
  EXPECT_THROW(eole(1, kernel, 11, {.tolerance = NAN}), std::invalid_argument);
  FieldNodes nodes = uniform_nodes(std::vector{arc_length_curve(1)}, 3);
  nodes.weights.pop_back();
  EXPECT_THROW(FieldExpansion(nodes, kernel), std::invalid_argument);
  nodes.weights.push_back(-1);
  EXPECT_THROW(FieldExpansion(nodes, kernel), std::invalid_argument);
  // cos(d) is a correlation on the line; 1 up to a distance and 0 beyond it is none.
  const auto nodes_of_seven = uniform_nodes(std::vector{arc_length_curve(6)}, 7);
  EXPECT_NO_THROW(FieldExpansion(nodes_of_seven,
                                 [](const Vec3d& p, const Vec3d& q) { return std::cos(p.x - q.x); },
                                 {.terms = 2}));
  EXPECT_THROW(FieldExpansion(
                   nodes_of_seven,
                   [](const Vec3d& p, const Vec3d& q) { return std::abs(p.x - q.x) < 1.5 ? 1 : 0; },
                   {.terms = 2}),
               std::invalid_argument);
  EXPECT_THROW(
      RandomField(
          {.marginal = {.mean = 1, .std = -1}, .kernel = kernel, .curves = {arc_length_curve(1)}}),
      std::invalid_argument);
}

}  // namespace
}  // namespace tumble
