// Quantiles of made-up ensembles with their intervals and bounds, from values, sketches and copies.
#include "tumble/study/quantiles/ensemble_quantiles.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ensemble_for_tests.hpp"
#include "tumble/study/quantiles/quantile_ranks.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

const std::vector<double> probabilities{0.95, 0.05, 0.5};  // not in order

struct Fixture {
  TestEnsemble ensemble;
  StoredValues values{ensemble.layout};
  LeafStatistics statistics;

  Fixture(std::uint64_t leaves, std::uint64_t copies, std::uint32_t sketch_size = 16)
      : statistics(reduce(leaves, copies, sketch_size)) {}

  LeafStatistics reduce(std::uint64_t leaves, std::uint64_t copies, std::uint32_t sketch_size) {
    ensemble.options = {sketch_size, true, copies};
    StatisticsTree tree;
    for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) {
      LeafBuilder builder = ensemble.builder(leaf, realizations_per_leaf);
      tree.add(leaf, builder.statistics());
      values.add(leaf, *builder.take_values());
    }
    return tree.finish(leaves * realizations_per_leaf);
  }

  /// Those that count, ascending.
  std::vector<double> sorted(std::size_t time, std::size_t number, std::uint64_t copy = 0,
                             std::uint64_t copies = 1) const {
    std::vector<double> result;
    for (std::uint64_t r = copy; r < statistics.realizations(); r += copies)
      if (ensemble.valid_times(r) > time)
        result.push_back(ensemble.row(r)[time * ensemble.layout->numbers() + number]);
    std::sort(result.begin(), result.end());
    return result;
  }
};

double type_7(const std::vector<double>& sorted, double p) {
  const double h = static_cast<double>(sorted.size() - 1) * p;
  const auto i = static_cast<std::size_t>(h);
  return i + 1 < sorted.size()
             ? sorted[i] + (h - static_cast<double>(i)) * (sorted[i + 1] - sorted[i])
             : sorted.back();
}

TEST(EnsembleQuantiles, FromValues) {
  const Fixture f(8, 0);
  const EnsembleQuantiles found =
      ensemble_quantiles(f.statistics, &f.values, probabilities, {0.9, {}, 2});
  const std::uint64_t total = 512;
  for (std::size_t t = 0; t < 7; ++t) {
    for (std::size_t number = 0; number < 8; ++number) {
      const std::vector<double> x = f.sorted(t, number);
      for (std::size_t p = 0; p < 3; ++p) {
        const std::size_t k = (t * 8 + number) * 3 + p;
        EXPECT_DOUBLE_EQ(found.estimate[k], type_7(x, probabilities[p]));
        const RankInterval ranks = quantile_interval_ranks(x.size(), probabilities[p], 0.9);
        EXPECT_EQ(found.lower[k], x[*ranks.lower]);
        EXPECT_EQ(found.upper[k], x[*ranks.upper]);
        std::vector<double> low(total - x.size(), -1e6), high = x;
        low.insert(low.end(), x.begin(), x.end());
        high.insert(high.end(), total - x.size(), 1e6);
        const double lowest = type_7(low, probabilities[p]),
                     highest = type_7(high, probabilities[p]);
        EXPECT_EQ(std::isinf(found.bound_lower[k]), lowest < 0);
        EXPECT_EQ(std::isinf(found.bound_upper[k]), highest > 1000);
        if (lowest > 0) {
          EXPECT_DOUBLE_EQ(found.bound_lower[k], lowest);
        }
        if (highest < 1000) {
          EXPECT_DOUBLE_EQ(found.bound_upper[k], highest);
        }
      }
    }
  }
}

// What a sketch says encloses what the values say, also where nothing but its guarantee is known.
TEST(EnsembleQuantiles, SketchesEncloseWhatValuesSay) {
  for (const std::uint32_t size : {16u, 64u}) {
    const Fixture f(32, 0, size);
    ASSERT_GT(f.statistics.sketch()->rank_error(), 0u);
    const EnsembleQuantiles exact =
        ensemble_quantiles(f.statistics, &f.values, probabilities, {0.95, {}, 2});
    const EnsembleQuantiles rough =
        ensemble_quantiles(f.statistics, nullptr, probabilities, {0.95, {}, 2});
    std::size_t wider = 0;
    for (std::size_t k = 0; k < exact.estimate.size(); ++k) {
      EXPECT_LE(rough.lower[k], exact.lower[k]);
      EXPECT_GE(rough.upper[k], exact.upper[k]);
      EXPECT_LE(rough.bound_lower[k], exact.bound_lower[k]);
      EXPECT_GE(rough.bound_upper[k], exact.bound_upper[k]);
      wider += rough.lower[k] < exact.lower[k];
    }
    EXPECT_GT(wider, exact.estimate.size() / 2);
  }
}

