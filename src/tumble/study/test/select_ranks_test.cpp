#include "tumble/study/select_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ensemble_for_tests.hpp"

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
  for (const std::size_t n : {1u, 2u, 24u, 25u, 100u, 500u, 10007u}) {
    const std::vector<std::vector<std::size_t>> all_ranks = {
        {}, {0}, {n - 1}, {n / 20, n / 2, n - 1 - n / 20}, {0, n / 3, n - 1}};
    std::vector<double> random(n), ties(n), equal(n, 1.5), ascending(n), descending(n), waves(n);
    for (std::size_t i = 0; i < n; ++i) {
      random[i] = uniform(i) - 0.5;
      ties[i] = std::floor(4 * uniform(i));
      ascending[i] = static_cast<double>(i);
      descending[i] = -ascending[i];
      // The places that samples are taken from hold the smallest values.
      waves[i] = static_cast<double>(i % 33 == 16 ? i : n + i * 7919 % n);
    }
    for (const auto& values : {random, ties, equal, ascending, descending, waves})
      for (std::vector<std::size_t> ranks : all_ranks) {
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        expect_selected(values, ranks);
      }
  }
}

}  // namespace
}  // namespace tumble
