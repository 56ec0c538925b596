// The coefficients have the properties their derivation promises (Chung & Hulbert 1993).
#include "tumble/integrate/step/generalized_alpha.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

namespace tumble {
namespace {

TEST(GeneralizedAlpha, HandValues) {
  const auto none = GeneralizedAlpha::with_spectral_radius(1);  // no damping: the midpoint family
  EXPECT_DOUBLE_EQ(none.alpha_m, 0.5);
  EXPECT_DOUBLE_EQ(none.alpha_f, 0.5);
  EXPECT_DOUBLE_EQ(none.gamma, 0.5);
  EXPECT_DOUBLE_EQ(none.beta, 0.25);
  const auto full = GeneralizedAlpha::with_spectral_radius(0);
  EXPECT_DOUBLE_EQ(full.alpha_m, -1);
  EXPECT_DOUBLE_EQ(full.alpha_f, 0);
  EXPECT_DOUBLE_EQ(full.gamma, 1.5);
  EXPECT_DOUBLE_EQ(full.beta, 1);
  const auto usual = GeneralizedAlpha::with_spectral_radius(0.8);
  EXPECT_DOUBLE_EQ(usual.alpha_m, 1.0 / 3);
  EXPECT_DOUBLE_EQ(usual.alpha_f, 4.0 / 9);
  EXPECT_DOUBLE_EQ(usual.gamma, 11.0 / 18);
  EXPECT_DOUBLE_EQ(usual.beta, 25.0 / 81);
  EXPECT_DOUBLE_EQ(usual.shift(), -1.0 / 9);
}

TEST(GeneralizedAlpha, FactorsAreTheChangePerChangeOfAcceleration) {
  const auto g = GeneralizedAlpha::with_spectral_radius(0.6);
  const double h = 0.02, per_acceleration = (1 - g.alpha_f) / (1 - g.alpha_m);
  EXPECT_DOUBLE_EQ(g.velocity_factor(h), h * g.gamma * per_acceleration);
  EXPECT_DOUBLE_EQ(g.position_factor(h), h * h * g.beta * per_acceleration);
}

/// One step of q̈ = -ω² q in (q, h v, h² a), with Ω = ω h.
Eigen::Matrix3d amplification(const GeneralizedAlpha& g, double omega) {
  const double o2 = omega * omega;
  Eigen::Matrix3d after, before;
  after << 1, 0, -g.beta, 0, 1, -g.gamma, (1 - g.alpha_f) * o2, 0, 1 - g.alpha_m;
  before << 1, 1, 0.5 - g.beta, 0, 1, 1 - g.gamma, -g.alpha_f * o2, 0, -g.alpha_m;
  return after.fullPivLu().solve(before);
}

TEST(GeneralizedAlpha, DampsInfiniteFrequenciesAsAsked) {
  for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.9, 1.0}) {
    const Eigen::Matrix3d A = amplification(GeneralizedAlpha::with_spectral_radius(rho), 1e5);
    // All three eigenvalues are -ρ. Roots that meet are ill-conditioned; the coefficients of the
    // characteristic polynomial are not, and approach their limits as 1/Ω² = 1e-10.
    EXPECT_NEAR(A.trace(), -3 * rho, 1e-8) << rho;
    EXPECT_NEAR(0.5 * (A.trace() * A.trace() - (A * A).trace()), 3 * rho * rho, 1e-8) << rho;
    EXPECT_NEAR(A.determinant(), -rho * rho * rho, 1e-8) << rho;
  }
}

TEST(GeneralizedAlpha, NoFrequencyGrowsAndResolvedOnesHardlyDecay) {
  for (const double rho : {0.0, 0.3, 0.5, 0.8, 0.9, 1.0}) {
    const auto g = GeneralizedAlpha::with_spectral_radius(rho);
    const auto radius = [&](double omega) {
      return amplification(g, omega).eigenvalues().cwiseAbs().maxCoeff();
    };
    // Up to here no eigenvalues are so close that their roots lose more than half the digits.
    for (double omega = 1e-3; omega < 100; omega *= 1.3)
      EXPECT_LE(radius(omega), 1 + 1e-8) << rho << ", " << omega;
    EXPECT_GT(radius(0.05), 1 - 1e-3) << rho;  // 1 - O(Ω³)
  }
}

}  // namespace
}  // namespace tumble
