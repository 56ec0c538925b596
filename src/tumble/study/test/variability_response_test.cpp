// Variability response against closed forms: responses that are linear in f, for which it is exact,
// and samples whose deviation is known.
#include "tumble/study/statistics/variability_response.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace tumble {
namespace {

constexpr double length = 0.5;
double density(double kappa) {
  return 0.5 * length * std::numbers::inv_sqrtpi *
         std::exp(-0.25 * length * length * kappa * kappa);
}
double correlation(double d) { return std::exp(-d * d / (length * length)); }

std::vector<double> up_to(double last, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(i * last / (count - 1));
  return all;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TEST(SpectrumWeights, IntegrateCosinesToTheCorrelation) {
  const std::vector<double> waves = up_to(24, 65);
  const SpectrumWeights weights = spectrum_weights(waves, density);
  EXPECT_LT(std::fabs(weights.beyond), 1e-12);
  for (const double d : {0.0, 0.3, 0.8}) {
    std::vector<double> cosines, every_second;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      cosines.push_back(std::cos(waves[i] * d));
      if (i % 2 == 0) every_second.push_back(cosines.back());
    }
    const double fine = dot(weights.fine, cosines) - correlation(d);
    const double coarse = dot(weights.coarse, every_second) - correlation(d);
    EXPECT_LT(std::fabs(fine), 2e-4) << d;
    // Fourth order.
    if (d > 0) {
      EXPECT_NEAR(std::fabs(coarse / fine), 16, 5) << d;
    }
  }
}

TEST(SpectrumWeights, WhatLiesBeyondCountsAsTheLast) {
  // Half of the spectrum is reached: erf(length to / 2) = 1/2.
  const double to = 2 / length * 0.4769362762044699;
  const SpectrumWeights weights = spectrum_weights(up_to(to, 9), density);
  EXPECT_NEAR(weights.beyond, 0.5, 1e-12);
  EXPECT_NEAR(dot(weights.fine, std::vector<double>(9, 3.0)), 3, 1e-12);
  EXPECT_NEAR(dot(weights.coarse, std::vector<double>(5, 3.0)), 3, 1e-12);
}

/// One number at two times: u = 2 + f(0.1) - 3 f(0.4), and twice that.
struct Linear {
  LayoutPointer layout = std::make_shared<const StatisticsLayout>(2, std::vector<std::uint32_t>{1});
  StoredValues values{layout};
  std::vector<std::array<double, 2>> rows;

  void add(double f_first, double f_second) {
    const double u = 2 + f_first - 3 * f_second;
    rows.push_back({u, 2 * u});
  }
  void store() {
    for (std::uint64_t leaf = 0; leaf * realizations_per_leaf < rows.size(); ++leaf) {
      const std::uint64_t first = leaf * realizations_per_leaf;
      const std::uint64_t count =
          std::min<std::uint64_t>(realizations_per_leaf, rows.size() - first);
      LeafValues held(layout);
      for (std::uint64_t i = 0; i < count; ++i)
        held.add(rows[first + i].data(), 1,
                 std::isnan(rows[first + i][0])   ? 0
                 : std::isnan(rows[first + i][1]) ? 1
                                                  : 2);
      values.add(leaf, std::move(held));
    }
  }
};

VariabilityPlan plan_with(std::uint64_t check) {
  VariabilityPlan plan;
  plan.wave_numbers = up_to(24, 65);
  plan.phases = 8;
  plan.std = 0.3;
  plan.spectral_density = density;
  plan.check = check;
  plan.copies = 16;
  return plan;
}

void add_waves(Linear& linear, const VariabilityPlan& plan) {
  for (const double kappa : plan.wave_numbers)
    for (std::uint64_t p = 0; p < plan.phases; ++p) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(p) / 8;
      const auto f = [&](double s) {
        return std::numbers::sqrt2 * plan.std * std::cos(kappa * s + phase);
      };
      linear.add(f(0.1), f(0.4));
    }
}

