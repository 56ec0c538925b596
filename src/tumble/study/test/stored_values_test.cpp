#include "tumble/study/quantiles/stored_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

// numpy.quantile([1, 2, 4, 8, 16], p) (its default is type 7).
TEST(SelectQuantiles, KnownAnswers) {
  double values[] = {16, 1, 8, 2, 4};
  const double p[] = {0, 0.05, 0.1, 0.5, 0.6, 0.95, 1};
  const double expected[] = {1, 1.2, 1.4, 4, 5.6, 14.4, 16};
  double q[7];
  select_quantiles(values, p, q);
  for (int i = 0; i < 7; ++i) EXPECT_DOUBLE_EQ(q[i], expected[i]);
}

TEST(SelectQuantiles, OneValueAndNone) {
  double values[] = {3};
  const double p[] = {0.05, 0.5, 0.95};
  double q[3];
  select_quantiles(values, p, q);
  for (const double x : q) EXPECT_EQ(x, 3.0);
  select_quantiles({}, p, q);
  for (const double x : q) EXPECT_TRUE(std::isnan(x));
}

struct StoredEnsemble : testing::Test {
  void SetUp() override {
    ensemble.options = {0, true};
    // The incomplete last leaf first, and the others in another order than theirs.
    stored.add(2, *ensemble.builder(2, 22).take_values());
    stored.add(1, *ensemble.builder(1, 64).take_values());
    stored.add(0, *ensemble.builder(0, 64).take_values());
  }
  TestEnsemble ensemble;
  StoredValues stored{ensemble.layout};
};

TEST_F(StoredEnsemble, QuantilesRestOnThoseThatCount) {
  ASSERT_EQ(stored.realizations(), 150u);
  const double p[] = {0.05, 0.5, 0.95};
  const std::size_t numbers = ensemble.layout->numbers(), times = ensemble.layout->times();
  std::vector<double> q(times * numbers * 3);
  stored.quantiles(0, times, p, q.data());
  std::size_t fewest = 150;
  for (std::size_t t = 0; t < times; ++t) {
    for (std::size_t number = 0; number < numbers; ++number) {
      std::vector<double> x;
      for (std::uint64_t r = 0; r < 150; ++r)
        if (ensemble.valid_times(r) > t) x.push_back(ensemble.row(r)[t * numbers + number]);
      fewest = std::min(fewest, x.size());
      double expected[3];
      select_quantiles(x, p, expected);
      for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(q[(t * numbers + number) * 3 + i], expected[i]);
    }
  }
  EXPECT_LT(fewest, 148u);  // some did fail

  std::vector<double> part(2 * numbers * 3);
  stored.quantiles(3, 5, p, part.data());
  EXPECT_TRUE(std::equal(part.begin(), part.end(), q.begin() + 3 * numbers * 3));
}

TEST_F(StoredEnsemble, RowsEndWithTheFailure) {
  const std::uint64_t r = 3 + 37;  // counts at r % 7 = 5 times
  const double* row = stored.row(r);
  const auto expected = ensemble.row(r);
  const std::size_t valid = 5 * ensemble.layout->numbers();
  for (std::size_t i = 0; i < valid; ++i) EXPECT_EQ(row[i], expected[i]);
  for (std::size_t i = valid; i < expected.size(); ++i) EXPECT_TRUE(std::isnan(row[i]));
}

TEST_F(StoredEnsemble, GapsAndRepetitionsAreErrors) {
  EXPECT_THROW(stored.add(1, *ensemble.builder(1, 64).take_values()), std::logic_error);
  stored.add(2, *ensemble.builder(2, 64).take_values());  // longer than before: an extended study
  EXPECT_EQ(stored.realizations(), 192u);
  stored.add(4, *ensemble.builder(4, 64).take_values());
  EXPECT_THROW(stored.realizations(), std::logic_error);
}

// In a journal rows lie at any address; numpy's quantiles are those of select_quantiles() above.
TEST_F(StoredEnsemble, RowsStayWhereTheyLie) {
  const auto layout = std::make_shared<const StatisticsLayout>(7, std::vector<std::uint32_t>{3, 1});
  StoredValues of_copies(layout), in_place(layout);
  for (std::uint64_t leaf = 0; leaf < 3; ++leaf) {
    LeafValues values(layout);
    std::vector<double> row(layout->row());
    for (std::size_t i = 0; i < (leaf == 2 ? 21u : 64u); ++i) {
      for (std::size_t k = 0; k < row.size(); ++k)
        row[k] = std::sin(static_cast<double>(1 + k + 100 * (leaf * 64 + i)));
      values.add(row.data(), 1, layout->times());
    }
    const auto bytes =
        std::make_shared<const std::string>(std::string(leaf + 1, '?') + values.serialize());
    const auto rows = LeafValues::in_place(std::string_view(*bytes).substr(leaf + 1), *layout);
    ASSERT_TRUE(rows);
    in_place.add(leaf, *rows, bytes);
    of_copies.add(leaf, std::move(values));
  }
  ASSERT_EQ(in_place.realizations(), 149u);
  EXPECT_EQ(in_place.realizations(2), 21u);
  EXPECT_EQ(in_place.realizations(3), 0u);
  for (const std::uint64_t r : {148u, 0u, 63u, 64u, 130u})
    EXPECT_TRUE(std::equal(in_place.row(r), in_place.row(r) + layout->row(), of_copies.row(r)));
  const double p[] = {0.05, 0.5, 0.95};
  std::vector<double> expected(layout->row() * 3), found(expected.size());
  of_copies.quantiles(0, layout->times(), p, expected.data());
  in_place.quantiles(0, layout->times(), p, found.data());
  EXPECT_EQ(found, expected);
}

TEST_F(StoredEnsemble, OfRunsThatFailedNothingLiesInPlace) {
  const LeafValues some = *ensemble.builder(0, 64).take_values(), one = [&] {
    LeafValues values(ensemble.layout);
    values.add(ensemble.row(0).data(), 1, ensemble.layout->times());
    return values;
  }();
  EXPECT_FALSE(LeafValues::in_place(some.serialize(), *ensemble.layout));
  const std::string bytes = one.serialize();
  EXPECT_TRUE(LeafValues::in_place(bytes, *ensemble.layout));
  for (const std::size_t length : {std::size_t{3}, bytes.size() - 8, bytes.size() - 1})
    EXPECT_THROW(LeafValues::in_place(std::string_view(bytes).substr(0, length), *ensemble.layout),
                 std::runtime_error);
  EXPECT_THROW(LeafValues::in_place(bytes + "x", *ensemble.layout), std::runtime_error);
}

TEST_F(StoredEnsemble, LeavesSurviveTheJournal) {
  const LeafValues leaf = *ensemble.builder(1, 50).take_values();
  const std::string bytes = leaf.serialize();
  const LeafValues back = LeafValues::deserialize(bytes, ensemble.layout);
  EXPECT_EQ(back.serialize(), bytes);
  EXPECT_EQ(back.realizations(), 50u);
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_THROW(LeafValues::deserialize(bytes.substr(0, length), ensemble.layout),
                 std::runtime_error);
  EXPECT_THROW(LeafValues::deserialize(bytes + "x", ensemble.layout), std::runtime_error);
}

}  // namespace
}  // namespace tumble