// By Woodruff's method, step by step. t = scipy.stats.t.ppf(0.975, 3) of SciPy 1.10.
TEST(EnsembleQuantiles, OfCopiesHaveWoodruffsIntervals) {
  constexpr std::uint64_t copies = 4;
  const Fixture f(4, copies);
  const EnsembleQuantiles found =
      ensemble_quantiles(f.statistics, &f.values, probabilities, {0.95, {copies, {}}, 2});
  const std::size_t t = 4, number = 2;
  for (std::size_t p = 0; p < 3; ++p) {
    const std::vector<double> all = f.sorted(t, number);
    const double prob = probabilities[p], estimate = type_7(all, prob), student = 3.182446305284263;
    std::vector<double> fractions;
    std::vector<std::uint64_t> counts;
    for (std::uint64_t c = 0; c < copies; ++c) {
      const std::vector<double> x = f.sorted(t, number, c, copies);
      const auto below = std::upper_bound(x.begin(), x.end(), estimate) - x.begin();
      fractions.push_back(static_cast<double>(below) / static_cast<double>(x.size()));
      counts.push_back(x.size());
    }
    const double error = error_from_copies(fractions, counts);
    const auto n = static_cast<double>(all.size());
    const double middle =
        n * prob + 0.5 +
        (student * student - 1) * (1 - 2 * prob) / 6 * n * error * error / (prob * (1 - prob));
    // These 250 values have all ends: none is beyond the sample but by the scatter of 4 copies.
    const auto at = [&](double rank) {
      rank = std::clamp(rank, 1.0, n);
      const auto i = static_cast<std::size_t>(rank);
      const double part = rank - static_cast<double>(i);
      return part == 0 ? all[i - 1] : all[i - 1] + part * (all[i] - all[i - 1]);
    };
    const std::size_t k = (t * 8 + number) * 3 + p;
    EXPECT_DOUBLE_EQ(found.estimate[k], estimate);
    EXPECT_NEAR(found.lower[k], at(middle - student * n * error), 1e-10);
    EXPECT_NEAR(found.upper[k], at(middle + student * n * error), 1e-10);
  }
  // One copy has none.
  const EnsembleQuantiles alone =
      ensemble_quantiles(f.statistics, &f.values, probabilities, {0.95, {1, {}}, 2});
  EXPECT_TRUE(alone.lower.empty());
  EXPECT_EQ(alone.estimate, found.estimate);
  const EnsembleQuantiles sketched =
      ensemble_quantiles(f.statistics, nullptr, probabilities, {0.95, {copies, {}}, 2});
  EXPECT_TRUE(sketched.lower.empty());
  EXPECT_FALSE(sketched.estimate.empty());
}

TEST(EnsembleQuantiles, WhereNothingFailedThereIsNothingToBound) {
  const auto layout = std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1});
  LeafBuilder builder(layout, {0, true}, 0);
  for (const double x : {3.0, 1.0, 2.0}) builder.add(&x, 1, 1);
  StoredValues values(layout);
  const LeafStatistics statistics = builder.statistics();
  values.add(0, *builder.take_values());
  const EnsembleQuantiles found =
      ensemble_quantiles(statistics, &values, std::vector<double>{0.5}, {});
  EXPECT_EQ(found.estimate, std::vector<double>{2.0});
  EXPECT_TRUE(found.bound_lower.empty());
  // Three values cannot enclose a median with 95 %.
  EXPECT_TRUE(std::isinf(found.lower[0]) && found.lower[0] < 0);
  EXPECT_TRUE(std::isinf(found.upper[0]) && found.upper[0] > 0);
}

}  // namespace
}  // namespace tumble
