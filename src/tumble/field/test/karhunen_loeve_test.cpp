// Karhunen-Loeve: the exponential correlation, whose eigenvalues are known, and what the expansion
// has in common with EOLE.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "tumble/field/field_expansion.hpp"
#include "tumble/field/random_field.hpp"

namespace tumble {
namespace {

constexpr double pi = std::numbers::pi;

struct AnalyticMode {
  double eigenvalue, frequency;
  bool even;
};

/// exp(-|d| / a) on an interval of length 2 b, c = 1 / a: lambda = 2 c / (w^2 + c^2) with the roots
/// of c = w tan(w b) (even modes, cosines about the middle) and w = -c tan(w b) (odd ones, sines)
/// in turn, one in each quarter of a period (R. G. Ghanem, P. D. Spanos, Stochastic Finite
/// Elements, 1991, section 2.3.3).
AnalyticMode analytic_mode(double a, double b, int k) {
  const double c = 1 / a;
  const bool even = k % 2 == 0;
  const auto f = [&](double w) {
    return even ? c * std::cos(w * b) - w * std::sin(w * b)
                : w * std::cos(w * b) + c * std::sin(w * b);
  };
  double low = k * pi / (2 * b), high = (k + 1) * pi / (2 * b);
  if (k == 0) low = 1e-12;
  for (int step = 0; step < 200; ++step) {
    const double middle = 0.5 * (low + high);
    ((f(middle) > 0) == (f(low) > 0) ? low : high) = middle;
  }
  const double w = 0.5 * (low + high);
  return {2 * c / (w * w + c * c), w, even};
}

/// sqrt(lambda) f(x), x measured from the left end, with f of unit norm.
double analytic_value(const AnalyticMode& mode, double b, double x) {
  const double w = mode.frequency, y = x - b;
  const double twist = std::sin(2 * w * b) / (2 * w);
  return std::sqrt(mode.eigenvalue) * (mode.even ? std::cos(w * y) / std::sqrt(b + twist)
                                                 : std::sin(w * y) / std::sqrt(b - twist));
}

FieldExpansion karhunen_loeve(double length, const CorrelationKernel& kernel, std::size_t points,
                              const Truncation& truncation) {
  return FieldExpansion(gauss_legendre_nodes(std::vector{arc_length_curve(length)}, points), kernel,
                        truncation);
}

// With a correlation that has a kink, Nystroem's method converges with the square of the number of
// points. The first values below are those of mpmath 1.3.0 (40 digits) for length 2, a = 0.8.
TEST(KarhunenLoeve, HasTheAnalyticEigenvaluesOfTheExponentialCorrelation) {
  constexpr double from_mpmath[] = {1.02931146363895,   0.416713999901116,  0.182295719240772,
                                    0.0955762168581843, 0.0575054407397565, 0.0380496962532236};
  for (int k = 0; k < 6; ++k)
    ASSERT_NEAR(analytic_mode(0.8, 1, k).eigenvalue, from_mpmath[k], 1e-14);

  const auto kernel = CorrelationKernel::exponential(0.8);
  const auto coarse = karhunen_loeve(2, kernel, 100, {.terms = 6}).report().eigenvalues;
  const auto fine = karhunen_loeve(2, kernel, 200, {.terms = 6}).report().eigenvalues;
  for (int k = 0; k < 6; ++k) {
    EXPECT_NEAR(fine[k], from_mpmath[k], 1e-4 * from_mpmath[0]) << k;
    EXPECT_NEAR((coarse[k] - from_mpmath[k]) / (fine[k] - from_mpmath[k]), 4, 0.1) << k;
    // So extrapolation leaves next to nothing.
    EXPECT_NEAR((4 * fine[k] - coarse[k]) / 3, from_mpmath[k], 1e-6 * from_mpmath[0]) << k;
  }
}

TEST(KarhunenLoeve, HasTheAnalyticModesOfTheExponentialCorrelation) {
  const auto expansion = karhunen_loeve(2, CorrelationKernel::exponential(0.8), 200, {.terms = 5});
  std::vector<Vec3d> points;
  for (int p = 0; p <= 37; ++p) points.push_back({2.0 * p / 37, 0, 0});
  const ModeMatrix modes = expansion.modes(points);
  for (int k = 0; k < 5; ++k) {
    const AnalyticMode exact = analytic_mode(0.8, 1, k);
    const double sign = modes(0, k) * analytic_value(exact, 1, 0) > 0 ? 1 : -1;
    for (std::size_t p = 0; p < points.size(); ++p)
      EXPECT_NEAR(modes(p, k), sign * analytic_value(exact, 1, points[p].x), 2e-3) << k << " " << p;
  }
  // The variance error of the truncated series.
  const auto errors = expansion.variance_error(points);
  for (std::size_t p = 0; p < points.size(); ++p) {
    double exact = 1;
    for (int k = 0; k < 5; ++k)
      exact -= std::pow(analytic_value(analytic_mode(0.8, 1, k), 1, points[p].x), 2);
    EXPECT_NEAR(errors[p], exact, 2e-3) << p;
  }
}

// For a smooth correlation a few points are enough, and the trace is the length of the interval.
TEST(KarhunenLoeve, ConvergesAtOnceForSmoothCorrelations) {
  const auto kernel = CorrelationKernel::squared_exponential(0.8);
  const auto few = karhunen_loeve(2, kernel, 24, {.terms = 8}).report().eigenvalues;
  const auto many = karhunen_loeve(2, kernel, 80, {.terms = 8}).report().eigenvalues;
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(few[k], many[k], 1e-13) << k;
  EXPECT_NEAR(std::accumulate(many.begin(), many.end(), 0.0), 2, 1e-12);
}

// Of all expansions with m terms, Karhunen-Loeve has the smallest mean error, 1 - sum lambda_i / L.
TEST(KarhunenLoeve, HasTheSmallestMeanError) {
  for (const auto& kernel :
       {CorrelationKernel::squared_exponential(0.5), CorrelationKernel::matern(0.5, 1.5)})
    for (const std::size_t terms : {1u, 2u, 4u}) {
      const auto quadrature = gauss_legendre_nodes(std::vector{arc_length_curve(1)}, 60);
      const auto mean_error = [&](const FieldExpansion& expansion) {
        const auto errors = expansion.variance_error(quadrature.points);
        return std::inner_product(errors.begin(), errors.end(), quadrature.weights.begin(), 0.0);
      };
      const auto best = karhunen_loeve(1, kernel, 60, {.terms = terms});
      const FieldExpansion eole(uniform_nodes(std::vector{arc_length_curve(1)}, 41), kernel,
                                {.terms = terms});
      double captured = 0;
      for (std::size_t i = 0; i < terms; ++i) captured += best.report().eigenvalues[i];
      EXPECT_NEAR(mean_error(best), 1 - captured, 1e-12);
      EXPECT_LT(mean_error(best), mean_error(eole));
      EXPECT_NEAR(mean_error(best), mean_error(eole), 0.05 * mean_error(eole));
    }
}

// Equal weights change eigenvalues by a factor and modes not at all: EOLE is the discrete version.
TEST(KarhunenLoeve, OfACloudWithEqualWeightsIsEole) {
  std::vector<Vec3d> cloud;
  for (int i = 0; i < 40; ++i) cloud.push_back({std::cos(1.3 * i), std::sin(2.1 * i), 0.02 * i});
  const auto kernel = CorrelationKernel::matern(1, 1.5);
  const FieldExpansion eole(cloud_nodes(cloud, std::vector<double>(40, 1.0)), kernel, {.terms = 7});
  const FieldExpansion weighted(cloud_nodes(cloud, std::vector<double>(40, 0.25)), kernel,
                                {.terms = 7});
  const std::vector<Vec3d> points = {{0.1, 0.2, 0.3}, {-0.4, 0.9, 0.1}};
  const ModeMatrix a = eole.modes(points), b = weighted.modes(points);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(weighted.report().eigenvalues[i], 0.25 * eole.report().eigenvalues[i], 1e-12);
    for (std::size_t p = 0; p < 2; ++p) EXPECT_NEAR(a(p, i), b(p, i), 1e-10) << p << " " << i;
  }
}

// A node of weight 2 counts like two nodes of weight 1 at the same place.
TEST(KarhunenLoeve, WeightsAreNumbersOfNodes) {
  const auto kernel = CorrelationKernel::exponential(1);
  const FieldExpansion weighted(cloud_nodes({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {1, 2, 1}), kernel,
                                {.terms = 3});
  const FieldExpansion doubled(
      cloud_nodes({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 1, 0}}, {1, 1, 1, 1}), kernel,
      {.terms = 3});
  const std::vector<Vec3d> points = {{0.5, 0, 0}, {1, 0.5, 2}};
  const ModeMatrix a = weighted.modes(points), b = doubled.modes(points);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t p = 0; p < 2; ++p)
      EXPECT_NEAR(std::abs(a(p, i)), std::abs(b(p, i)), 1e-12) << p << " " << i;
}