/// Two values of a Gaussian field of this correlation.
void add_draws(Linear& linear, const VariabilityPlan& plan, std::uint64_t seed,
               std::uint64_t runs) {
  const double r = correlation(0.3);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const double x = normal(generator), y = normal(generator);
    linear.add(plan.std * x, plan.std * (r * x + std::sqrt(1 - r * r) * y));
  }
}

const double exact_variance = 0.09 * (1 + 9 - 6 * correlation(0.3));

TEST(VariabilityResponse, IsExactWhereTheResponseIsLinear) {
  Linear linear;
  const VariabilityPlan plan = plan_with(0);
  add_waves(linear, plan);
  linear.store();
  const VariabilityResponse response = variability_response(plan, linear.values, 0.95);
  ASSERT_EQ(response.dvrf.size(), 65U);
  for (std::size_t w = 0; w < 65; ++w) {
    // |1 - 3 exp(0.3 i kappa)|^2
    const double exact = 10 - 6 * std::cos(0.3 * plan.wave_numbers[w]);
    EXPECT_NEAR(response.dvrf[w][0], exact, 1e-12 * exact);
    EXPECT_NEAR(response.dvrf[w][1], 4 * exact, 4e-12 * exact);
    EXPECT_NEAR(response.dmrf[w][0], 2 / 0.09, 1e-11);
  }
  EXPECT_NEAR(response.variance[0], exact_variance, 1e-4 * exact_variance);
  EXPECT_NEAR(response.mean[1], 4, 1e-12);
  const double wrong = std::fabs(response.variance[0] - exact_variance);
  EXPECT_LT(wrong, response.variance_error[0]);
  EXPECT_LT(response.variance_error[0], 40 * wrong);  // 15 times, of fourth order
  EXPECT_NEAR(response.variance_bound[0], 0.09 * 16, 0.09 * 0.2);
  EXPECT_TRUE(response.checks.empty());
}

TEST(VariabilityResponse, FailedWavesAndFieldsAreCountedAndLeftOut) {
  Linear linear;
  const VariabilityPlan plan = plan_with(160);
  add_waves(linear, plan);
  add_draws(linear, plan, 5, 320);
  const double nan = std::nan("");
  linear.rows[3][1] = nan;  // failed between the two times
  linear.rows[65 * 8 + 7] = {nan, nan};
  linear.rows[65 * 8 + 9] = {1e6, nan};
  linear.store();
  const VariabilityResponse response = variability_response(plan, linear.values, 0.95);
  EXPECT_EQ(response.failed_waves, 1U);
  EXPECT_TRUE(std::isnan(response.dvrf[0][1]));
  EXPECT_FALSE(std::isnan(response.dvrf[0][0]));
  EXPECT_TRUE(std::isnan(response.variance[1]));
  EXPECT_TRUE(std::isnan(response.variance_bound[1]));
  ASSERT_EQ(response.checks.size(), 2U);
  EXPECT_EQ(response.checks[0].failed, 2U);
  EXPECT_EQ(response.checks[1].failed, 0U);
  EXPECT_LT(response.checks[0].std[0], 2);
}

// 400 repetitions: a coverage of 0.95 is between 0.912 and 0.985 but for one time in a thousand.
TEST(VariabilityResponse, IntervalsOfTheConjecturesErrorCoverIt) {
  int covered = 0;
  double errors = 0, squares = 0;
  constexpr int repetitions = 400;
  for (int i = 0; i < repetitions; ++i) {
    Linear linear;
    const VariabilityPlan plan = plan_with(160);
    add_waves(linear, plan);
    add_draws(linear, plan, static_cast<std::uint64_t>(i), 320);
    linear.store();
    const VariabilityCheck check = variability_response(plan, linear.values, 0.95).checks[1];
    covered += check.conjecture_error_lower[0] < 0 && check.conjecture_error_upper[0] > 0 ? 1 : 0;
    errors += check.std_se[0];
    squares += std::pow(check.std[0] - std::sqrt(exact_variance), 2);
  }
  EXPECT_GE(covered, 365);
  EXPECT_LE(covered, 394);
  // Of the 400 errors the root mean square is known within 12 % likewise.
  EXPECT_NEAR(errors / repetitions / std::sqrt(squares / repetitions), 1, 0.12);
}

}  // namespace
}  // namespace tumble
