#include "tumble/math/select_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tumble {
namespace {

void expect_selected(const std::vector<double>& values, const std::vector<std::size_t>& ranks) {
  std::vector<double> sorted = values, selected = values;
  std::sort(sorted.begin(), sorted.end());
  select_ranks(selected, ranks);
  for (const std::size_t rank : ranks) EXPECT_EQ(selected[rank], sorted[rank]) << "rank " << rank;
  std::sort(selected.begin(), selected.end());
  EXPECT_EQ(selected, sorted) << "values got lost";
}

TEST(SelectRanks, AgreesWithSorting) {
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const std::size_t n : {1u, 2u, 16u, 31u, 32u, 33u, 34u, 35u, 36u, 100u, 500u, 10007u}) {
    const std::vector<std::vector<std::size_t>> all_ranks = {
        {}, {0}, {n - 1}, {n / 20, n / 2, n - 1 - n / 20}, {0, n / 3, n - 1}};
    std::vector<double> random(n), ties(n), equal(n, 1.5), ascending(n), descending(n), waves(n),
        infinite(n);
    for (std::size_t i = 0; i < n; ++i) {
      random[i] = uniform(bits) - 0.5;
      ties[i] = std::floor(4 * uniform(bits));
      infinite[i] = i % 5 == 1 ? std::numeric_limits<double>::infinity() : uniform(bits);
      ascending[i] = static_cast<double>(i);
      descending[i] = -ascending[i];
      // The places that samples are taken from hold the smallest values.
      waves[i] = static_cast<double>(i % 33 == 16 ? i : n + i * 7919 % n);
    }
    for (const auto& values : {random, ties, equal, ascending, descending, waves, infinite})
      for (std::vector<std::size_t> ranks : all_ranks) {
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        expect_selected(values, ranks);
      }
  }
}

}  // namespace
}  // namespace tumble
