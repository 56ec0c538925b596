#include "tumble/math/tracked_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

namespace tumble {
namespace {

using Ranks = std::vector<std::size_t>;

/// What sorting says.
std::vector<double> sorted_at(std::vector<double> values, const Ranks& ranks) {
  std::sort(values.begin(), values.end());
  std::vector<double> found;
  for (const std::size_t rank : ranks) found.push_back(values[rank]);
  return found;
}

std::vector<double> tracked_at(TrackedRanks& tracked, const std::vector<double>& values,
                               std::size_t ranks) {
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean);
  std::vector<double> found(ranks);
  tracked.select(values, mean, std::sqrt(squares / static_cast<double>(values.size())),
                 found.data());
  return found;
}

TEST(TrackedRanks, FollowASampleThatMoves) {
  constexpr std::size_t members = 4001;
  const Ranks ranks{173, 200, 201, 227, 1938, 2000, 2062, 3773, 3800, 3827};
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::vector<double> phase(members), speed(members), values(members);
  for (std::size_t i = 0; i < members; ++i) phase[i] = normal(engine), speed[i] = normal(engine);
  TrackedRanks tracked(ranks, members);
  constexpr int times = 200;
  for (int t = 0; t < times; ++t) {
    // All move far together, and a little past each other.
    for (std::size_t i = 0; i < members; ++i)
      values[i] =
          10 * std::sin(0.3 * t) + std::cos(phase[i] + 0.003 * t * speed[i]) + 0.1 * speed[i];
    EXPECT_EQ(tracked_at(tracked, values, ranks.size()), sorted_at(values, ranks)) << t;
  }
  EXPECT_LT(tracked.passes(), 2U * times);
}

// Those of up to eight are found in one pass, those of more in one each.
TEST(TrackedRanks, FollowAnyNumberOfClusters) {
  constexpr std::size_t members = 1003;
  constexpr int times = 60;
  std::mt19937_64 engine(6);
  std::normal_distribution<double> normal;
  std::vector<double> phase(members), values(members);
  for (double& x : phase) x = normal(engine);
  for (std::size_t clusters = 1; clusters <= 10; ++clusters) {
    Ranks ranks;
    for (std::size_t c = 0; c < clusters; ++c)
      ranks.push_back((2 * c + 1) * members / (2 * clusters));
    TrackedRanks tracked(ranks, members);
    for (int t = 0; t < times; ++t) {
      for (std::size_t i = 0; i < members; ++i)
        values[i] = phase[i] + 0.3 * std::sin(phase[i] + 0.05 * t);
      EXPECT_EQ(tracked_at(tracked, values, ranks.size()), sorted_at(values, ranks)) << t;
    }
    EXPECT_LT(tracked.passes(), (clusters <= 8 ? 1 : clusters) * times + 10 * clusters) << clusters;
  }
}

TEST(TrackedRanks, AreRightWhereNothingFollowsFromTheTimeBefore) {
  const Ranks ranks{0, 3, 40, 41, 99};
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  std::vector<double> values(100);
  TrackedRanks tracked(ranks, values.size());
  for (int t = 0; t < 300; ++t) {
    for (double& x : values) x = normal(engine);
    EXPECT_EQ(tracked_at(tracked, values, ranks.size()), sorted_at(values, ranks)) << t;
  }
}

// What is said of where the values lie may be wrong, or nothing.
TEST(TrackedRanks, AreRightWhateverIsSaidOfTheValues) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Ranks ranks{0, 120, 130, 500, 501, 999};
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<double> values(1000), found(ranks.size());
  TrackedRanks tracked(ranks, values.size());
  const std::pair<double, double> said[] = {{0, 1},
                                            {0, 1},
                                            {3, 1},
                                            {-2, 1e-3},
                                            {0, 1e3},
                                            {0, 1},
                                            {1e6, 1},
                                            {0, 1e-300},
                                            {0, 1},
                                            {0, 0},
                                            {infinity, 1},
                                            {0, 1},
                                            {0, infinity},
                                            {std::nan(""), 1},
                                            {0, std::nan("")},
                                            {1e150, 1e150},
                                            {0, -1},
                                            {0, 1}};
  for (int round = 0; round < 3; ++round)
    for (const auto& [centre, scale] : said) {
      for (double& x : values) x = round == 2 ? std::exp(30 * normal(engine)) : normal(engine);
      tracked.select(values, centre, scale, found.data());
      EXPECT_EQ(found, sorted_at(values, ranks)) << centre << " " << scale;
    }
}

TEST(TrackedRanks, ToleratesEqualValues) {
  const Ranks ranks{10, 500, 501, 990};
  std::mt19937_64 engine(3);
  std::vector<double> values(1000);
  TrackedRanks tracked(ranks, values.size());
  for (int t = 0; t < 100; ++t) {
    // From all equal to many different ones and back.
    std::uniform_int_distribution<int> few(0, t % 10 * (t % 10));
    for (double& x : values) x = few(engine);
    EXPECT_EQ(tracked_at(tracked, values, ranks.size()), sorted_at(values, ranks)) << t;
  }
}

TEST(TrackedRanks, TakeSmallSamplesAndManyRanks) {
  std::mt19937_64 engine(4);
  std::normal_distribution<double> normal;
  for (const std::size_t members : {1U, 2U, 3U, 5U, 17U, 2000U}) {
    Ranks ranks;  // far more clusters than fit into registers
    for (std::size_t rank = 0; rank < members; rank += 1 + members / 20) ranks.push_back(rank);
    TrackedRanks tracked(ranks, members);
    std::vector<double> values(members);
    for (double& x : values) x = normal(engine);
    for (int t = 0; t < 20; ++t) {
      for (double& x : values) x += 1e-3 * normal(engine);
      EXPECT_EQ(tracked_at(tracked, values, ranks.size()), sorted_at(values, ranks));
    }
  }
}

}  // namespace
}  // namespace tumble
