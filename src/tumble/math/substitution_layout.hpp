// In which order a triangular factor is stored, so that its solution reads it from beginning to
// end, and which of its rows are solved side by side.
#pragma once
#include <utility>
#include <vector>

#include "tumble/math/elimination.hpp"

namespace tumble {

/// One triangle, row by row as they are solved: (place of the column in that order, entry), columns
/// increasing.
using TriangleRows = std::vector<std::vector<std::pair<int, int>>>;

struct SubstitutionLayout {
  Substitution substitution;
  /// Entries in the order of storage, -1 where a group has a column that a row of it has not.
  std::vector<int> entries;
};

/// L: rows are solved in the order of the steps.
SubstitutionLayout lay_out_forward(const TriangleRows& rows);
/// D and U: rows are solved from the last step to the first; so are `pivots` listed, one a row.
SubstitutionLayout lay_out_backward(const TriangleRows& rows, const std::vector<int>& pivots);

}  // namespace tumble
