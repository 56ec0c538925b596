#include "tumble/study/statistics/leaf_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

TEST(LeafStatistics, RoundTripIsExact) {
  for (const std::uint32_t size : {0u, 8u, 64u}) {
    TestEnsemble ensemble;
    ensemble.options.sketch_size = size;
    const LeafStatistics node = LeafStatistics::merge(ensemble.leaf(0), ensemble.leaf(1));
    const LeafStatistics back = LeafStatistics::deserialize(node.serialize(), ensemble.layout);
    EXPECT_EQ(back, node);
    EXPECT_EQ(back.realizations(), 128u);
    EXPECT_EQ(back.sketch() == nullptr, size == 0);
    // What comes back is as good as the original for going on.
    EXPECT_EQ(LeafStatistics::merge(back, back), LeafStatistics::merge(node, node));
  }
}

TEST(LeafStatistics, CopiesOfADesignTravelAlong) {
  TestEnsemble ensemble;
  ensemble.options.randomizations = 4;
  const LeafStatistics node = LeafStatistics::merge(ensemble.leaf(0), ensemble.leaf(1));
  const std::string bytes = node.serialize();
  const LeafStatistics back = LeafStatistics::deserialize(bytes, ensemble.layout);
  EXPECT_EQ(back, node);
  ASSERT_NE(back.copies(), nullptr);
  EXPECT_EQ(back.copies()->copies(), 4u);
  EXPECT_EQ(back.copies()->mean(3, 2).error, node.copies()->mean(3, 2).error);
  EXPECT_THROW(LeafStatistics::deserialize(std::string_view(bytes).substr(0, bytes.size() - 1),
                                           ensemble.layout),
               std::runtime_error);
  EXPECT_THROW(LeafStatistics::merge(node, TestEnsemble{}.leaf(2)), std::logic_error);
}

TEST(LeafStatistics, UnequalInOneBit) {
  TestEnsemble ensemble;
  LeafBuilder a = ensemble.builder(0, 63), b = ensemble.builder(0, 63);
  std::vector<double> row = ensemble.row(63);
  a.add(row.data(), 1, row.size());
  EXPECT_NE(a.statistics(), b.statistics());
  row[11] = std::nextafter(row[11], 1e300);
  b.add(row.data(), 1, row.size());
  EXPECT_NE(a.statistics(), b.statistics());
}

// A block merged with itself again and again: 2^30 realisations, whose distribution is that of the
// 64. The largest study has 1e9.
TEST(LeafStatistics, OfAThousandMillionRealisations) {
  constexpr std::uint64_t times_over = std::uint64_t{1} << 24;
  constexpr double n = 1 << 30, p[] = {0.05, 0.25, 0.5, 0.75, 0.95};
  TestEnsemble ensemble;
  ensemble.options.sketch_size = 64;
  const LeafStatistics leaf = ensemble.leaf(0);
  LeafStatistics all = leaf;
  for (int level = 0; level < 24; ++level) all = LeafStatistics::merge(all, all);
  EXPECT_EQ(all.realizations(), std::uint64_t{1} << 30);
  all = LeafStatistics::deserialize(all.serialize(), ensemble.layout);
  ASSERT_EQ(all.sketch()->realizations(), std::uint64_t{1} << 30);
  // Of all ranks; the sketch of one block is exact.
  const double error = QuantileSketch::guaranteed_error(std::uint64_t{1} << 30, 64);
  EXPECT_LT(error, 0.1);
  EXPECT_LE(static_cast<double>(all.sketch()->rank_error()), error * n);
  EXPECT_EQ(leaf.sketch()->rank_error(), 0u);
  for (std::size_t time = 0; time < ensemble.layout->times(); ++time) {
    const std::uint64_t counted = leaf.moments().count(time);
    ASSERT_EQ(all.moments().count(time), counted * times_over);
    ASSERT_EQ(all.sketch()->count(time), counted * times_over);
    for (std::size_t number = 0; number < ensemble.layout->numbers(); ++number) {
      const Moments &one = leaf.moments(), &many = all.moments();
      const double m = static_cast<double>(counted), mean = one.mean(time, number);
      // No rounding: means of equal parts are equal, and their sums of powers twice as large.
      EXPECT_EQ(many.mean(time, number), mean);
      EXPECT_DOUBLE_EQ(many.variance(time, number), one.variance(time, number) * (m - 1) / m *
                                                        (m * times_over / (m * times_over - 1)));
      EXPECT_DOUBLE_EQ(many.third_moment(time, number), one.third_moment(time, number));
      EXPECT_DOUBLE_EQ(many.fourth_moment(time, number), one.fourth_moment(time, number));
      EXPECT_EQ(many.maximum(time, number), one.maximum(time, number));
      // Ranks may be off by the error of all, and one of the block's 64 lies up to a 64th further.
      const double off = error * 64 / m + 1.0 / m;
      double found[5], lowest[5], highest[5], below[5], above[5];
      for (int i = 0; i < 5; ++i) {
        below[i] = std::max(0.0, p[i] - off);
        above[i] = std::min(1.0, p[i] + off);
      }
      all.sketch()->quantiles(time, number, p, found);
      leaf.sketch()->quantiles(time, number, below, lowest);
      leaf.sketch()->quantiles(time, number, above, highest);
      for (int i = 0; i < 5; ++i) {
        EXPECT_GE(found[i], lowest[i]) << p[i];
        EXPECT_LE(found[i], highest[i]) << p[i];
      }
    }
  }
}

