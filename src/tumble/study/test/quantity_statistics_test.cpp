// Statistics of scalars: the same numbers as those of probed values, and what does not happen.
#include "tumble/study/statistics/quantity_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensemble_for_tests.hpp"

namespace tumble::quantity_statistics_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

QuantityStatistics statistics_of(const std::vector<double>& values, Sampling sampling = {}) {
  QuantityStatisticsOptions options;
  options.probabilities = {0.05, 0.5, 0.95};
  options.sampling = sampling;
  return quantity_statistics(values, std::vector<double>(values.size(), 0.25), options);
}

TEST(QuantityStatistics, OfUniformValues) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 1000; ++i) values.push_back(uniform(i));
  const QuantityStatistics s = statistics_of(values);
  EXPECT_EQ(s.counted, 1000u);
  EXPECT_EQ(s.happened, 1000u);
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  for (const double x : values) squares += (x - sum / 1000) * (x - sum / 1000);
  EXPECT_NEAR(s.mean.value, sum / 1000, 1e-14);
  EXPECT_NEAR(s.deviation.value, std::sqrt(squares / 999), 1e-14);
  EXPECT_NEAR(s.mean.error, std::sqrt(squares / 999 / 1000), 1e-14);
  EXPECT_LT(s.mean.interval.lower, 0.5);
  EXPECT_GT(s.mean.interval.upper, 0.5);
  EXPECT_EQ(s.mean_output_error, 0.25);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(s.quantile_lower[i], s.quantiles[i]);
    EXPECT_GT(s.quantile_upper[i], s.quantiles[i]);
  }
  // At most abscissae the exceedance 1 - q is inside its interval.
  int outside = 0;
  for (std::size_t i = 0; i < s.curves.at.size(); ++i) {
    const double q = s.curves.at[i], p = std::clamp(1 - q, 0.0, 1.0);
    double above = 0;
    for (const double x : values) above += x > q ? 1 : 0;
    EXPECT_EQ(s.curves.exceedance[i], above / 1000);
    outside += p < s.curves.exceedance_lower[i] || p > s.curves.exceedance_upper[i] ? 1 : 0;
  }
  EXPECT_LE(outside, 15);
  EXPECT_EQ(s.curves.exceedance.front(), 1);
  EXPECT_EQ(s.curves.exceedance.back(), 0);
  EXPECT_GT(s.curves.exceedance_upper.back(), 0);
}

TEST(QuantityStatistics, WhatDoesNotHappenIsBeyondEverything) {
  // Every fourth never happens, every tenth run failed.
  std::vector<double> values;
  for (std::uint64_t i = 0; i < 400; ++i)
    values.push_back(i % 10 == 0 ? nan : i % 4 == 1 ? infinity : uniform(i));
  const QuantityStatistics s = statistics_of(values);
  EXPECT_EQ(s.counted, 360u);
  EXPECT_EQ(s.happened, 260u);  // of 100 with i % 4 == 1 none is a multiple of 10
  EXPECT_NEAR(s.probability.value, 260.0 / 360, 1e-15);
  // scipy.stats.binomtest(260, 360).proportion_ci(0.95)
  EXPECT_NEAR(s.probability.interval.lower, 0.6728622161864467, 1e-12);
  EXPECT_NEAR(s.probability.interval.upper, 0.7678841523357353, 1e-12);
  EXPECT_LT(s.maximum, 1);
  EXPECT_NEAR(s.curves.exceedance.back(), 100.0 / 360, 1e-15);
  EXPECT_TRUE(s.bound_lower.empty());
}

TEST(QuantityStatistics, OfNothing) {
  const QuantityStatistics never = statistics_of(std::vector<double>(20, infinity));
  EXPECT_EQ(never.happened, 0u);
  EXPECT_EQ(never.probability.value, 0);
  EXPECT_NEAR(never.probability.interval.upper, 1 - std::pow(0.025, 1.0 / 20), 1e-12);
  const QuantityStatistics failed = statistics_of(std::vector<double>(20, nan));
  EXPECT_EQ(failed.counted, 0u);
  EXPECT_TRUE(std::isnan(failed.probability.value));
  const QuantityStatistics equal = statistics_of(std::vector<double>(20, 3.0));
  EXPECT_EQ(equal.mean.value, 3);
  EXPECT_EQ(equal.deviation.value, 0);
  const QuantityStatistics one = statistics_of({2.0});
  EXPECT_EQ(one.mean.value, 2);
  EXPECT_TRUE(std::isnan(one.deviation.value));
}

TEST(QuantityStatistics, OfADesignInCopies) {
  // 16 copies of 8 even points each, shifted at random: means scatter far less than independently.
  Sampling copies;
  copies.randomizations = 16;
  std::vector<double> values(128);
  for (std::uint64_t i = 0; i < 128; ++i)
    values[i] = (static_cast<double>(i / 16) + uniform(i)) / 8;
  const QuantityStatistics s = statistics_of(values, copies);
  EXPECT_LT(s.mean.error, 0.3 / std::sqrt(128.0) / 3);
  std::vector<double> means(16);
  for (std::uint64_t i = 0; i < 128; ++i) means[i % 16] += values[i] / 8;
  double mean = 0, squares = 0;
  for (const double m : means) mean += m / 16;
  for (const double m : means) squares += (m - mean) * (m - mean);
  EXPECT_NEAR(s.mean.error, std::sqrt(squares / 15 / 16), 1e-14);
  for (std::size_t i = 0; i < s.curves.at.size(); ++i) {
    const double p = std::clamp(1 - s.curves.at[i], 0.0, 1.0);
    EXPECT_LE(s.curves.exceedance_lower[i], p + 0.02);
    EXPECT_GE(s.curves.exceedance_upper[i], p - 0.02);
  }
  copies.randomizations = 1;
  const QuantityStatistics single = statistics_of(values, copies);
  EXPECT_TRUE(std::isnan(single.mean.error));
  EXPECT_TRUE(std::isnan(single.curves.exceedance_lower[50]));
  EXPECT_FALSE(std::isnan(single.curves.exceedance[50]));
}

// Errors are infinite where every second output changes whether it happens, and where there is no
// number; what never happened has no error that counts.
TEST(QuantityStatistics, ErrorsOfOutputsAreOfWhatHappened) {
  const double never = std::numeric_limits<double>::infinity(), none = std::nan("");
  const std::vector<double> values{1, never, 2, never, none, none, 3};
  const std::vector<double> errors{never, 0, 0.1, never, never, none, 0.3};
  QuantityStatisticsOptions options;
  options.probabilities = {0.5};
  const QuantityStatistics found = quantity_statistics(values, errors, options);
  EXPECT_EQ(found.counted, 5U);
  EXPECT_EQ(found.happened, 3U);
  EXPECT_EQ(found.unresolved, 2U);
  EXPECT_EQ(found.not_finite, 1U);
  EXPECT_DOUBLE_EQ(found.mean_output_error, 0.2);
}

}  // namespace tumble::quantity_statistics_test
