#include "tumble/study/statistics/principal_deviations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tumble {
namespace {

TEST(PrincipalDeviations, AreThoseACovarianceWasMadeFrom) {
  // Directions (1, 2, 2) / 3, (2, 1, -2) / 3, (2, -2, 1) / 3; deviations 3, 2, 1.
  const double d[3][3] = {{1, 2, 2}, {2, 1, -2}, {2, -2, 1}};
  Mat3d covariance;
  for (int k = 0; k < 3; ++k)
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) covariance(a, b) += (3 - k) * (3 - k) * d[k][a] * d[k][b] / 9;
  const PrincipalDeviations found = principal_deviations(covariance);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.deviations[k], 3 - k, 1e-14);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(found.directions(k, a), d[k][a] / 3, 1e-14);
  }
}

/// The first of the largest components is positive, although those of (1, -1, 0) differ by
/// rounding.
TEST(PrincipalDeviations, HaveSignsThatRoundingDoesNotTurn) {
  for (const double rounding : {-1e-15, 0.0, 1e-15}) {
    const Mat3d covariance{{1 + rounding, -0.5, 0, -0.5, 1 - rounding, 0, 0, 0, 0.1}};
    const PrincipalDeviations found = principal_deviations(covariance);
    EXPECT_NEAR(found.directions(0, 0), std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(found.directions(0, 1), -std::sqrt(0.5), 1e-12);
  }
}

TEST(PrincipalDeviations, OfAVectorInAPlaneAreNotBelowZero) {
  const Mat3d covariance{{1e-20, 1e-20, 0, 1e-20, 1e-20, 0, 0, 0, 0}};
  const PrincipalDeviations found = principal_deviations(covariance);
  EXPECT_NEAR(found.deviations[0], std::sqrt(2e-20), 1e-24);
  EXPECT_GE(found.deviations[2], 0);
  EXPECT_LT(found.deviations[1], 1e-17);
}

TEST(PrincipalDeviations, OfNothingKnownAreNaN) {
  Mat3d covariance = Mat3d::identity();
  covariance(1, 1) = std::numeric_limits<double>::quiet_NaN();
  const PrincipalDeviations found = principal_deviations(covariance);
  EXPECT_TRUE(std::isnan(found.deviations[0]));
  EXPECT_TRUE(std::isnan(found.directions(2, 2)));
}

}  // namespace
}  // namespace tumble