TEST(KarhunenLoeve, TruncatesThePapersFieldsLikeEole) {
  const auto field = [](double length, double a) {
    return RandomField({.kernel = CorrelationKernel::squared_exponential(a),
                        .method = ExpansionMethod::karhunen_loeve,
                        .curves = {arc_length_curve(length)}});
  };
  EXPECT_EQ(field(1.0, 2).germ_size(), 2u);
  EXPECT_EQ(field(0.3, 1).germ_size(), 1u);
  EXPECT_EQ(field(0.4, 1).germ_size(), 2u);
  // EOLE with ever more nodes tends to it: 0.002635, 0.003094, 0.003154 for 11, 51, 101 of them.
  const double limit = field(1.0, 2).expansion().report().largest_error;
  EXPECT_NEAR(limit, 0.003154 + (0.003154 - 0.003094), 5e-6);
}

// Without a law a field is the standard Gaussian one, but for the variance that the truncation
// leaves out.
TEST(KarhunenLoeve, FieldWithoutALawIsStandard) {
  const RandomField field({.kernel = CorrelationKernel::squared_exponential(2),
                           .method = ExpansionMethod::karhunen_loeve,
                           .curves = {arc_length_curve(1.0)}});
  const std::vector<Vec3d> points = {{0.1, 0, 0}, {0.5, 0, 0}, {0.9, 0, 0}};
  const FieldMap map = field.map(points);
  const double left_out = field.expansion().report().largest_error;
  EXPECT_LT(left_out, 0.004);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const PointMoments moments = map.moments(p);
    EXPECT_EQ(moments.mean, 0);
    EXPECT_LE(moments.std, 1 + 1e-12);
    EXPECT_GE(moments.std * moments.std, 1 - left_out - 1e-12);
  }
}

}  // namespace
}  // namespace tumble
