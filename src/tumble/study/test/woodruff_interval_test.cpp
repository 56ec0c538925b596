// Ranks between which a quantile lies, from the fractions of copies below it.
#include "tumble/study/quantiles/woodruff_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tumble/study/quantiles/quantile_ranks.hpp"

namespace tumble {
namespace {

using Counts = std::vector<std::uint64_t>;

TEST(WoodruffRanks, AreSymmetricAboutTheMedian) {
  // Fractions 0.4, 0.5, 0.6: their mean has the standard error 0.1 / sqrt(3).
  const Interval ranks = woodruff_ranks(Counts{40, 50, 60}, Counts{100, 100, 100}, 0.5, 0.9, 2.0);
  const double half = 2.0 * 300 * 0.1 / std::sqrt(3.0);
  EXPECT_NEAR(ranks.lower, 150.5 - half, 1e-9);
  EXPECT_NEAR(ranks.upper, 150.5 + half, 1e-9);
}

// Where no fraction scatters the quantile is between two neighbours, somewhere.
TEST(WoodruffRanks, DoNotVanish) {
  const Interval ranks =
      woodruff_ranks(Counts{8, 8, 8, 8}, Counts{16, 16, 16, 16}, 0.5, 0.95, 3.18);
  EXPECT_NEAR(ranks.lower, 32.5 - 0.475, 1e-12);
  EXPECT_NEAR(ranks.upper, 32.5 + 0.475, 1e-12);
}

// Copies as uneven as independent values: about the ranks of the binomial distribution, also where
// that is skewed. B(1000, 0.05) has the standard deviation 6.892; 16 copies whose numbers below
// have the variance 1000 * 0.05 * 0.95 / 16 = 2.969.
TEST(WoodruffRanks, AgreeWithBinomialOnes) {
  const double d = std::sqrt(2.96875 * 15 / 16);
  // Two values about the mean 3.125 in equal numbers; counts are whole, so copies of 62.5 times
  // 1000 values each stand for those of 62.5.
  Counts below, counts;
  for (int r = 0; r < 16; ++r) {
    below.push_back(static_cast<std::uint64_t>(1000 * (3.125 + (r % 2 == 0 ? d : -d))));
    counts.push_back(62500);
  }
  const Interval ranks = woodruff_ranks(below, counts, 0.05, 0.95, 1.959964);
  const RankInterval exact = quantile_interval_ranks(1000, 0.05, 0.95);
  EXPECT_NEAR(ranks.lower / 1000, static_cast<double>(*exact.lower) + 1, 1.5);
  EXPECT_NEAR(ranks.upper / 1000, static_cast<double>(*exact.upper) + 1, 1.5);
}

// With 72 values one of them is below the 0.05-quantile with 97.51 %, with 71 not with 97.5 %.
TEST(WoodruffRanks, EndAtTheExtremesOrNowhere) {
  const Counts below{9, 0, 0, 0, 0, 0, 0, 0};
  Counts counts(8, 9);
  counts[1] = 8;
  EXPECT_TRUE(std::isinf(woodruff_ranks(below, counts, 0.05, 0.95, 2.36).lower));
  counts[1] = 9;
  EXPECT_EQ(woodruff_ranks(below, counts, 0.05, 0.95, 2.36).lower, 1);
  // A single copy says nothing.
  const Interval unknown = woodruff_ranks(Counts{5, 0}, Counts{10, 0}, 0.5, 0.95, 2);
  EXPECT_TRUE(std::isinf(unknown.lower) && std::isinf(unknown.upper));
}

}  // namespace
}  // namespace tumble
