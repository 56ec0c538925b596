// Ranges of polynomials over a box against those known in closed form.
#include "tumble/chaos/box_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "tumble/chaos/chaos_plan.hpp"

namespace tumble {
namespace {

/// Chebyshev polynomials of m numbers in [-1, 1].
ChaosPlan chebyshev_plan(std::size_t germs, int degree) {
  InputSpace space;
  for (std::size_t k = 0; k < germs; ++k)
    space.add("x" + std::to_string(k),
              ScalarLaw(BetaLaw{.alpha = 0.5, .beta = 0.5, .min = -1, .max = 1}));
  ChaosOptions options;
  options.degree = degree;
  return {std::move(space), options};
}

template <class F>
Expansion fitted(const ChaosPlan& plan, std::size_t outputs, const F& f) {
  DenseMatrix values(plan.runs(), outputs);
  for (std::size_t i = 0; i < plan.runs(); ++i) f(plan.points().row(i), values.row(i));
  return plan.fit(values).expansion;
}

TEST(BoxBounds, ChebyshevPointsAndPolynomialsAreThoseOfTheArcsineLaw) {
  const ChaosPlan plan = chebyshev_plan(1, 4);
  ASSERT_EQ(plan.runs(), 5U);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(plan.points()(i, 0),
                -std::cos((2.0 * static_cast<double>(i) + 1) * std::numbers::pi / 10), 1e-14);
  std::vector<double> values(5);
  plan.grid()->basis().polynomials(0).evaluate(0.3, values);
  for (int n = 1; n < 5; ++n)
    EXPECT_NEAR(values[static_cast<std::size_t>(n)],
                std::numbers::sqrt2 * std::cos(n * std::acos(0.3)), 1e-14);
}

TEST(BoxBounds, FindsEndsAndTheInsideOfOneInterval) {
  // x^2 - x: smallest inside at 1/2, largest at -1. x^3: at both ends. 7: nowhere.
  const Expansion e = fitted(chebyshev_plan(1, 3), 3, [](auto x, auto y) {
    y[0] = x[0] * x[0] - x[0];
    y[1] = x[0] * x[0] * x[0];
    y[2] = 7;
  });
  const BoxBounds b = box_bounds(e, 1);
  EXPECT_NEAR(b.lower[0], -0.25, 1e-14);
  EXPECT_NEAR(b.lower_at(0, 0), 0.5, 1e-7);
  EXPECT_NEAR(b.upper[0], 2, 1e-13);
  EXPECT_EQ(b.upper_at(0, 0), -1);
  EXPECT_NEAR(b.lower[1], -1, 1e-13);
  EXPECT_NEAR(b.upper[1], 1, 1e-13);
  EXPECT_NEAR(b.lower[2], 7, 1e-13);
  EXPECT_NEAR(b.upper[2], 7, 1e-13);
  // x^2 - x = 1/2 + T_2 / 2 - T_1, so that the inclusion is 1/2 -+ 3/2; x^3 = (3 T_1 + T_3) / 4.
  EXPECT_NEAR(b.inclusion_lower[0], -1, 1e-13);
  EXPECT_NEAR(b.inclusion_upper[0], 2, 1e-13);
  EXPECT_NEAR(b.inclusion_upper[1], 1, 1e-13);
}

TEST(BoxBounds, FindsAnExtremeInsideTheBoxOfSeveralGerms) {
  // A narrow valley that is not parallel to the germs, and a hill in the middle of a box of six.
  const Expansion valley = fitted(chebyshev_plan(2, 4), 1, [](auto x, auto y) {
    const double a = x[0] + x[1] - 0.3, b = x[0] - x[1] - 0.1;
    y[0] = 20 * a * a + b * b;
  });
  EXPECT_NEAR(box_bounds(valley, 1).lower[0], 0, 1e-10);
  EXPECT_NEAR(box_bounds(valley, 1).upper[0], 20 * 2.3 * 2.3 + 0.01, 1e-10);
  const Expansion hill = fitted(chebyshev_plan(6, 2), 1, [](auto x, auto y) {
    y[0] = 1;
    for (std::size_t k = 0; k < 6; ++k) {
      const double d = x[k] - 0.1 * static_cast<double>(k);
      y[0] -= d * d;
    }
  });
  const BoxBounds b = box_bounds(hill, 1);
  EXPECT_NEAR(b.upper[0], 1, 1e-12);
  for (std::size_t k = 0; k < 6; ++k)
    EXPECT_NEAR(b.upper_at(0, k), 0.1 * static_cast<double>(k), 1e-6);
  double corner = 1;
  for (int k = 0; k < 6; ++k) corner -= (1 + 0.1 * k) * (1 + 0.1 * k);
  EXPECT_NEAR(b.lower[0], corner, 1e-12);
}

// One so narrow that single germs hardly move in it: the line through two places has to be followed
// as far as it falls. Twice as far as before at most, and 6e-6 would be left.
TEST(BoxBounds, FollowsANarrowValleyToItsLowestPoint) {
  const Expansion valley = fitted(chebyshev_plan(2, 2), 1, [](auto x, auto y) {
    const double a = x[0] + x[1] - 0.3, b = x[0] - x[1] - 0.1;
    y[0] = 1000 * a * a + b * b;
  });
  EXPECT_NEAR(box_bounds(valley, 1).lower[0], 0, 1e-10);
}

/// Random polynomials against a fine grid: no grid point is outside of the bounds, the bounds are
/// hardly beyond the grid, and the inclusion holds both.
TEST(BoxBounds, HoldAFineGridAndAreInsideTheInclusionSlow) {
  for (const std::size_t germs : {1U, 2U, 3U, 4U}) {
    const ChaosPlan plan = chebyshev_plan(germs, 4);
    std::mt19937_64 random(17 + germs);
    std::normal_distribution<double> normal;
    constexpr std::size_t outputs = 70;  // more than a block
    DenseMatrix coefficients(plan.grid()->basis().size(), outputs);
    for (std::size_t t = 0; t < coefficients.rows(); ++t)
      for (std::size_t o = 0; o < outputs; ++o)
        coefficients(t, o) = normal(random) * std::pow(0.5, plan.grid()->basis().terms().total(t));
    const Expansion e(plan.grid()->basis(), coefficients);
    const BoxBounds b = box_bounds(e, 1), shared = box_bounds(e, 3);
    EXPECT_EQ(b.lower, shared.lower);
    EXPECT_EQ(b.upper, shared.upper);
    const std::size_t side = germs < 3 ? 201 : germs == 3 ? 41 : 17;
    std::size_t count = 1;
    for (std::size_t k = 0; k < germs; ++k) count *= side;
    std::vector<double> low(outputs, 1e300), high(outputs, -1e300), point(germs), values(outputs);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0, rest = i; k < germs; ++k, rest /= side)
        point[k] = -1 + 2 * static_cast<double>(rest % side) / static_cast<double>(side - 1);
      e.evaluate(point, values);
      for (std::size_t o = 0; o < outputs; ++o) {
        low[o] = std::min(low[o], values[o]);
        high[o] = std::max(high[o], values[o]);
      }
    }
    for (std::size_t o = 0; o < outputs; ++o) {
      const double width = high[o] - low[o];
      EXPECT_LE(b.lower[o], low[o] + 1e-12 * width) << germs << " germs, output " << o;
      EXPECT_GE(b.upper[o], high[o] - 1e-12 * width) << germs << " germs, output " << o;
      // Between grid points a polynomial of degree 4 can rise by its curvature times the distance
      // squared.
      EXPECT_GE(b.lower[o], low[o] - 0.05 * width);
      EXPECT_LE(b.upper[o], high[o] + 0.05 * width);
      EXPECT_LE(b.inclusion_lower[o], b.lower[o]);
      EXPECT_GE(b.inclusion_upper[o], b.upper[o]);
      e.evaluate(b.lower_at.row(o), values);
      EXPECT_NEAR(values[o], b.lower[o], 1e-11 * width);
      e.evaluate(b.upper_at.row(o), values);
      EXPECT_NEAR(values[o], b.upper[o], 1e-11 * width);
    }
  }
}

