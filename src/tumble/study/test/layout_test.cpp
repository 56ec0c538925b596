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
  EXPECT_EQ(layout.pairs().size(), 3u + 6u);
  EXPECT_EQ(layout.row(), 301u * 8u);
  EXPECT_EQ(layout.number(2), 4u);
}

TEST(StatisticsLayout, EveryPairHasItsPlaceAndSymmetricOnesShareIt) {
  const StatisticsLayout layout(1, {1, 3, 4});
  std::set<std::size_t> places;
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    for (std::size_t a = 0; a < layout.size(q); ++a) {
      for (std::size_t b = a + 1; b < layout.size(q); ++b) {
        const std::size_t place = layout.pair(q, a, b);
        EXPECT_TRUE(places.insert(place).second);
        EXPECT_EQ(place, layout.pair(q, b, a));
        ASSERT_LT(place, layout.pairs().size());
        EXPECT_EQ(layout.pairs()[place],
                  (StatisticsLayout::Pair{layout.number(q) + a, layout.number(q) + b}));
      }
    }
  }
  EXPECT_EQ(places.size(), layout.pairs().size());
  for (std::size_t i = 1; i < layout.pairs().size(); ++i) {
    const StatisticsLayout::Pair before = layout.pairs()[i - 1], after = layout.pairs()[i];
    EXPECT_LE(before.b - before.a, after.b - after.a);
  }
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
