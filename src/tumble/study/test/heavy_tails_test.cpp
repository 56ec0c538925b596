// L-moments of samples, and which of them are called heavy.
#include "tumble/study/statistics/heavy_tails.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ensemble_for_tests.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

// By the definition of L-moments as means over all subsets of three and four values, in Python.
TEST(TailShape, KnownAnswers) {
  const TailShape a = tail_shape(std::vector<double>{1, 2, 4, 8, 16, 32});
  EXPECT_NEAR(a.skewness, 0.4925373134328358, 1e-14);
  EXPECT_NEAR(a.kurtosis, 0.20398009950248755, 1e-14);
  const TailShape b = tail_shape(std::vector<double>{0, 1, 1, 3, 10, 11, 12});
  EXPECT_NEAR(b.skewness, 0.1384615384615384, 1e-14);
  EXPECT_NEAR(b.kurtosis, -0.32307692307692304, 1e-14);
  const TailShape same = tail_shape(std::vector<double>{7, 7, 7, 7});
  EXPECT_EQ(same.skewness, 0);
  EXPECT_EQ(same.kurtosis, 0);
}

/// Quantiles of a law at (k + 1/2) / n: a sample without chance.
template <class Quantile>
TailShape shape_of(const Quantile& quantile, std::size_t n) {
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k)
    values.push_back(quantile((static_cast<double>(k) + 0.5) / static_cast<double>(n)));
  return tail_shape(values);
}

// The ratios of Hosking (1990), Table 1, and what follows from them.
TEST(TailShape, OfKnownLaws) {
  const auto exponential = [](double u) { return -std::log1p(-u); };
  const TailShape light = shape_of(exponential, 100000);
  EXPECT_NEAR(light.skewness, 1.0 / 3, 1e-3);
  EXPECT_NEAR(light.kurtosis, 1.0 / 6, 1e-3);
  EXPECT_FALSE(is_heavy(light, 100000));
  // Pareto with the index 2: t3 = (1 + k) / (3 - k), t4 = t3 (2 + k) / (4 - k) with k = 1/2.
  const auto pareto = [](double u) { return 1 / std::sqrt(1 - u); };
  const TailShape heavy = shape_of(pareto, 100000);
  EXPECT_NEAR(heavy.skewness, 0.6, 5e-3);
  EXPECT_NEAR(heavy.kurtosis, 0.6 * 2.5 / 3.5, 5e-3);
  EXPECT_TRUE(is_heavy(heavy, 100000));
  // Symmetric: tan is the quantile of a Cauchy law, whose cube root has tails of the index 3.
  const auto symmetric = [](double u) { return std::cbrt(std::tan(3.14159265358979 * (u - 0.5))); };
  const auto uniform_law = [](double u) { return u; };
  EXPECT_FALSE(is_heavy(shape_of(uniform_law, 64), 64));
  EXPECT_TRUE(is_heavy(shape_of(pareto, 64), 64));
  EXPECT_NEAR(shape_of(symmetric, 4096).skewness, 0, 1e-9);
}

// One quantity of three numbers, the last of which is heavy at late times; another that never is.
TEST(HeavyTails, AreFoundFromValuesAndFromSketches) {
  const auto layout = std::make_shared<const StatisticsLayout>(4, std::vector<std::uint32_t>{3, 1});
  StatisticsTree tree;
  StoredValues values(layout);
  constexpr std::uint64_t leaves = 16;
  for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) {
    LeafBuilder builder(layout, {64, true, 0}, leaf);
    for (std::uint64_t i = 0; i < realizations_per_leaf; ++i) {
      const double u = uniform(leaf * realizations_per_leaf + i);
      std::vector<double> row;
      for (int t = 0; t < 4; ++t)
        for (int k = 0; k < 4; ++k) row.push_back(t >= 2 && k == 2 ? 1 / std::sqrt(1 - u) : u + k);
      builder.add(row.data(), 1, 4);
    }
    tree.add(leaf, builder.statistics());
    values.add(leaf, *builder.take_values());
  }
  const LeafStatistics statistics = tree.finish(leaves * realizations_per_leaf);
  const StoredValues* const sources[] = {&values, nullptr};
  for (const StoredValues* source : sources) {
    const std::vector<HeavyTail> found = find_heavy_tails(statistics, source);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].number, 2u);
    EXPECT_EQ(found[0].time, 2u);
  }
}

}  // namespace
}  // namespace tumble