TEST(BoxBounds, AreNoNumbersWhereCoefficientsAreNone) {
  const ChaosPlan plan = chebyshev_plan(1, 2);
  DenseMatrix coefficients(3, 2);
  coefficients(1, 0) = std::nan("");
  coefficients(1, 1) = 1;
  const BoxBounds b = box_bounds(Expansion(plan.grid()->basis(), coefficients), 1);
  EXPECT_TRUE(std::isnan(b.lower[0]) && std::isnan(b.inclusion_upper[0]));
  EXPECT_NEAR(b.upper[1], std::numbers::sqrt2, 1e-15);
}

TEST(BoxCorners, AreAllWhereThereAreFewAndDistinctWhereThereAreMany) {
  const DenseMatrix all = box_corners(3, 8), some = box_corners(10, 100);
  EXPECT_EQ(all.rows(), 8U);
  EXPECT_EQ(some.rows(), 100U);
  for (const DenseMatrix* corners : {&all, &some}) {
    std::set<std::vector<double>> known;
    for (std::size_t i = 0; i < corners->rows(); ++i) {
      for (const double x : corners->row(i)) EXPECT_EQ(std::fabs(x), 1);
      known.insert({corners->row(i).begin(), corners->row(i).end()});
    }
    EXPECT_EQ(known.size(), corners->rows());
  }
}

}  // namespace
}  // namespace tumble
