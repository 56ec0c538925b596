// Sets of terms: their numbers, their order, and membership against the definition.
#include "tumble/chaos/basis/multi_index.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

namespace tumble {
namespace {

TEST(MultiIndexSet, HasAsManyTermsAsTheFormulasSay) {
  const std::vector<int> degrees = {5, 5};
  EXPECT_EQ(MultiIndexSet::tensor(degrees).size(), 36U);
  const std::vector<int> three = {2, 2, 2};
  EXPECT_EQ(MultiIndexSet::tensor(three).size(), 27U);
  EXPECT_EQ(MultiIndexSet::total_degree(3, 4).size(), 35U);    // 7! / (3! 4!)
  EXPECT_EQ(MultiIndexSet::total_degree(10, 3).size(), 286U);  // 13! / (10! 3!)
  EXPECT_EQ(MultiIndexSet::total_degree(4, 0).size(), 1U);
  EXPECT_EQ(tensor_terms(10, 5), 60466176);
  EXPECT_EQ(total_degree_terms(10, 3), 286);
  EXPECT_EQ(hyperbolic_terms(10, 3, 1, 1000), 286U);
  EXPECT_EQ(hyperbolic_terms(10, 3, 1, 100), 100U);
}

TEST(MultiIndexSet, IsOrderedByDegreeThenByVariable) {
  const MultiIndexSet set = MultiIndexSet::total_degree(2, 2);
  const std::vector<std::vector<int>> expected = {{0, 0}, {1, 0}, {0, 1}, {2, 0}, {1, 1}, {0, 2}};
  ASSERT_EQ(set.size(), expected.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    EXPECT_EQ(std::vector<int>(set[i].begin(), set[i].end()), expected[i]);
    EXPECT_EQ(set.find(set[i]), i);
  }
  const std::vector<MultiIndexSet::Degree> absent = {2, 1};
  EXPECT_EQ(set.find(absent), set.size());
  EXPECT_EQ(set.total(4), 2);
}

TEST(MultiIndexSet, HyperbolicSetsFollowTheDefinition) {
  for (const double q : {0.4, 0.5, 0.75, 1.0})
    for (const int degree : {1, 4, 9}) {
      const MultiIndexSet set = MultiIndexSet::hyperbolic(3, degree, q);
      std::size_t expected = 0;
      for (int i = 0; i <= degree; ++i)
        for (int j = 0; j <= degree; ++j)
          for (int k = 0; k <= degree; ++k) {
            const double norm = std::pow(std::pow(i, q) + std::pow(j, q) + std::pow(k, q), 1 / q);
            if (norm > degree + 1e-9) continue;
            ++expected;
            const std::vector<MultiIndexSet::Degree> index = {static_cast<std::uint8_t>(i),
                                                              static_cast<std::uint8_t>(j),
                                                              static_cast<std::uint8_t>(k)};
            EXPECT_LT(set.find(index), set.size()) << q << " " << i << j << k;
          }
      EXPECT_EQ(set.size(), expected) << q << " " << degree;
    }
  // q = 1/2, degree 4: (1, 1) lies on the boundary, (sqrt 1 + sqrt 1)^2 = 4.
  const std::vector<MultiIndexSet::Degree> boundary = {1, 1};
  const MultiIndexSet set = MultiIndexSet::hyperbolic(2, 4, 0.5);
  EXPECT_LT(set.find(boundary), set.size());
  EXPECT_EQ(set.size(), 10U);
}

TEST(MultiIndexSet, CanBeCutDown) {
  const MultiIndexSet set = MultiIndexSet::total_degree(2, 3);
  const MultiIndexSet narrow = set.within(std::vector<int>{3, 1});
  EXPECT_EQ(narrow.size(), 7U);
  EXPECT_EQ(narrow.highest_degrees(), (std::vector<int>{3, 1}));
  const std::vector<std::size_t> two = {4, 1};
  EXPECT_EQ(set.subset(two).size(), 3U);  // and the constant
}

TEST(MultiIndexSet, RefusesWhatIsTooLarge) {
  EXPECT_THROW(MultiIndexSet::tensor(std::vector<int>(10, 5)), std::invalid_argument);
  EXPECT_THROW(MultiIndexSet::total_degree(50, 8), std::invalid_argument);
  EXPECT_THROW(MultiIndexSet::total_degree(2, -1), std::invalid_argument);
  EXPECT_THROW(MultiIndexSet::hyperbolic(2, 3, 0), std::invalid_argument);
  EXPECT_THROW(MultiIndexSet::hyperbolic(2, 3, 1.2), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
