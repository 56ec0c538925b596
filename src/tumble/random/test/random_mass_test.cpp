// The random mass of the paper: its law, and where its moments end.
#include "tumble/random/law/random_mass.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

TEST(RandomMass, IsTheGammaLawOfThePaper) {
  // Batou & Soize (2012), Eq. (17), with s = 1 / delta^2:
  // p(m) = s^s / (Gamma(s) mean) (m / mean)^(s - 1) exp(-s m / mean)
  const double mean = 3000, delta = 0.4, s = 1 / (delta * delta);
  const ScalarLaw law = random_mass(mean, delta);
  for (const double m : {500.0, 2000.0, 3000.0, 8000.0}) {
    const double log_density =
        s * std::log(s / mean) - std::lgamma(s) + (s - 1) * std::log(m) - s * m / mean;
    EXPECT_NEAR(law.pdf(m) / std::exp(log_density), 1, 1e-12) << m;
  }
  EXPECT_NEAR(law.mean(), mean, 1e-10);
  EXPECT_NEAR(law.std(), mean * delta, 1e-10);
  EXPECT_TRUE(law.report().warnings.empty());
}

// E{M^-2} = (s / mean)^2 / ((s - 1) (s - 2)), s = 1 / cv^2, by the trapezoidal rule in scores.
TEST(RandomMass, HasAFiniteSecondMomentOfTheInverse) {
  const ScalarLaw law = random_mass(2, 0.5);
  double moment = 0;
  for (int k = -30 * 64; k <= 30 * 64; ++k) {
    const double z = k / 64.0, m = law.from_normal_score(z);
    moment += standard_normal_pdf(z) / (m * m) / 64;
  }
  EXPECT_NEAR(moment, 4.0 / (3 * 2), 1e-9);
}

TEST(RandomMass, RefusesADispersionWithoutSecondMomentOfTheInverse) {
  EXPECT_NO_THROW(random_mass(1, 0.7071));
  for (const double cv : {std::sqrt(0.5) * (1 + 1e-15), 0.8, 2.0}) {
    try {
      random_mass(1, cv);
      ADD_FAILURE() << cv;
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("must be below 1/sqrt(2) = 0.7071: beyond it "
                                                   "E{M^-2}, and with it the variance of "
                                                   "accelerations, is infinite"));
    }
  }
  EXPECT_THROW(random_mass(0, 0.1), std::invalid_argument);
  EXPECT_THROW(random_mass(1, 0), std::invalid_argument);
  EXPECT_THROW(random_mass(1, -0.1), std::invalid_argument);
  EXPECT_THROW(random_mass(std::nan(""), 0.1), std::invalid_argument);
}

TEST(RandomMass, WarnsWhereTheFourthMomentOfTheInverseIsInfinite) {
  EXPECT_TRUE(random_mass(1, 0.4999).report().sample_warnings.empty());
  for (const double cv : {0.5, 0.6}) {
    const LawReport report = random_mass(1, cv).report();
    EXPECT_TRUE(report.warnings.empty());  // nothing is wrong with the law itself
    const auto& warnings = report.sample_warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_THAT(warnings[0], testing::HasSubstr("E{M^-4} is infinite"));
  }
}

}  // namespace
}  // namespace tumble
