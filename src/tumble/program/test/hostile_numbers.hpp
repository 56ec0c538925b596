// Numbers that show whether an identity keeps bits.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace tumble::testing {

inline std::vector<double> hostile_numbers() {
  using Limits = std::numeric_limits<double>;
  std::vector<double> numbers = {0.0,
                                 1.0,
                                 0.5,
                                 2.0,
                                 3.0,
                                 0.1,
                                 1 + Limits::epsilon(),
                                 0x1p-30,
                                 0x1p52,
                                 0x1p-537,
                                 1.1e-162,
                                 Limits::denorm_min(),
                                 3 * Limits::denorm_min(),
                                 Limits::min(),
                                 Limits::max(),
                                 Limits::infinity(),
                                 Limits::quiet_NaN()};
  const std::size_t size = numbers.size();
  for (std::size_t i = 0; i < size; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

/// Equal bits; one NaN is as good as another.
inline bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
}

}  // namespace tumble::testing
