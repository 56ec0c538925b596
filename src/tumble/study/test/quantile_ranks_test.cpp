#include "tumble/study/quantiles/quantile_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ensemble_for_tests.hpp"
#include "tumble/study/quantiles/quantile_rule.hpp"
#include "tumble/study/statistics/failure_bounds.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// From sums of binomial probabilities in rational arithmetic (Python's fractions), 1-based; 0 and
// n + 1 where there is none. (2, 9) of 10 and (40, 61) of 100 are in every textbook.
TEST(QuantileRanks, KnownIntervals) {
  struct Case {
    std::uint64_t n;
    double p, level;
    std::uint64_t lower, upper;
  };
  const Case cases[] = {
      {5, 0.5, 0.95, 0, 6},       {6, 0.5, 0.95, 1, 6},      {10, 0.5, 0.95, 2, 9},
      {71, 0.05, 0.95, 0, 9},     {72, 0.05, 0.95, 1, 9},    {100, 0.05, 0.95, 1, 11},
      {100, 0.5, 0.95, 40, 61},   {500, 0.05, 0.95, 16, 36}, {500, 0.95, 0.95, 465, 485},
      {500, 0.5, 0.99, 221, 280}, {20, 0.0, 0.95, 0, 1},     {20, 1.0, 0.95, 20, 21},
  };
  for (const Case& c : cases) {
    const RankInterval found = quantile_interval_ranks(c.n, c.p, c.level);
    EXPECT_EQ(found.lower ? *found.lower + 1 : 0, c.lower) << c.n << " " << c.p;
    EXPECT_EQ(found.upper ? *found.upper + 1 : c.n + 1, c.upper) << c.n << " " << c.p;
  }
}

TEST(QuantileRanks, DependentValuesGiveWiderIntervals) {
  // Ten independent values' worth out of 1000: the 2nd and 9th of ten, stretched outwards.
  const RankInterval found = quantile_interval_ranks(1000, 10.0, 0.5, 0.95);
  EXPECT_EQ(found.lower, 100u);
  EXPECT_EQ(found.upper, 899u);
  EXPECT_FALSE(quantile_interval_ranks(1000, 0.5, 0.5, 0.95).lower);
  EXPECT_EQ(quantile_interval_ranks(100, 100.0, 0.5, 0.95).lower, 39u);
}

// Exponential values, the 0.9-quantile ln 10, 20000 samples of 100. By the binomial distribution
// the ends miss it with the probabilities P(B <= l - 1) and P(B >= u) of the ranks l = 84 and
// u = 96, together 0.0443 (rational arithmetic as above); five standard deviations of the count are
// 0.0073, exceeded with a chance of 6e-7.
TEST(QuantileRanks, IntervalsCoverTheTruth) {
  constexpr std::size_t samples = 20000, n = 100;
  const RankInterval ranks = quantile_interval_ranks(n, 0.9, 0.95);
  ASSERT_EQ(ranks.lower, 83u);
  ASSERT_EQ(ranks.upper, 95u);
  std::size_t missed = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = -std::log1p(-uniform(k * n + i));
    std::sort(values.begin(), values.end());
    missed += values[83] > std::log(10.0) || values[95] < std::log(10.0);
  }
  EXPECT_NEAR(static_cast<double>(missed) / samples, 0.0443, 0.0073);
}

double type_7(std::vector<double> values, double p) {
  std::sort(values.begin(), values.end());
  const QuantilePosition at(values.size(), p);
  return at.fraction == 0 ? values[at.lower] : at.interpolate(values[at.lower], values[at.upper]);
}

// All failed ones far below, or far above, all values: nothing else goes further.
TEST(QuantileRanks, BoundsHoldWhateverFailedOnesWouldHaveBeen) {
  const std::vector<double> sample{1, 2, 3, 5, 8, 13, 21, 34};
  const std::vector<double> probabilities{0, 0.1, 0.25, 0.5, 0.7, 0.9, 1};
  std::size_t finite = 0;
  for (const std::uint64_t failed : {0u, 1u, 2u, 3u}) {
    const QuantileRanks plan(8, 8, 8 + failed, probabilities, 0.9, 0);
    std::vector<double> at_ranks;
    for (const std::size_t rank : plan.ranks()) at_ranks.push_back(sample[rank]);
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const QuantileValues found = plan.evaluate(i, at_ranks, 1, 34);
      EXPECT_DOUBLE_EQ(found.estimate, type_7(sample, probabilities[i]));
      std::vector<double> low = sample, high = sample, middle = sample;
      for (std::uint64_t k = 0; k < failed; ++k) {
        low.push_back(-1e6);
        high.push_back(1e6);
        middle.push_back(6);
      }
      const double lowest = type_7(low, probabilities[i]), highest = type_7(high, probabilities[i]);
      if (lowest < 0) {
        EXPECT_EQ(found.bound_lower, -infinity);
      } else {
        EXPECT_DOUBLE_EQ(found.bound_lower, lowest);
        finite += failed > 0;
      }
      if (highest > 34)
        EXPECT_EQ(found.bound_upper, infinity);
      else
        EXPECT_DOUBLE_EQ(found.bound_upper, highest);
      EXPECT_LE(found.bound_lower, type_7(middle, probabilities[i]));
      EXPECT_GE(found.bound_upper, type_7(middle, probabilities[i]));
    }
  }
  EXPECT_GE(finite, 9u);
}

