// Multilevel estimates against closed forms: quantities P_l = X + c (1 + X) h_l^p of a grid h_l, of
// which mean, variance and bias are known.
#include "tumble/study/statistics/multilevel_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tumble {
namespace {

constexpr auto the_mean = MultilevelStatistic::mean, the_variance = MultilevelStatistic::variance;

/// X is normal with mean 2 and deviation 1.
struct GridFamily {
  double c = 1, p = 2, coarsest = 0.5;
  double error(std::size_t level) const {
    return c * std::pow(coarsest * std::pow(0.5, static_cast<double>(level)), p);
  }
  double on(std::size_t level, double x) const { return x + error(level) * (1 + x); }

  std::vector<LevelSample> draw(const std::vector<std::uint64_t>& pairs, unsigned seed) const {
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> normal(2, 1);
    std::vector<LevelSample> all(pairs.size());
    for (std::size_t l = 0; l < pairs.size(); ++l)
      for (std::uint64_t i = 0; i < pairs[l]; ++i) {
        const double x = normal(generator);
        all[l].fine.push_back(on(l, x));
        if (l > 0) all[l].coarse.push_back(on(l - 1, x));
      }
    return all;
  }
};

const std::vector<double> halves{1, 2, 2, 2, 2};

TEST(MultilevelEstimate, AddsTheDifferencesOfTheLevels) {
  const std::vector<LevelSample> samples{{{1, 2, 3, 6}, {}}, {{5, 9}, {4, 6}}};
  const MultilevelEstimate mean = multilevel_estimate(samples, the_mean, 0.95, halves);
  EXPECT_DOUBLE_EQ(mean.value, 3 + 2);
  EXPECT_DOUBLE_EQ(mean.levels[1].pair_variance, 2);
  EXPECT_DOUBLE_EQ(mean.levels[1].run_variance, 8);
  EXPECT_DOUBLE_EQ(mean.standard_error, std::sqrt((14.0 / 3) / 4 + 2.0 / 2));
  // Sample variances 14/3 of the first level, 8 and 2 of the pairs.
  EXPECT_DOUBLE_EQ(multilevel_estimate(samples, the_variance, 0.95, halves).value, 14.0 / 3 + 6);
  EXPECT_THROW(multilevel_estimate(std::span(samples).first(1), the_mean, 0.95, halves),
               std::invalid_argument);
}

TEST(MultilevelEstimate, ObservesTheOrderAndBoundsTheBias) {
  for (const double p : {1.0, 2.0}) {
    const GridFamily family{1, p, 0.5};
    const MultilevelEstimate mean =
        multilevel_estimate(family.draw({4000, 2000, 1000, 500}, 7), the_mean, 0.95, halves);
    EXPECT_TRUE(mean.order_observed);
    EXPECT_NEAR(mean.order, p, 0.1);
    const double bias = family.error(3) * 3;  // E[1 + X] = 3
    EXPECT_GT(mean.bias, bias);
    EXPECT_LT(mean.bias, 2 * bias);
  }
  // With two levels no order can be seen: 1 is assumed, twice the difference allowed.
  const MultilevelEstimate two =
      multilevel_estimate(GridFamily{}.draw({4000, 2000}, 7), the_mean, 0.95, halves);
  EXPECT_FALSE(two.order_observed);
  EXPECT_GT(two.bias, 2 * std::fabs(two.levels[1].difference));
  // Differences that converge faster than second order are not believed to.
  const MultilevelEstimate fast = multilevel_estimate(
      GridFamily{1, 4, 0.5}.draw({4000, 2000, 2000}, 7), the_mean, 0.95, halves);
  EXPECT_DOUBLE_EQ(fast.order, 2);
}

TEST(MultilevelEstimate, HasUnbiasedVariances) {
  const GridFamily family{0.5, 2, 0.5};
  constexpr int studies = 4000;
  double sum = 0, squares = 0;
  for (unsigned s = 0; s < studies; ++s) {
    const double v =
        multilevel_estimate(family.draw({16, 8, 8}, s), the_variance, 0.95, halves).value;
    sum += v, squares += v * v;
  }
  const double mean = sum / studies, error = std::sqrt(squares / studies - mean * mean) / 63.2;
  const double truth = std::pow(1 + family.error(2), 2);
  EXPECT_NEAR(mean, truth, 3 * error);
}

TEST(MultilevelEstimate, ClaimsErrorsThatHoldOverSeeds) {
  const GridFamily family{1, 2, 0.25};
  int held[2] = {0, 0};
  constexpr int studies = 400;
  for (unsigned s = 0; s < studies; ++s) {
    const auto samples = family.draw({2048, 128, 64}, 1000 + s);
    const MultilevelEstimate mean = multilevel_estimate(samples, the_mean, 0.95, halves);
    const MultilevelEstimate variance = multilevel_estimate(samples, the_variance, 0.95, halves);
    held[0] += std::fabs(mean.value - 2) <= mean.error();
    held[1] += std::fabs(variance.value - 1) <= variance.error();
  }
  // 0.95 at least, less three standard errors of 400 studies.
  EXPECT_GE(held[0], 0.917 * studies);
  EXPECT_GE(held[1], 0.917 * studies);
}

TEST(MultilevelPairs, MinimiseTheWorkForAnError) {
  MultilevelEstimate estimate;
  estimate.quantile = 2;
  for (const double variance : {4.0, 0.5, 0.03}) {
    LevelEstimate level;
    level.pairs = 1000;
    level.pair_variance = variance;
    level.difference_se = std::sqrt(variance / 1000);
    estimate.levels.push_back(level);
  }
  const std::vector<double> work{1, 3, 6};
  const double allowed = 0.12;
  const auto pairs = choose_pairs(estimate, work, allowed);
  const auto error = [&](const std::vector<double>& n) {
    double sum = 0;
    for (std::size_t l = 0; l < 3; ++l) sum += estimate.levels[l].pair_variance / n[l];
    return 2 * std::sqrt(sum);
  };
  const std::vector<double> n(pairs.begin(), pairs.end());
  EXPECT_LE(error(n), allowed);
  const auto total = [&](const std::vector<double>& m) {
    return m[0] * work[0] + m[1] * work[1] + m[2] * work[2];
  };
  // Whatever is moved between two levels at the same error costs more.
  for (std::size_t from = 0; from < 3; ++from)
    for (std::size_t to = 0; to < 3; ++to) {
      std::vector<double> other = n;
      if (from == to || n[from] <= 1001) continue;
      other[from] *= 0.99;
      for (int i = 0; i < 1000 && error(other) > error(n); ++i) other[to] *= 1.001;
      if (error(other) <= error(n)) {
        EXPECT_GE(total(other), total(n) * 0.999);
      }
    }
  // No more than eight times as many in one round, and never fewer.
  for (const std::uint64_t many : choose_pairs(estimate, work, 1e-6)) EXPECT_EQ(many, 8000U);
  EXPECT_GT(choose_pairs(estimate, work, 1e3)[0], 1000U);
}

TEST(PlainMonteCarlo, HasTheCheapestGridWhoseBiasIsSmallEnough) {
  const GridFamily family{1, 2, 0.5};
  const MultilevelEstimate e =
      multilevel_estimate(family.draw({400, 400, 400, 400}, 3), the_mean, 0.95, halves);
  const std::vector<double> work{1, 2, 4, 8};
  const PlainMonteCarlo plain = plain_monte_carlo(e, work);
  // The grid of level 0 is off by 0.75, of level 1 by 0.19, of level 2 by 0.05.
  ASSERT_LT(e.error(), 0.25);
  EXPECT_GE(plain.level, 2U);
  EXPECT_DOUBLE_EQ(plain.work, plain.runs * work[plain.level]);
  const double allowed = (e.error() - plain.bias) / e.quantile;
  double variance = 0;
  for (std::size_t l = 0; l <= plain.level; ++l)
    variance += e.levels[l].run_variance - e.levels[l].coarse_run_variance;
  EXPECT_NEAR(variance, 1, 0.4);
  EXPECT_NEAR(plain.runs, variance / (allowed * allowed), 1);
}

}  // namespace
}  // namespace tumble
