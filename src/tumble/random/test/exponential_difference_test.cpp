// Divided differences of exp against the definition in 200 digits, and their limits at equal nodes.
#include "tumble/random/centre/exponential_difference.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include "tumble/random/stream/draws.hpp"

namespace tumble {
namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<200>>;

/// The recurrence that defines divided differences, for nodes that all differ: five divisions by
/// differences of 1e-15 cost 75 of the 200 digits.
double by_definition(const std::vector<double>& nodes) {
  std::vector<Wide> t, d;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    t.push_back(Wide(nodes[i]) + Wide(static_cast<double>(i)) * Wide("1e-25"));
    d.push_back(exp(t.back()));
  }
  for (std::size_t order = 1; order < t.size(); ++order)
    for (std::size_t i = 0; i + order < t.size(); ++i)
      d[i] = (d[i + 1] - d[i]) / (t[i + order] - t[i]);
  return static_cast<double>(d[0]);
}

// The reference moves equal nodes apart by 1e-25, which changes the value by as much.
TEST(ExponentialDifference, AgreesWithTheDefinition) {
  Draws draws(Stream(1, 0, 0));
  double worst = 0;
  for (const double spread : {0.0, 1e-14, 1e-8, 1e-3, 0.1, 1.0, 3.9, 4.1, 10.0, 40.0, 300.0})
    for (std::size_t n = 1; n <= 6; ++n)
      for (int repeat = 0; repeat < 20; ++repeat) {
        std::vector<double> t;
        for (std::size_t i = 0; i < n; ++i)
          // Every third set has repeated nodes.
          t.push_back(repeat % 3 == 0 && i % 2 == 1 ? t[i - 1] : -spread * draws.uniform());
        const double expected = by_definition(t);
        worst = std::max(worst, std::abs(exponential_difference(t) / expected - 1.0));
      }
  EXPECT_LT(worst, 1e-14);
}

TEST(ExponentialDifference, IsATaylorCoefficientAtEqualNodes) {
  double factorial = 1;
  for (std::size_t n = 1; n <= 6; ++n) {
    if (n > 1) factorial *= static_cast<double>(n - 1);
    const std::vector<double> t(n, -1.5);
    EXPECT_NEAR(exponential_difference(t), std::exp(-1.5) / factorial, 1e-16);
  }
}

TEST(ExponentialDifference, KeepsItsAccuracyForLargeSlopes) {
  // exp[0, -x] = (1 - exp(-x)) / x, exp[0, 0, -x] = (1 - (1 - exp(-x)) / x) / x.
  for (const double x : {1e3, 1e6, 1e12}) {
    EXPECT_NEAR(exponential_difference(std::array{0.0, -x}) * x, 1.0, 1e-14);
    EXPECT_NEAR(exponential_difference(std::array{-x, 0.0, 0.0}) * x, 1.0 - 1.0 / x, 1e-14);
  }
}

TEST(ExponentialDifference, TakesOneToSixNodes) {
  EXPECT_THROW(exponential_difference({}), std::invalid_argument);
  EXPECT_THROW(exponential_difference(std::array<double, 7>{}), std::invalid_argument);
}

// Moments of barycentric coordinates: they sum to the moment below, and at t = 0 are those of the
// uniform simplex, E{b_i} = 1/4, E{b_i b_j} = (1 + delta_ij) / 20, volume 1/6.
TEST(SimplexMoments, AddUpAndHaveTheUniformLimit) {
  const auto m = simplex_moments<4>({-0.3, -7.0, 0.0, -2.5});
  double first = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    first += m.first[i];
    double second = 0;
    for (std::size_t j = 0; j < 4; ++j) second += m.second[i][j];
    EXPECT_NEAR(second, m.first[i], 1e-15);
  }
  EXPECT_NEAR(first, m.value, 1e-15);

  const auto uniform = simplex_moments<4>({0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(uniform.value, 1.0 / 6);
  EXPECT_DOUBLE_EQ(uniform.first[2], 1.0 / 24);
  EXPECT_DOUBLE_EQ(uniform.second[1][2], 1.0 / 120);
  EXPECT_DOUBLE_EQ(uniform.second[1][1], 2.0 / 120);
}

}  // namespace
}  // namespace tumble
