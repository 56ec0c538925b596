// Shares of a variance from plain samples, against functions whose indices are known.
#include "tumble/study/statistics/rank_index.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace tumble {
namespace {

/// x1 x2 + x3 and Ishigami's function of uniform numbers.
double product_and_sum(const std::array<double, 3>& u) { return u[0] * u[1] + u[2]; }
double ishigami(const std::array<double, 3>& u) {
  const auto angle = [](double x) { return std::numbers::pi * (2 * x - 1); };
  return std::sin(angle(u[0])) + 7 * std::pow(std::sin(angle(u[1])), 2) +
         0.1 * std::pow(angle(u[2]), 4) * std::sin(angle(u[0]));
}

/// How often the interval of each of the three shares holds over seeds.
std::array<double, 3> coverage(double (*of)(const std::array<double, 3>&),
                               const std::array<double, 3>& truth, std::size_t n, int seeds) {
  std::array<double, 3> held{};
  for (int seed = 0; seed < seeds; ++seed) {
    std::mt19937_64 engine(static_cast<unsigned>(seed));
    std::uniform_real_distribution<double> uniform;
    std::array<std::vector<double>, 3> x;
    std::vector<double> y;
    for (std::size_t i = 0; i < n; ++i) {
      std::array<double, 3> u{};
      for (std::size_t k = 0; k < 3; ++k) x[k].push_back(u[k] = uniform(engine));
      y.push_back(of(u));
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Interval found = rank_index(x[k], y, 0.95).interval;
      if (found.lower <= truth[k] && truth[k] <= found.upper) held[k] += 1.0 / seeds;
    }
  }
  return held;
}

TEST(RankIndex, IntervalsHoldKnownSharesOverSeeds) {
  // What 300 seeds leave open is 0.013 at 0.95.
  for (const double share : coverage(product_and_sum, {3.0 / 19, 3.0 / 19, 12.0 / 19}, 512, 300)) {
    EXPECT_GE(share, 0.91);
    EXPECT_LE(share, 0.99);
  }
  for (const double share : coverage(ishigami, {.313905191148, .44241114479, 0}, 1024, 300)) {
    EXPECT_GE(share, 0.91);
    EXPECT_LE(share, 0.99);
  }
}

TEST(RankIndex, WhatFollowsFromANumberIsAllOfIt) {
  std::vector<double> x, y, constant(100, 3.0);
  for (int i = 0; i < 100; ++i) x.push_back(std::fmod(i * 0.618034, 1.0)), y.push_back(x.back());
  EXPECT_NEAR(rank_index(x, y, 0.95).value, 1, 1e-2);
  EXPECT_TRUE(std::isnan(rank_index(x, constant, 0.95).value));
}

TEST(RankIndex, CopiesOfADesignTellTheErrorByTheirScatter) {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  std::vector<double> x, y;
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < 4096; ++i) {
    numbers.push_back(i);
    x.push_back(normal(engine));
    y.push_back(x.back() + normal(engine));
  }
  const RatioEstimate copies = rank_index(x, y, 0.95, 16, numbers), plain = rank_index(x, y, 0.95);
  EXPECT_NEAR(copies.value, 0.5, 5 * copies.error);
  EXPECT_NEAR(plain.value, 0.5, 5 * plain.error);
  EXPECT_GT(copies.error, 0.4 * plain.error);  // 16 copies know an error within a factor of two
  EXPECT_LT(copies.error, 2.5 * plain.error);
}

}  // namespace
}  // namespace tumble
