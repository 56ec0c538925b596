// Standard errors of independent values, of Markov chains and of designs in copies.
#include "tumble/study/statistics/standard_errors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

const auto one_number = std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1});

/// Of any number of values, with leaves merged from left to right.
LeafStatistics statistics_of(const std::vector<double>& values, std::uint64_t copies = 0,
                             const std::vector<std::size_t>& failed = {}) {
  std::optional<LeafStatistics> all;
  std::optional<LeafBuilder> builder;
  const auto close = [&] {
    if (!builder) return;
    const LeafStatistics leaf = builder->statistics();
    if (all)
      all = LeafStatistics::merge(*all, leaf);
    else
      all = leaf;
    builder.reset();
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % realizations_per_leaf == 0) {
      close();
      builder.emplace(one_number, StatisticsOptions{0, false, copies}, i / realizations_per_leaf);
    }
    const bool fails = std::find(failed.begin(), failed.end(), i) != failed.end();
    builder->add(&values[i], 1, fails ? 0 : 1);
  }
  close();
  return *all;
}

/// Standard normal, by Box and Muller.
double normal(std::uint64_t i) {
  return std::sqrt(-2 * std::log1p(-uniform(2 * i))) *
         std::cos(2 * std::numbers::pi * uniform(2 * i + 1));
}

// SciPy 1.10: G1 = skew(y, bias=False), G2 = kurtosis(y, fisher=False, bias=False) and with k as in
// standard_errors.hpp s / 2 * sqrt((k - (n - 3) / (n - 1)) / n), s = y.std(ddof=1).
TEST(StandardErrors, KnownAnswer) {
  const LeafStatistics s = statistics_of({1, 2, 4, 8, 16, 32});
  EXPECT_NEAR(mean_error(s, {}, 0, 0), 11.861703081766969 / std::sqrt(6.0), 1e-13);
  EXPECT_NEAR(deviation_error(s, {}, 0, 0), 5.626499800053315, 1e-11);
}

// By the formulas of the header in NumPy, with scipy.stats.t.ppf, which has nine digits.
TEST(StandardErrors, IntervalsKnownAnswer) {
  const LeafStatistics s = statistics_of({1, 2, 4, 8, 16, 32});
  const Sampling independent;
  const ConfidenceIntervals intervals(s, independent, 0.95);
  EXPECT_NEAR(intervals.mean(0, 0).lower, 1.9753640289261138, 1e-7);
  EXPECT_NEAR(intervals.mean(0, 0).upper, 54.6372390901333, 1e-7);
  EXPECT_NEAR(intervals.deviation(0, 0).lower, 1.822614976363474, 1e-7);
  EXPECT_NEAR(intervals.deviation(0, 0).upper, 77.19677596456937, 1e-7);
  // Without skewness the interval of the mean is Student's.
  const LeafStatistics even = statistics_of({-3, -1, 1, 3});
  const Interval plain = ConfidenceIntervals(even, independent, 0.95).mean(0, 0);
  EXPECT_NEAR(plain.upper, 3.182446305284263 * std::sqrt(20.0 / 3 / 4), 1e-12);
  EXPECT_NEAR(plain.lower, -plain.upper, 1e-12);
}

// Scatter of the standard deviations of 4000 samples of 200 normal values against the errors they
// state. For normal values the truth is 1 / sqrt(2 (n - 1)) up to O(1/n); the scatter of 4000
// numbers is within 5 / sqrt(8000) = 5.6 % but for a chance of 6e-7.
TEST(StandardErrors, OfDeviationsAreTheirScatter) {
  constexpr std::size_t samples = 4000, n = 200;
  double sum = 0, squares = 0, stated = 0;
  for (std::size_t k = 0; k < samples; ++k) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = 5 + normal(k * n + i);
    const LeafStatistics s = statistics_of(values);
    const double deviation = s.moments().standard_deviation(0, 0);
    sum += deviation;
    squares += deviation * deviation;
    stated += deviation_error(s, {}, 0, 0);
  }
  const double scatter = std::sqrt(squares / samples - (sum / samples) * (sum / samples));
  EXPECT_NEAR(stated / samples / scatter, 1, 0.06);
  EXPECT_NEAR(scatter * std::sqrt(2.0 * (n - 1)), 1, 0.06);
}

TEST(StandardErrors, WhereNothingVariesAndWhereTooFewCount) {
  EXPECT_EQ(deviation_error(statistics_of({3, 3, 3}), {}, 0, 0), 0.0);
  EXPECT_EQ(mean_error(statistics_of({3, 3, 3}), {}, 0, 0), 0.0);
  EXPECT_TRUE(std::isnan(mean_error(statistics_of({3}), {}, 0, 0)));
  EXPECT_TRUE(std::isnan(deviation_error(statistics_of({3}), {}, 0, 0)));
  // Only those that count: 2 of 3.
  EXPECT_DOUBLE_EQ(mean_error(statistics_of({1, 9, 3}, 0, {1}), {}, 0, 0), 1.0);
}

