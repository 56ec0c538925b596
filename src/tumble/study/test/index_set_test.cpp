#include "tumble/study/journal/index_set.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tumble {
namespace {

TEST(IndexSet, KeepsIntervals) {
  IndexSet set;
  std::set<std::uint64_t> reference;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint64_t index = i * 37 % 101;
    EXPECT_EQ(set.insert(index), reference.insert(index).second) << index;
    for (std::uint64_t k = 0; k < 103; ++k) ASSERT_EQ(set.contains(k), reference.contains(k));
  }
  EXPECT_EQ(set.intervals(), 1u);
  set.insert(200);
  EXPECT_EQ(set.intervals(), 2u);
}

}  // namespace
}  // namespace tumble
