#include "tumble/study/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace tumble {

StatisticsLayout::StatisticsLayout(std::size_t times, std::vector<std::uint32_t> quantity_sizes)
    : times_(times), sizes_(std::move(quantity_sizes)) {
  for (const std::size_t s : sizes_) {
    if (s == 0 || s > max_quantity_size)
      throw std::invalid_argument(fmt::format(
          "statistics: a quantity has {} components, expected 1 to {}", s, max_quantity_size));
    first_number_.push_back(numbers_);
    numbers_ += s;
  }
  for (std::size_t distance = 1; distance < max_quantity_size; ++distance)
    for (std::size_t q = 0; q < sizes_.size(); ++q)
      for (std::size_t a = 0; a + distance < sizes_[q]; ++a)
        pairs_.push_back({first_number_[q] + a, first_number_[q] + a + distance});
}

std::size_t StatisticsLayout::pair(std::size_t quantity, std::size_t a, std::size_t b) const {
  if (a > b) std::swap(a, b);
  const Pair wanted{first_number_[quantity] + a, first_number_[quantity] + b};
  const auto before = [](const Pair& x, const Pair& y) {
    return std::pair(x.b - x.a, x.a) < std::pair(y.b - y.a, y.a);
  };
  return static_cast<std::size_t>(std::ranges::lower_bound(pairs_, wanted, before) -
                                  pairs_.begin());
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
