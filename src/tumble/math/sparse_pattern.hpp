// Where a square sparse matrix may hold nonzeros, without the values.
//
// The values live elsewhere, one array per realisation or one array of SIMD lanes, addressed by
// the "slot" numbers handed out here. The pattern is fixed for the life of a model.
#pragma once

#include <utility>
#include <vector>

namespace tumble {

/// Compressed rows: the columns of row i are column[row_start[i]] ... column[row_start[i+1] - 1],
/// strictly increasing. The slot of an entry is its place in `column`.
struct SparsePattern {
  int n = 0;
  std::vector<int> row_start = {0};
  std::vector<int> column;

  /// Slot of entry (row, col), or -1 if the pattern has no such entry.
  int slot(int row, int col) const;
  int nonzeros() const { return static_cast<int>(column.size()); }

  bool operator==(const SparsePattern&) const = default;
};

/// Collects entries in any order, repetitions allowed: each element declares what it touches.
class PatternBuilder {
 public:
  explicit PatternBuilder(int n) : n_(n) {}

  /// @pre 0 <= row, col < n.
  void add(int row, int col);
  SparsePattern build() const;

 private:
  int n_;
  std::vector<std::pair<int, int>> entries_;
};

}  // namespace tumble
