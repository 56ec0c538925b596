#include "tumble/base/huge_pages.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace tumble {
namespace {

TEST(HugePages, ArraysAreApartAndUsedAgain) {
  constexpr std::size_t count = (std::size_t{3} << 20) / sizeof(double);
  std::vector<HugePageArray<double>> arrays;
  for (int i = 0; i < 4; ++i) {
    arrays.emplace_back(count);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays.back().data()) % (std::size_t{1} << 21), 0u);
    for (std::size_t k = 0; k < count; k += 100) arrays.back().data()[k] = i;
  }
  for (int i = 0; i < 4; ++i)
    for (std::size_t k = 0; k < count; k += 100) ASSERT_EQ(arrays[i].data()[k], i);
  const double* const last = arrays.back().data();
  arrays.pop_back();
  EXPECT_EQ(HugePageArray<double>(count).data(), last);
}

TEST(HugePages, SmallOnesAreOrdinaryMemory) {
  HugePageArray<char> one(100);
  std::memset(one.data(), 7, 100);
  HugePageArray<char> other = std::move(one);
  EXPECT_FALSE(one);
  ASSERT_TRUE(other);
  EXPECT_EQ(other.data()[99], 7);
  EXPECT_FALSE(HugePageArray<char>());
}

}  // namespace
}  // namespace tumble