// With ranks known up to 2, whatever is within: estimates of ranks are moved outwards.
TEST(QuantileRanks, UncertainRanksWidenWhatEncloses) {
  std::vector<double> sample(100);
  for (std::size_t i = 0; i < 100; ++i) sample[i] = static_cast<double>(i);
  const std::vector<double> probabilities{0.02, 0.5};
  const QuantileRanks exact(100, 100, 110, probabilities, 0.95, 0);
  const QuantileRanks vague(100, 100, 110, probabilities, 0.95, 2);
  const auto evaluate = [&](const QuantileRanks& plan, std::size_t p) {
    std::vector<double> at_ranks;
    for (const std::size_t rank : plan.ranks()) at_ranks.push_back(sample[rank]);
    return plan.evaluate(p, at_ranks, 0, 99);
  };
  const QuantileValues e = evaluate(exact, 1), v = evaluate(vague, 1);
  EXPECT_EQ(e.estimate, v.estimate);
  EXPECT_EQ(v.lower, e.lower - 2);
  EXPECT_EQ(v.upper, e.upper + 2);
  EXPECT_EQ(v.bound_lower, e.bound_lower - 2);
  EXPECT_EQ(v.bound_upper, e.bound_upper + 2);
  EXPECT_EQ(evaluate(vague, 0).bound_lower, -infinity);
  EXPECT_EQ(evaluate(vague, 0).bound_upper, evaluate(exact, 0).bound_upper + 2);
}

double deviation(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

// Every combination of five failed values on a grid of 9 points in the range; the extremes of mean
// and deviation among them. The grid has the ends, and the mean of the others where it is inside.
TEST(FailureBounds, AreReachedAndNeverPassed) {
  struct Case {
    std::vector<double> sample;
    ValueRange range;
  };
  const Case cases[] = {{{1, 2, 6}, {-1, 7}}, {{1, 2, 6}, {4, 20}}, {{10}, {-4, 4}}, {{}, {0, 8}}};
  for (const Case& c : cases) {
    for (const std::size_t failed : {1u, 2u, 5u}) {
      const std::size_t total = c.sample.size() + failed;
      if (total < 2) continue;
      double mean = 0, smallest = infinity, largest = 0;
      for (const double x : c.sample) mean += x / static_cast<double>(c.sample.size());
      const double nan = std::numeric_limits<double>::quiet_NaN();
      const MomentBounds bounds = moment_bounds(c.sample.empty() ? nan : mean,
                                                c.sample.size() < 2 ? nan : deviation(c.sample),
                                                c.sample.size(), total, c.range);
      std::size_t combinations = 1;
      for (std::size_t k = 0; k < failed; ++k) combinations *= 9;
      for (std::size_t code = 0; code < combinations; ++code) {
        std::vector<double> all = c.sample;
        for (std::size_t k = 0, rest = code; k < failed; ++k, rest /= 9)
          all.push_back(c.range.lower +
                        (c.range.upper - c.range.lower) * static_cast<double>(rest % 9) / 8);
        smallest = std::min(smallest, deviation(all));
        largest = std::max(largest, deviation(all));
      }
      EXPECT_NEAR(bounds.deviation_lower, smallest, 1e-12);
      EXPECT_NEAR(bounds.deviation_upper, largest, 1e-12);
      const auto m = static_cast<double>(c.sample.size()), n = static_cast<double>(total);
      EXPECT_NEAR(bounds.mean_lower, (m * mean + (n - m) * c.range.lower) / n, 1e-12);
      EXPECT_NEAR(bounds.mean_upper, (m * mean + (n - m) * c.range.upper) / n, 1e-12);
    }
  }
}

TEST(FailureBounds, MeetWhereNothingFailed) {
  const MomentBounds bounds = moment_bounds(3, 2, 10, 10, {-100, 100});
  EXPECT_DOUBLE_EQ(bounds.mean_lower, 3);
  EXPECT_DOUBLE_EQ(bounds.mean_upper, 3);
  EXPECT_DOUBLE_EQ(bounds.deviation_lower, 2);
  EXPECT_DOUBLE_EQ(bounds.deviation_upper, 2);
}

}  // namespace
}  // namespace tumble
