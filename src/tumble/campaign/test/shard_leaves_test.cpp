#include "tumble/campaign/shard/shard_leaves.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tumble/campaign/errors.hpp"

namespace tumble {
namespace {

TEST(ShardLeaves, CoverAllRealizationsOnceInWholeLeavesOfNearlyEqualNumber) {
  for (const std::uint64_t realizations : {1u, 63u, 64u, 65u, 300u, 6400u, 1'000'000'000u}) {
    const std::uint64_t leaves = (realizations + 63) / 64;
    for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 99u, 100u, 1'000'003u}) {
      if (count > leaves) continue;
      std::uint64_t end = 0, fewest = leaves, most = 0;
      for (std::uint64_t number = 1; number <= count; ++number) {
        const ShardRange range = shard_range({number, count}, realizations);
        ASSERT_EQ(range.first, end);
        ASSERT_EQ(range.first % 64, 0u);
        end = range.end;
        fewest = std::min(fewest, (range.size() + 63) / 64);
        most = std::max(most, (range.size() + 63) / 64);
      }
      EXPECT_EQ(end, realizations);
      EXPECT_LE(most - fewest, 1u);
      EXPECT_GE(fewest, 1u);
    }
  }
}

TEST(ShardLeaves, RefuseShardsThatAreNotThere) {
  EXPECT_THROW(shard_range({0, 2}, 128), RequestError);
  EXPECT_THROW(shard_range({3, 2}, 128), RequestError);
  EXPECT_THROW(shard_range({1, 0}, 128), RequestError);
  EXPECT_THROW(shard_range({1, 3}, 128), RequestError);
}

}  // namespace
}  // namespace tumble
