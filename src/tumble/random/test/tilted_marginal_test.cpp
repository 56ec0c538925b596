// Marginals along lambda of interval, disk and ball: against closed forms in 50 digits (hyperbolic
// and Bessel functions), whose differences cancel in double precision.
#include "tumble/random/centre/tilted_marginal.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

namespace tumble {
namespace {

using Wide = boost::multiprecision::cpp_bin_float_100;

struct Reference {
  Wide log_value, transverse, variance;
};

// From the value v(k) of the density (1 - z^2)^a exp(k z) and its derivatives.
Reference reference(const Wide& value, const Wide& first, const Wide& second, const Wide& k) {
  const Wide mean = first / value;
  return {log(value), mean / k, second / value - mean * mean};
}

Reference interval(const Wide& k) {  // sinh(k) / k
  const Wide s = sinh(k), c = cosh(k);
  return reference(s / k, (c - s / k) / k, (s - 2 * c / k + 2 * s / (k * k)) / k, k);
}

Reference ball(const Wide& k) {  // 3 (k cosh(k) - sinh(k)) / k^3
  const Wide s = sinh(k), c = cosh(k), k2 = k * k, k3 = k2 * k;
  return reference(3 * (k * c - s) / k3, 3 * (s / k2 - 3 * c / k3 + 3 * s / (k2 * k2)),
                   3 * (c / k2 - 5 * s / k3 + 12 * c / (k2 * k2) - 12 * s / (k2 * k3)), k);
}

Reference disk(const Wide& k) {  // 2 I_1(k) / k, derivatives by the recurrence of I_n
  using boost::math::cyl_bessel_i;
  const Wide i1 = cyl_bessel_i(1, k), i2 = cyl_bessel_i(2, k), i3 = cyl_bessel_i(3, k);
  return reference(2 * i1 / k, 2 * i2 / k, 2 * (i3 / k + i2 / (k * k)), k);
}

double relative(double value, const Wide& expected) {
  return static_cast<double>(abs(value / expected - 1));
}

class TiltedMarginals : public testing::TestWithParam<double> {};

TEST_P(TiltedMarginals, AgreeWithClosedForms) {
  const double k = GetParam();
  const auto compare = [k](const TiltedMarginal& got, const Reference& expected) {
    EXPECT_NEAR(got.log_value, static_cast<double>(expected.log_value), 4e-15 * (1 + k));
    EXPECT_LT(relative(got.transverse, expected.transverse), 2e-14);
    EXPECT_LT(relative(got.variance, expected.variance), 2e-14);
  };
  compare(tilted_interval(k), interval(k));
  compare(tilted_ball(k), ball(k));
  compare(tilted_disk(k), disk(k));
}

TEST_P(TiltedMarginals, DoNotDependOnTheSign) {
  for (const auto marginal : {tilted_interval, tilted_disk, tilted_ball}) {
    const TiltedMarginal plus = marginal(GetParam()), minus = marginal(-GetParam());
    EXPECT_EQ(plus.log_value, minus.log_value);
    EXPECT_EQ(plus.transverse, minus.transverse);
    EXPECT_EQ(plus.variance, minus.variance);
  }
}

INSTANTIATE_TEST_SUITE_P(Slopes, TiltedMarginals,
                         testing::Values(1e-6, 1e-3, 0.1, 0.7, 1.0, 2.3, 5.0, 11.0, 37.0, 120.0,
                                         600.0));

TEST(TiltedMarginal, IsUniformWithoutSlope) {
  EXPECT_NEAR(tilted_interval(0).variance, 1.0 / 3, 2e-15);
  EXPECT_NEAR(tilted_disk(0).variance, 1.0 / 4, 2e-15);
  EXPECT_NEAR(tilted_ball(0).variance, 1.0 / 5, 2e-15);
  EXPECT_DOUBLE_EQ(tilted_interval(0).transverse, 1.0 / 3);
  EXPECT_DOUBLE_EQ(tilted_disk(0).transverse, 1.0 / 4);
  EXPECT_DOUBLE_EQ(tilted_ball(0).transverse, 1.0 / 5);
  for (const auto marginal : {tilted_interval, tilted_disk, tilted_ball})
    EXPECT_NEAR(marginal(0).log_value, 0.0, 1e-15);
}

// For large k, with w = 1 - z: a gamma variable of shape 1 + a and rate k, up to 1 / k.
TEST(TiltedMarginal, HasTheLimitOfAGammaVariable) {
  const double k = 1e8;
  EXPECT_NEAR(tilted_interval(k).variance * k * k, 1.0, 1e-7);
  EXPECT_NEAR(tilted_disk(k).variance * k * k, 1.5, 1e-7);
  EXPECT_NEAR(tilted_ball(k).variance * k * k, 2.0, 1e-7);
}

TEST(TruncatedExponential, QuantileInvertsTheDistribution) {
  for (const double s : {-50.0, -1.0, -1e-9, 0.0, 1e-9, 0.3, 4.0, 30.0})
    for (const double p : {0x1p-53, 1e-9, 0.01, 0.5, 0.9, 1 - 1e-9}) {
      const double u = truncated_exponential_quantile(s, p);
      const double back = s == 0 ? u : std::expm1(-s * u) / std::expm1(-s);
      EXPECT_NEAR(back, p, 1e-14 * (1 + std::abs(s)));
      EXPECT_GT(u, 0);
      EXPECT_LT(u, 1);
    }
}

TEST(TiltedBall, QuantileInvertsTheDistribution) {
  using boost::math::quadrature::gauss_kronrod;
  for (const double k : {-20.0, -1.0, 0.0, 1e-7, 0.5, 3.0, 25.0, 400.0})
    for (const double p : {1e-12, 1e-3, 0.2, 0.5, 0.93, 1 - 1e-6}) {
      const double z = tilted_ball_quantile(k, p);
      ASSERT_GT(z, -1);
      ASSERT_LT(z, 1);
      const auto density = [k](double x) {
        return (1 - x) * (1 + x) * std::exp(k * x - std::abs(k));
      };
      const auto mass = [&](double from, double to) {
        return gauss_kronrod<double, 61>::integrate(density, from, to, 15, 1e-13);
      };
      const double below = mass(-1, z), above = mass(z, 1);
      // Rounding of p near 1 is that of the uniform numbers; at the heavy end the tail is accurate.
      EXPECT_NEAR(below / (below + above), p, 1e-12) << k << ' ' << p;
      if (k >= 0) {
        EXPECT_NEAR(above / (below + above) / (1 - p), 1.0, 1e-9) << k << ' ' << p;
      }
    }
}

}  // namespace
}  // namespace tumble