TEST(StandardErrors, MarkovChainsCountForLess) {
  const LeafStatistics s = statistics_of({1, 2, 4, 8, 16, 32});
  const Sampling chain{0, 0.25};
  EXPECT_DOUBLE_EQ(mean_error(s, chain, 0, 0), 2 * mean_error(s, {}, 0, 0));
  EXPECT_DOUBLE_EQ(deviation_error(s, chain, 0, 0), 2 * deviation_error(s, {}, 0, 0));
}

TEST(CopyMoments, ErrorIsTheScatterOfTheCopies) {
  // Copies {1, 5}, {2, 6}, {4, 8}: means 3, 4, 6, variances 8 each.
  const LeafStatistics s = statistics_of({1, 2, 4, 5, 6, 8}, 3);
  const Sampling sampling{3, {}};
  EXPECT_NEAR(mean_error(s, sampling, 0, 0), std::sqrt(7.0 / 3 / 3), 1e-14);
  // The mean of all is 13/3, and the copies' mean squares about it are 4 + (4/3)^2, 4 + (1/3)^2 and
  // 4 + (5/3)^2: their variance, of 16/9, 1/9 and 25/9, is 49/27.
  const double deviation = std::sqrt(4 + 42.0 / 27);
  EXPECT_NEAR(ensemble_deviation(s, sampling, 0, 0), deviation, 1e-14);
  EXPECT_NEAR(deviation_error(s, sampling, 0, 0), std::sqrt(49.0 / 27 / 3) / (2 * deviation),
              1e-13);
  EXPECT_NEAR(ensemble_deviation(s, {}, 0, 0), deviation * std::sqrt(6.0 / 5), 1e-14);
}

// One copy alone says nothing about its errors, and has the divisor n all the same.
TEST(CopyMoments, OneCopyHasNoErrors) {
  const LeafStatistics s = statistics_of({1, 2, 4, 5, 6, 8}, 1);
  const Sampling sampling{1, {}};
  EXPECT_TRUE(std::isnan(mean_error(s, sampling, 0, 0)));
  EXPECT_TRUE(std::isnan(deviation_error(s, sampling, 0, 0)));
  EXPECT_NEAR(ensemble_deviation(s, sampling, 0, 0), std::sqrt(4 + 42.0 / 27), 1e-14);
}

TEST(CopyMoments, CopiesThatLostRealizationsWeighLess) {
  // Copies {1}, {2, 6}, {4, 8}: means 1, 4, 6 with weights 1/5, 2/5, 2/5, mean 4.2.
  const LeafStatistics s = statistics_of({1, 2, 4, 5, 6, 8}, 3, {3});
  const double expected =
      std::sqrt(1.5 * (std::pow(0.2 * 3.2, 2) + std::pow(0.4 * 0.2, 2) + std::pow(0.4 * 1.8, 2)));
  EXPECT_NEAR(mean_error(s, {3, {}}, 0, 0), expected, 1e-14);
  // One copy alone says nothing.
  EXPECT_TRUE(std::isnan(mean_error(statistics_of({1, 2, 4}, 3, {0, 1}), {3, {}}, 0, 0)));
}

// Stratified values: copy r has one value in each of 32 strata of [0, 1). The Monte Carlo formula
// would claim 1 / sqrt(12 n) = 0.0128; the truth is that over 32.
// The estimate from 16 copies scatters by 1 / sqrt(30): 5.5 times that are 1.0.
TEST(CopyMoments, SeeThroughStratification) {
  constexpr std::size_t copies = 16, strata = 32, n = copies * strata;
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = (static_cast<double>(i / copies) + uniform(i)) / strata;
  const LeafStatistics s = statistics_of(values, copies);
  const double truth = 1 / std::sqrt(12.0 * n) / strata;
  EXPECT_NEAR(mean_error(s, {copies, {}}, 0, 0) / truth, 1, 0.99);
  EXPECT_GT(mean_error(s, {}, 0, 0) / truth, 25);
}

TEST(CopyMoments, MergingIsAddingOn) {
  const TestEnsemble ensemble;
  CopyMoments left(ensemble.layout, 5), right(ensemble.layout, 5), all(ensemble.layout, 5);
  for (std::uint64_t r = 0; r < 100; ++r) {
    const auto row = ensemble.row(r);
    const auto index = static_cast<std::int64_t>(r);
    (r < 37 ? left : right).add(index, row.data(), 1, ensemble.valid_times(r));
    all.add(index, row.data(), 1, ensemble.valid_times(r));
  }
  const CopyMoments merged = CopyMoments::merge(left, right);
  for (std::size_t t = 0; t < ensemble.layout->times(); ++t) {
    for (std::uint64_t c = 0; c < 5; ++c) EXPECT_EQ(merged.count(t, c), all.count(t, c));
    for (std::size_t k = 0; k < ensemble.layout->numbers(); ++k)
      EXPECT_NEAR(merged.mean(t, k).error, all.mean(t, k).error, 1e-12);
  }
}

TEST(CopyMoments, RefusesWhatIsNoDesign) {
  EXPECT_THROW(CopyMoments(one_number, 1), std::invalid_argument);
  EXPECT_THROW(CopyMoments(one_number, CopyMoments::max_copies + 1), std::invalid_argument);
  EXPECT_THROW(mean_error(statistics_of({1, 2}), {2, {}}, 0, 0), std::logic_error);
}

}  // namespace
}  // namespace tumble