std::string complaint(const std::string& bytes, const LayoutPointer& layout) {
  try {
    LeafStatistics::deserialize(bytes, layout);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "";
}

TEST(LeafStatistics, DamagedRecordsAreRefused) {
  const TestEnsemble ensemble;
  const std::string bytes = ensemble.leaf(0).serialize();
  for (std::size_t length = 0; length < bytes.size(); length += 5)
    EXPECT_NE(complaint(bytes.substr(0, length), ensemble.layout), "");
  EXPECT_EQ(complaint(bytes + '\0', ensemble.layout),
            "record of statistics is longer than its contents");

  std::string other = bytes;
  other[0] ^= 1;
  EXPECT_EQ(complaint(other, ensemble.layout), "record of statistics is of another kind");
  other = bytes;
  other[4] = 9;
  EXPECT_EQ(complaint(other, ensemble.layout),
            "record of statistics has format version 9, this program reads 4");
  const auto longer =
      std::make_shared<const StatisticsLayout>(8, std::vector<std::uint32_t>{1, 3, 4});
  EXPECT_EQ(complaint(bytes, longer),
            "record of statistics has 7 output times and 3 quantities, the study has 8 and 3");
  const auto wider =
      std::make_shared<const StatisticsLayout>(7, std::vector<std::uint32_t>{1, 4, 3});
  EXPECT_EQ(complaint(bytes, wider),
            "record of statistics has quantities of other sizes than the study");
}

// A checksum guards the journal; a record that got past it must still not take the program down.
TEST(LeafStatistics, FlippedBitsDoNoHarm) {
  const TestEnsemble ensemble;
  const std::string bytes = LeafStatistics::merge(ensemble.leaf(0), ensemble.leaf(1)).serialize();
  const LeafStatistics good = ensemble.leaf(2);
  const double p[] = {0.05, 0.5, 0.95};
  for (std::size_t i = 0; i < bytes.size(); i += i < 2000 ? 1 : 13) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ (1 << i % 8));
    try {
      const LeafStatistics node = LeafStatistics::deserialize(damaged, ensemble.layout);
      const LeafStatistics merged = LeafStatistics::merge(node, good);
      double q[3];
      merged.sketch()->quantiles(0, 0, p, q);
    } catch (const std::runtime_error&) {
    }
  }
}

TEST(LeafStatistics, KindsDoNotMix) {
  TestEnsemble with, without, larger;
  without.options.sketch_size = 0;
  larger.options.sketch_size = 32;
  EXPECT_THROW(LeafStatistics::merge(with.leaf(0), without.leaf(1)), std::logic_error);
  EXPECT_THROW(LeafStatistics::merge(with.leaf(0), larger.leaf(1)), std::logic_error);
}

TEST(LeafBuilder, FailuresCountUntilTheyHappen) {
  const TestEnsemble ensemble;
  const LeafStatistics leaf = ensemble.leaf(0);
  EXPECT_EQ(leaf.realizations(), 64u);
  // In [0, 64): 5 fails at the start, 3 counts at 3 times, 40 at 5.
  const std::uint64_t expected[] = {63, 63, 63, 62, 62, 61, 61};
  for (std::size_t t = 0; t < 7; ++t) {
    EXPECT_EQ(leaf.moments().count(t), expected[t]);
    EXPECT_EQ(leaf.sketch()->count(t), expected[t]);
  }
}

TEST(LeafBuilder, AnUnusableNumberEndsARealization) {
  const TestEnsemble ensemble;
  LeafBuilder builder(ensemble.layout, ensemble.options, 3);
  EXPECT_EQ(builder.next(), 192u);
  std::vector<double> row = ensemble.row(192);
  EXPECT_EQ(builder.add(row.data(), 1, 100), 7u);  // no more than there are
  row[4 * ensemble.layout->numbers()] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(builder.add(row.data(), 1, 7), 4u);
  EXPECT_EQ(builder.statistics().moments().count(3), 2u);
  EXPECT_EQ(builder.statistics().moments().count(4), 1u);
  EXPECT_FALSE(std::isnan(builder.statistics().moments().mean(4, 0)));
}

// Adding one realisation after the other is the definition of moments; groups of any size, whether
// written where they stay or elsewhere, have to give the same bits.
TEST(LeafBuilder, GroupsAreAddedAsSingleOnesAre) {
  TestEnsemble ensemble;
  for (const bool stored : {false, true})
    for (const std::size_t group : {1u, 3u, 8u, 40u}) {
      ensemble.options = {0, stored};
      const LeafStatistics single = ensemble.leaf(1, 61);
      LeafBuilder builder(ensemble.layout, ensemble.options, 1);
      for (std::size_t done = 0; done < 61; done += group) {
        const std::size_t count = std::min<std::size_t>(group, 61 - done);
        std::vector<std::vector<double>> rows(count);
        std::vector<Moments::Run> runs;
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t r = builder.next() + i;
          rows[i] = ensemble.row(r);
          double* const room = i % 2 == 0 ? builder.room(i) : nullptr;
          EXPECT_EQ(room != nullptr, stored && i % 2 == 0);
          const double* values = rows[i].data();
          if (room != nullptr)
            values = std::copy(rows[i].begin(), rows[i].end(), room) - rows[i].size();
          runs.push_back({values, ensemble.valid_times(r)});
        }
        builder.add_usable(runs);
      }
      const std::optional<LeafValues> values = builder.take_values();
      EXPECT_EQ(values.has_value(), stored);
      if (stored) {
        EXPECT_EQ(values->serialize(), ensemble.builder(1, 61).take_values()->serialize());
      }
      EXPECT_TRUE(builder.take_statistics() == single) << group;
    }
}

TEST(LeafBuilder, ALeafHasAnEnd) {
  const TestEnsemble ensemble;
  LeafBuilder builder = ensemble.builder(0, 64);
  EXPECT_THROW(builder.add(ensemble.row(64).data(), 1, 7), std::logic_error);
  EXPECT_THROW(LeafBuilder(ensemble.layout, {}, 1u << 26), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
