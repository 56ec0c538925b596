#include "tumble/math/sparse_pattern.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace tumble {

int SparsePattern::slot(int row, int col) const {
  assert(0 <= row && row < n);
  const auto first = column.begin() + row_start[static_cast<std::size_t>(row)];
  const auto last = column.begin() + row_start[static_cast<std::size_t>(row) + 1];
  const auto found = std::lower_bound(first, last, col);
  return found != last && *found == col ? static_cast<int>(found - column.begin()) : -1;
}

void PatternBuilder::add(int row, int col) {
  assert(0 <= row && row < n_ && 0 <= col && col < n_);
  entries_.emplace_back(row, col);
}

SparsePattern PatternBuilder::build() const {
  auto sorted = entries_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());

  SparsePattern pattern;
  pattern.n = n_;
  pattern.row_start.assign(static_cast<std::size_t>(n_) + 1, 0);
  pattern.column.reserve(sorted.size());
  for (const auto& [row, col] : sorted) {
    ++pattern.row_start[static_cast<std::size_t>(row) + 1];
    pattern.column.push_back(col);
  }
  for (std::size_t i = 1; i < pattern.row_start.size(); ++i) {
    pattern.row_start[i] += pattern.row_start[i - 1];
  }
  return pattern;
}

}  // namespace tumble
