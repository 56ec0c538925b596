#include "tumble/study/statistics/run_summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tumble {
namespace {

// Three times, a scalar and a vector.
const StatisticsLayout layout(3, {1, 3});
const double row[] = {1, 0, 0, 2,  //
                      5, 3, 4, 0,  //
                      1, 1, 2, -2};

TEST(RunSummary, ExtremesAndWhenTheyAreFirstReached) {
  const std::vector<Peak> whole = find_peaks(layout, row, 1, 3);
  ASSERT_EQ(whole.size(), 4u);
  EXPECT_EQ(whole[0], (Peak{1, 5, 0, 1}));
  EXPECT_EQ(whole[3], (Peak{-2, 2, 2, 0}));
  // Before a failure at the third time.
  EXPECT_EQ(find_peaks(layout, row, 1, 2)[3], (Peak{0, 2, 1, 0}));
  for (const Peak& none : find_peaks(layout, row, 1, 0)) {
    EXPECT_TRUE(std::isnan(none.minimum));
    EXPECT_TRUE(std::isnan(none.maximum));
  }
}

TEST(RunSummary, SquareIntegralByTrapezia) {
  const std::vector<double> whole = square_integrals(layout, row, 1, 3);
  ASSERT_EQ(whole.size(), 2u);
  EXPECT_DOUBLE_EQ(whole[0], 0.5 * 1 + 25 + 0.5 * 1);
  EXPECT_DOUBLE_EQ(whole[1], 0.5 * 4 + 25 + 0.5 * 9);
  EXPECT_TRUE(std::isnan(square_integrals(layout, row, 1, 2)[0]));
  EXPECT_EQ(square_integrals(StatisticsLayout(1, {1}), row, 1, 1), std::vector<double>{0.0});
}

TEST(RunSummary, LanesAreReadInPlace) {
  double lanes[24];
  for (std::size_t i = 0; i < 12; ++i) {
    lanes[2 * i] = -1e9;
    lanes[2 * i + 1] = row[i];
  }
  RunSummaries plain, strided;
  plain.add(layout, row, 1, 3);
  strided.add(layout, lanes + 1, 2, 3);
  EXPECT_EQ(plain, strided);
}

TEST(RunSummary, DamagedTimesAreRefused) {
  RunSummaries summaries;
  summaries.add(layout, row, 1, 3);
  ByteWriter out;
  summaries.write(out);
  const std::string bytes = out.take();
  ByteReader good(bytes, "record");
  EXPECT_EQ(RunSummaries::read(good, layout, 1), summaries);
  std::string bad = bytes;
  bad[1 + 16] = 3;  // of the first extreme's time
  ByteReader late(bad, "record");
  EXPECT_THROW(RunSummaries::read(late, layout, 1), std::runtime_error);
}

}  // namespace
}  // namespace tumble
