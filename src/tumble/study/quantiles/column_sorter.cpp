#include "tumble/study/quantiles/column_sorter.hpp"

#include <bit>

#include "tumble/study/quantiles/double_four.hpp"

namespace tumble {

ColumnSorter::ColumnSorter(std::size_t rows) {
  // The network for the next power of two. Rows beyond the last would hold infinities, which no
  // comparison moves up; so these comparisons are left out.
  const std::size_t n = std::bit_ceil(rows);
  for (std::size_t p = 1; p < n; p *= 2) {
    for (std::size_t k = p; k > 0; k /= 2) {
      for (std::size_t j = k % p; j + k < n; j += 2 * k) {
        for (std::size_t i = j; i < j + k && i + k < rows; ++i) {
          if (i / (2 * p) == (i + k) / (2 * p))
            comparisons_.push_back(
                {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + k)});
        }
      }
    }
  }
}

void ColumnSorter::sort(double* block) const {
  for (const Comparison& c : comparisons_) {
    double* upper = block + c.upper * width;
    double* lower = block + c.lower * width;
    for (std::size_t i = 0; i < width; i += 4) {
      const auto a = load_four<DoubleFour>(upper + i), b = load_four<DoubleFour>(lower + i);
      // Both selections by the same comparison: +0 and -0 both survive.
      store_four<DoubleFour>(upper + i, b < a ? b : a);
      store_four<DoubleFour>(lower + i, b < a ? a : b);
    }
  }
}

}  // namespace tumble
