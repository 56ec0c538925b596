#include "tumble/study/quantiles/stored_values.hpp"

#include <gtest/gtest.h>

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
