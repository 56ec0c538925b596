#include "tumble/study/layout.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <stdexcept>

namespace tumble {
namespace {

TEST(StatisticsLayout, CountsNumbersAndPairs) {
  const StatisticsLayout layout(301, {1, 3, 4});
  EXPECT_EQ(layout.numbers(), 8u);
  EXPECT_EQ(layout.pairs(), 1u + 6u + 10u);
  EXPECT_EQ(layout.row(), 301u * 8u);
  EXPECT_EQ(layout.number(2), 4u);
}

TEST(StatisticsLayout, EveryPairHasItsPlaceAndSymmetricOnesShareIt) {
  const StatisticsLayout layout(1, {1, 3, 4});
  std::set<std::size_t> places;
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    for (std::size_t a = 0; a < layout.size(q); ++a) {
      for (std::size_t b = a; b < layout.size(q); ++b) {
        EXPECT_TRUE(places.insert(layout.pair(q, a, b)).second);
        EXPECT_EQ(layout.pair(q, a, b), layout.pair(q, b, a));
      }
      EXPECT_EQ(layout.diagonal(layout.number(q) + a), layout.pair(q, a, a));
    }
  }
  EXPECT_EQ(places.size(), layout.pairs());
  EXPECT_EQ(*places.rbegin(), layout.pairs() - 1);
}

TEST(StatisticsLayout, RefusesImpossibleQuantities) {
  EXPECT_THROW(StatisticsLayout(1, {0}), std::invalid_argument);
  EXPECT_THROW(StatisticsLayout(1, {10}), std::invalid_argument);
}

TEST(UsableTimes, EndBeforeTheFirstNumberThatIsNone) {
  const StatisticsLayout layout(4, {1, 1});
  const double good[] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(usable_times(layout, good, 1, 4), 4u);
  EXPECT_EQ(usable_times(layout, good, 1, 2), 2u);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(), -1e151}) {
    const double values[] = {1, 2, 3, 4, 5, bad, 7, 8};
    EXPECT_EQ(usable_times(layout, values, 1, 4), 2u);
    EXPECT_EQ(usable_times(layout, values, 1, 2), 2u);
    // One of two interleaved lanes: 2, 4, bad, 8 belong to the second.
    EXPECT_EQ(usable_times(StatisticsLayout(4, {1}), values, 2, 4), 4u);
    EXPECT_EQ(usable_times(StatisticsLayout(4, {1}), values + 1, 2, 4), 2u);
  }
}

}  // namespace
}  // namespace tumble
