#include "tumble/study/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tumble {

StatisticsLayout::StatisticsLayout(std::size_t times, std::vector<std::uint32_t> quantity_sizes)
    : times_(times), sizes_(std::move(quantity_sizes)) {
  for (const std::size_t s : sizes_) {
    if (s == 0 || s > max_quantity_size)
      throw std::invalid_argument(fmt::format(
          "statistics: a quantity has {} components, expected 1 to {}", s, max_quantity_size));
    first_number_.push_back(numbers_);
    first_pair_.push_back(pairs_);
    for (std::size_t a = 0; a < s; ++a) diagonal_.push_back(pairs_ + a * s - a * (a + 1) / 2 + a);
    numbers_ += s;
    pairs_ += s * (s + 1) / 2;
  }
}

std::size_t StatisticsLayout::pair(std::size_t quantity, std::size_t a, std::size_t b) const {
  if (a > b) std::swap(a, b);
  // Rows 0 .. a - 1 of the upper triangle hold s, s - 1, ... entries; row a begins at column a.
  return first_pair_[quantity] + a * sizes_[quantity] - a * (a + 1) / 2 + b;
}

std::size_t usable_times(const StatisticsLayout& layout, const double* values, std::size_t stride,
                         std::size_t valid_times) {
  const std::size_t numbers = layout.numbers();
  // Written so that NaN, which compares false, is not usable. Counted in numbers as wide as the
  // values, so that both fill the same registers.
  const auto unusable = [&](std::size_t first, std::size_t count) {
    std::int64_t found = 0;
    const double* const v = values + first * stride;
    if (stride == 1) {
      for (std::size_t i = 0; i < count; ++i)
        found += std::abs(v[i]) <= largest_usable_value ? 0 : 1;
    } else {
      for (std::size_t i = 0; i < count; ++i)
        found += std::abs(v[i * stride]) <= largest_usable_value ? 0 : 1;
    }
    return found > 0;
  };
  if (!unusable(0, valid_times * numbers)) return valid_times;
  for (std::size_t t = 0; t < valid_times; ++t)
    if (unusable(t * numbers, numbers)) return t;
  return valid_times;
}

}  // namespace tumble
