#include "tumble/beam/section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "tumble/beam/gauss_points.hpp"

namespace tumble::beam {
namespace {

TEST(GaussPoints, AreThoseOfTheTables) {
  // Abramowitz & Stegun, table 25.4, n = 3 and 5, on [-1, 1].
  const auto three = gauss_points(3);
  EXPECT_NEAR(2 * three[2].place - 1, 0.774596669241483, 1e-15);
  EXPECT_NEAR(2 * three[2].weight, 0.555555555555556, 1e-15);
  const auto five = gauss_points(5);
  EXPECT_NEAR(2 * five[4].place - 1, 0.906179845938664, 1e-15);
  EXPECT_NEAR(2 * five[0].weight, 0.236926885056189, 1e-15);
  EXPECT_NEAR(2 * five[2].weight, 0.568888888888889, 1e-15);
  EXPECT_THROW(gauss_points(0), std::invalid_argument);
}

TEST(GaussPoints, IntegratePolynomialsUpToTheirDegreeAndNoFurther) {
  for (const int n : {1, 2, 5, 12}) {
    const auto error = [&](int degree) {
      double sum = 0;
      for (const auto& p : gauss_points(n)) sum += p.weight * std::pow(p.place, degree);
      return std::abs(sum * (degree + 1) - 1);
    };
    for (int degree = 0; degree < 2 * n; ++degree) EXPECT_LT(error(degree), 1e-13) << n;
    if (n < 12) {
      EXPECT_GT(error(2 * n), 1e-6) << n;
    }
  }
}

TEST(Section, MomentsAreExact) {
  const auto r = Section::rectangular(0.3, 0.2);
  EXPECT_DOUBLE_EQ(r.area(), 0.06);
  EXPECT_DOUBLE_EQ(r.I_z(), 0.2 * 0.027 / 12);
  EXPECT_DOUBLE_EQ(r.I_y(), 0.3 * 0.008 / 12);
  const auto d = Section::circular(0.5);
  const double pi = std::numbers::pi;
  EXPECT_NEAR(d.area(), pi * 0.25, 1e-15);
  EXPECT_NEAR(d.I_y(), pi * 0.0625 / 4, 1e-16);
  EXPECT_NEAR(d.moment(2, 2), pi * std::pow(0.5, 6) / 24, 1e-17);  // ∫ r^5 dr ∫ cos² sin² = π/4
  EXPECT_NEAR(d.moment(4, 0), pi * std::pow(0.5, 6) / 8, 1e-16);  // ∫ cos⁴ = 3π/4
  EXPECT_EQ(d.moment(3, 2), 0);
}

TEST(Section, RulesAreExactUpToTheirDegree) {
  for (const auto& section : {Section::rectangular(0.3, 0.2), Section::circular(0.15)})
    for (const int order : {1, 2, 3, 4, 5})
      for (int p = 0; p < 2 * order; ++p)
        for (int q = 0; p + q < 2 * order; ++q) {
          double sum = 0;
          for (const auto& point : section.points(order))
            sum += point.weight * std::pow(point.y, p) * std::pow(point.z, q);
          EXPECT_NEAR(sum, section.moment(p, q), 1e-15 * std::pow(0.15, p + q)) << order << p << q;
        }
}

TEST(Section, TorsionConstants) {
  // Timoshenko & Goodier, table in § 109: J = k1 a b³ with k1 = 0.1406, 0.229, 0.312.
  EXPECT_NEAR(Section::rectangular(1, 1).torsion_constant(), 0.1406, 5e-5);
  EXPECT_NEAR(Section::rectangular(2, 1).torsion_constant() / 2, 0.229, 5e-4);
  EXPECT_NEAR(Section::rectangular(1, 10).torsion_constant() / 10, 0.312, 5e-4);
  const auto disc = Section::circular(0.3);
  EXPECT_NEAR(disc.torsion_constant(), disc.I_y() + disc.I_z(), 1e-15);
}

TEST(Section, RefusesEmptyOnes) {
  EXPECT_THROW(Section::rectangular(0, 1), std::invalid_argument);
  EXPECT_THROW(Section::rectangular(1, -1), std::invalid_argument);
  EXPECT_THROW(Section::circular(std::nan("")), std::invalid_argument);
}

}  // namespace
}  // namespace tumble::beam
