// The coefficients have the properties that the family is made for (Masarati, Lanz & Mantegazza
// 2001).
#include "tumble/integrate/step/multistep.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

namespace tumble {
namespace {

TEST(Multistep, EndsOfTheFamilyAreKnownMethods) {
  // ρ = 0: x_n = 4/3 x_{n-1} - 1/3 x_{n-2} + 2/3 h ẋ_n, the backward differentiation formula.
  const auto bdf = Multistep::with_spectral_radius(0);
  EXPECT_NEAR(bdf.beta, -1.0 / 3, 1e-15);
  EXPECT_NEAR(bdf.b0, 2.0 / 3, 1e-15);
  EXPECT_NEAR(bdf.b1, 0, 1e-15);
  EXPECT_NEAR(bdf.b2, 0, 1e-15);
  // ρ = 1: x_n = x_{n-2} + h/2 (ẋ_n + 2 ẋ_{n-1} + ẋ_{n-2}).
  const auto trapezoidal = Multistep::with_spectral_radius(1);
  EXPECT_DOUBLE_EQ(trapezoidal.beta, 1);
  EXPECT_DOUBLE_EQ(trapezoidal.b0, 0.5);
  EXPECT_DOUBLE_EQ(trapezoidal.b1, 1);
  EXPECT_DOUBLE_EQ(trapezoidal.b2, 0.5);
  // With ρ = 0 and unequal steps, h_n = α h_{n-1}: the formula through three points, whose
  // coefficient of ẋ_n is h_n (1 + α)/(1 + 2 α).
  for (const double ratio : {0.4, 1.7}) {
    const auto m = Multistep::with_spectral_radius(0, ratio);
    EXPECT_NEAR(m.b0, ratio * (1 + ratio) / (1 + 2 * ratio), 1e-15);
    EXPECT_NEAR(m.beta, -ratio * ratio / (1 + 2 * ratio), 1e-15);
    EXPECT_NEAR(m.b1, 0, 1e-15);
    EXPECT_NEAR(m.b2, 0, 1e-15);
  }
}

TEST(Multistep, IsOfSecondOrderForAnyRatioOfSteps) {
  for (const double rho : {0.0, 0.3, 0.6, 0.9, 1.0})
    for (const double ratio : {0.25, 0.5, 1.0, 1.3, 4.0}) {
      const auto m = Multistep::with_spectral_radius(rho, ratio);
      const auto defect = [&](auto x, auto rate) {
        return (1 - m.beta) * x(0.0) + m.beta * x(-1.0) + m.b0 * rate(ratio) + m.b1 * rate(0.0) +
               m.b2 * rate(-1.0) - x(ratio);
      };
      EXPECT_NEAR(defect([](double) { return 1.0; }, [](double) { return 0.0; }), 0, 1e-14);
      EXPECT_NEAR(defect([](double t) { return t; }, [](double) { return 1.0; }), 0, 1e-14);
      EXPECT_NEAR(defect([](double t) { return t * t; }, [](double t) { return 2 * t; }), 0, 1e-13);
      const double third =
          defect([](double t) { return t * t * t / 6; }, [](double t) { return 0.5 * t * t; });
      EXPECT_GT(std::fabs(third), 1e-3);  // of no higher one
      if (ratio == 1) {
        EXPECT_NEAR(m.velocity_offset(), -third / (1 + m.beta), 1e-15);
      }
    }
}

/// The larger root of z² - (1 - β) z - β = s (b0 z² + b1 z + b2).
double radius(const Multistep& m, std::complex<double> s) {
  const std::complex<double> a = 1.0 - s * m.b0, b = -(1 - m.beta) - s * m.b1,
                             c = -m.beta - s * m.b2;
  const std::complex<double> root = std::sqrt(b * b - 4.0 * a * c);
  return std::max(std::abs((-b + root) / (2.0 * a)), std::abs((-b - root) / (2.0 * a)));
}

TEST(Multistep, DampsInfiniteFrequenciesAsAskedAndNoneGrows) {
  for (const double rho : {0.0, 0.3, 0.6, 0.8, 1.0}) {
    const auto m = Multistep::with_spectral_radius(rho);
    // At infinity b0 z² + b1 z + b2 = b0 (z + ρ)².
    EXPECT_NEAR(m.b1 / m.b0, 2 * rho, 1e-14);
    EXPECT_NEAR(m.b2 / m.b0, rho * rho, 1e-14);
    // A double root is known to the root of what is left out, 1e-8.
    EXPECT_NEAR(radius(m, {0, 1e8}), rho, 2e-4) << rho;
    for (double s = 1e-3; s < 1e6; s *= 1.5) {
      EXPECT_LE(radius(m, {0, s}), 1 + 1e-9) << rho << ", " << s;
      EXPECT_LE(radius(m, {-s, s}), 1 + 1e-9) << rho << ", " << s;
    }
    EXPECT_GT(radius(m, {0, 0.05}), 1 - 1e-5) << rho;  // 1 - O(s⁴)
  }
}

}  // namespace
}  // namespace tumble
