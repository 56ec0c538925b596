#include "tumble/math/sort_few.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace tumble {
namespace {

// A network that sorts every sequence of zeros and ones sorts everything (D. E. Knuth, The Art of
// Computer Programming 3, section 5.3.4, theorem Z). Of n values there are 2^n; of so many that
// these cannot all be tried, those that are ascending in each of two halves say that the last merge
// is right, and random ones the rest.
TEST(SortFew, SortsZerosAndOnes) {
  for (unsigned bits = 0; bits < 1u << 16; ++bits) {
    std::vector<double> values(16);
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < 16; ++i) {
      values[i] = bits >> i & 1u;
      zeros += values[i] == 0 ? 1 : 0;
    }
    sort_few(values.data(), 16);
    for (std::size_t i = 0; i < 16; ++i) ASSERT_EQ(values[i], i < zeros ? 0 : 1) << bits;
  }
}

TEST(SortFew, MergesHalves) {
  for (const std::size_t n : {16u, 32u, 64u, 128u})
    for (std::size_t first = 0; first <= n / 2; ++first)
      for (std::size_t second = 0; second <= n / 2; ++second) {
        std::vector<double> values(n, 1.0);
        std::fill_n(values.begin(), first, 0.0);
        std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(n / 2), second, 0.0);
        sort_few(values.data(), n);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(values[i], i < first + second ? 0 : 1);
      }
}

TEST(SortFew, AgreesWithSorting) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::mt19937_64 bits(3);
  std::normal_distribution<double> normal;
  for (std::size_t n = 0; n <= most_few; ++n)
    for (int round = 0; round < 50; ++round) {
      std::vector<double> values(n + 1, -7.0);  // the last one is nobody's to touch
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = round % 5 == 0 ? std::floor(3 * normal(bits)) : normal(bits);
        if (round % 7 == 0 && i % 4 == 1) values[i] = i % 8 == 1 ? infinity : -infinity;
      }
      std::vector<double> sorted = values;
      std::sort(sorted.begin(), sorted.end() - 1);
      sort_few(values.data(), n);
      EXPECT_EQ(values, sorted) << n;
    }
}

TEST(SortFew, BothZerosSurvive) {
  for (const std::size_t n : {2u, 16u, 20u, 50u, 128u}) {
    std::vector<double> values(n, 1.0);
    values[0] = 0.0;
    values[n - 1] = -0.0;
    sort_few(values.data(), n);
    EXPECT_EQ(values[0], 0);
    EXPECT_EQ(values[1], 0);
    EXPECT_NE(std::signbit(values[0]), std::signbit(values[1])) << n;
  }
}

}  // namespace
}  // namespace tumble
