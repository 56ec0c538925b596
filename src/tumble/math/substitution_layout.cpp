#include "tumble/math/substitution_layout.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace tumble {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The columns before row `first` that it and the next `count - 1` rows have entries in,
/// increasing.
std::vector<int> shared_columns(const TriangleRows& rows, int first, int count) {
  std::vector<int> columns;
  for (int i = first; i < first + count; ++i) {
    for (const auto& [column, entry] : rows[at(i)]) {
      if (column < first) columns.push_back(column);
    }
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// The sizes of the groups, by dynamic programming: the cheapest way up to each row follows from
/// those up to the three rows before it.
std::vector<int> choose_groups(const TriangleRows& rows) {
  // Measured, in half multiply-adds: what a group needs besides arithmetic, an entry with its share
  // of the factor's way through the cache, a known result.
  constexpr std::int64_t per_group = 8, per_entry = 2, per_column = 1;
  const int n = static_cast<int>(rows.size());
  std::vector<std::int64_t> cheapest(at(n) + 1, std::numeric_limits<std::int64_t>::max());
  std::vector<int> size(at(n) + 1, 0);  // of the last group on the cheapest way
  cheapest[0] = 0;
  for (int first = 0; first < n; ++first) {
    for (int count = 1; count <= std::min(largest_row_group, n - first); ++count) {
      const auto columns = static_cast<std::int64_t>(shared_columns(rows, first, count).size());
      const std::int64_t entries = count * columns + count * (count - 1) / 2;
      const std::int64_t cost =
          cheapest[at(first)] + per_group + per_entry * entries + per_column * columns;
      if (cost < cheapest[at(first + count)]) {
        cheapest[at(first + count)] = cost;
        size[at(first + count)] = count;
      }
    }
  }
  std::vector<int> result;
  for (int end = n; end > 0; end -= size[at(end)]) result.push_back(size[at(end)]);
  std::reverse(result.begin(), result.end());
  return result;
}

/// Columns and rows by their place in the order of solution.
SubstitutionLayout lay_out(const TriangleRows& rows, const std::vector<int>& pivots) {
  SubstitutionLayout result;
  const auto place_entry = [&](int row, int column) {
    const auto& entries = rows[at(row)];
    const auto found = std::lower_bound(entries.begin(), entries.end(), std::pair(column, 0));
    const bool present = found != entries.end() && found->first == column;
    result.entries.push_back(present ? found->second : -1);
  };
  int first = 0;
  for (const int count : choose_groups(rows)) {
    const std::vector<int> columns = shared_columns(rows, first, count);
    result.substitution.groups.push_back({first, count, static_cast<int>(columns.size())});
    for (int r = first; r < first + count && !pivots.empty(); ++r)
      result.entries.push_back(pivots[at(r)]);
    for (const int column : columns) {
      result.substitution.column.push_back(column);
      for (int r = first; r < first + count; ++r) place_entry(r, column);
    }
    for (int column = first; column < first + count; ++column)
      for (int r = column + 1; r < first + count; ++r) place_entry(r, column);
    first += count;
  }
  return result;
}

}  // namespace

SubstitutionLayout lay_out_forward(const TriangleRows& rows) { return lay_out(rows, {}); }

SubstitutionLayout lay_out_backward(const TriangleRows& rows, const std::vector<int>& pivots) {
  SubstitutionLayout result = lay_out(rows, pivots);
  const int last = static_cast<int>(rows.size()) - 1;
  for (RowGroup& group : result.substitution.groups) group.first = last - group.first;
  for (int& column : result.substitution.column) column = last - column;
  return result;
}

}  // namespace tumble
