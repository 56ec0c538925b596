// Tolerance and simultaneous regions hold what they say, over 300 seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/stream.hpp"
#include "tumble/study/leaf_builder.hpp"
#include "tumble/study/quantiles/regions.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

constexpr std::size_t times = 25;
constexpr double content = 0.9, confidence = 0.95;

/// A swing of random amplitude, frequency and phase; number 1 is skewed. Time 0 has a phase and
/// nothing else.
std::vector<double> machine(std::uint64_t seed, std::uint64_t realization) {
  const Stream stream(seed, realization, 1);
  const double amplitude = std::exp(0.4 * standard_normal_score(stream.uniform(0)));
  const double frequency = 3 + 0.3 * standard_normal_score(stream.uniform(1));
  const double phase = 0.1 * standard_normal_score(stream.uniform(2));
  std::vector<double> row;
  for (std::size_t t = 0; t < times; ++t) {
    const double x = amplitude * std::sin(frequency * 0.1 * static_cast<double>(t)) + phase;
    row.push_back(x);
    row.push_back(std::exp(x));
  }
  return row;
}

struct Content {
  double at_time;  ///< of number 0 at time 12
  double whole[2];
};

Content content_of(const EnsembleRegion& region, const std::vector<std::vector<double>>& others) {
  int inside_at = 0, inside[2] = {0, 0};
  for (const auto& row : others) {
    const auto within = [&](std::size_t k) {
      return region.lower[k] <= row[k] && row[k] <= region.upper[k];
    };
    inside_at += within(2 * 12);
    for (std::size_t number = 0; number < 2; ++number) {
      bool all = true;
      for (std::size_t t = 0; all && t < times; ++t) all = within(2 * t + number);
      inside[number] += all;
    }
  }
  const auto size = static_cast<double>(others.size());
  return {inside_at / size, {inside[0] / size, inside[1] / size}};
}

/// With a true rate of `confidence`, so few of 300 have a probability below 1e-4: 5 such
/// comparisons raise a false alarm with less than 1e-3.
bool often_enough(int held) {
  return cdf(boost::math::binomial_distribution<double>(300, confidence), held) >= 1e-4;
}

TEST(RegionsSlow, HoldWhatTheySay) {
  // The content is counted among so many others: within 0.002 or so.
  std::vector<std::vector<double>> others;
  for (std::uint64_t r = 0; r < 20000; ++r) others.push_back(machine(99, r));
  const auto layout =
      std::make_shared<const StatisticsLayout>(times, std::vector<std::uint32_t>{1, 1});
  for (const std::uint64_t n : {60, 200}) {
    int tolerance = 0, whole[2] = {0, 0}, pointwise = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
      StatisticsTree tree;
      StoredValues values(layout);
      for (std::uint64_t first = 0; first < n; first += realizations_per_leaf) {
        const std::uint64_t leaf = first / realizations_per_leaf;
        LeafBuilder builder(layout, {0, true, 0}, leaf);
        for (std::uint64_t r = first; r < std::min(first + realizations_per_leaf, n); ++r)
          builder.add(machine(seed, r).data(), 1, times);
        tree.add(leaf, builder.statistics());
        values.add(leaf, *builder.take_values());
      }
      const LeafStatistics statistics = tree.finish(n);
      const auto found = [&](RegionKind kind) {
        return content_of(ensemble_region(statistics, &values, {kind, content, confidence, {}}),
                          others);
      };
      const Content limits = found(RegionKind::tolerance), band = found(RegionKind::simultaneous);
      tolerance += limits.at_time >= content;
      pointwise += limits.whole[0] >= content;
      for (int k = 0; k < 2; ++k) whole[k] += band.whole[k] >= content;
    }
    EXPECT_TRUE(often_enough(tolerance)) << tolerance << " of 300, n = " << n;
    for (const int held : whole) EXPECT_TRUE(often_enough(held)) << held << " of 300, n = " << n;
    // Limits at each time by itself hold fewer whole trajectories: it takes a band for them.
    if (n == 200) {
      EXPECT_LT(pointwise, 100);
    }
  }
}

// S. S. Wilks: 90 % with 95 % needs 46 values two-sided and 29 one-sided; 95 % with 95 % needs 93
// and 59.
TEST(Regions, NeedSoManyRealizations) {
  EXPECT_EQ(smallest_region_sample(RegionKind::tolerance, 0.9, 0.95), 46u);
  EXPECT_EQ(smallest_region_sample(RegionKind::tolerance, 0.95, 0.95), 93u);
  EXPECT_EQ(smallest_region_sample(RegionKind::simultaneous, 0.9, 0.95), 58u);
  EXPECT_EQ(smallest_region_sample(RegionKind::simultaneous, 0.95, 0.95), 118u);
  EXPECT_EQ(smallest_region_sample(RegionKind::chebyshev, 0.9, 0.95), 1u);
  EXPECT_FALSE(two_sided_tolerance_ranks(45, 0.9, 0.95));
  const auto all = two_sided_tolerance_ranks(46, 0.9, 0.95);
  ASSERT_TRUE(all);
  EXPECT_EQ(*all->lower, 0u);
  EXPECT_EQ(*all->upper, 45u);
  EXPECT_EQ(one_sided_tolerance_rank(29, 0.9, 0.95), 28u);
}

}  // namespace
}  // namespace tumble
