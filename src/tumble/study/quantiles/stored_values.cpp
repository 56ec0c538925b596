#include "tumble/study/quantiles/stored_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "tumble/math/select_ranks.hpp"
#include "tumble/study/quantiles/double_four.hpp"
#include "tumble/study/quantiles/quantile_rule.hpp"

namespace tumble {
namespace {

/// Each at whatever address.
using Rows = std::vector<const char*>;

double number_of(const char* row, std::size_t at) {
  double number = 0;
  std::memcpy(&number, row + at * sizeof(double), sizeof(double));
  return number;
}

/// Four numbers of four rows, side by side in four columns.
void turn_four(const char* const* rows, std::size_t at, double* columns, std::size_t column) {
  std::array<DoubleFour, 4> row, pair;
  for (std::size_t i = 0; i < 4; ++i)
    std::memcpy(&row[i], rows[i] + at * sizeof(double), sizeof(DoubleFour));
  pair[0] = __builtin_shufflevector(row[0], row[1], 0, 4, 2, 6);
  pair[1] = __builtin_shufflevector(row[0], row[1], 1, 5, 3, 7);
  pair[2] = __builtin_shufflevector(row[2], row[3], 0, 4, 2, 6);
  pair[3] = __builtin_shufflevector(row[2], row[3], 1, 5, 3, 7);
  for (std::size_t i = 0; i < 2; ++i) {
    store_four<DoubleFour>(columns + i * column,
                           __builtin_shufflevector(pair[i], pair[i + 2], 0, 1, 4, 5));
    store_four<DoubleFour>(columns + (i + 2) * column,
                           __builtin_shufflevector(pair[i], pair[i + 2], 2, 3, 6, 7));
  }
}

/// The numbers [first, first + width) of all rows, in columns that lie `column` apart.
void collect_columns(const Rows& rows, std::size_t first, std::size_t width, double* columns,
                     std::size_t column) {
  // Rows are far apart in memory, and no processor foresees that alone.
  constexpr std::size_t ahead = 12, per_line = 8;
  std::size_t r = 0;
  for (; r + 4 <= rows.size(); r += 4) {
    for (std::size_t i = r + ahead; i < std::min(r + ahead + 4, rows.size()); ++i)
      for (std::size_t c = 0; c < width; c += per_line)
        __builtin_prefetch(rows[i] + (first + c) * sizeof(double));
    std::size_t c = 0;
    for (; c + 4 <= width; c += 4) turn_four(&rows[r], first + c, columns + c * column + r, column);
    for (; c < width; ++c)
      for (std::size_t i = r; i < r + 4; ++i)
        columns[c * column + i] = number_of(rows[i], first + c);
  }
  for (; r < rows.size(); ++r)
    for (std::size_t c = 0; c < width; ++c) columns[c * column + r] = number_of(rows[r], first + c);
}

}  // namespace

void select_quantiles(std::span<double> values, std::span<const double> probabilities,
                      double* out) {
  if (values.empty()) {
    std::fill_n(out, probabilities.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  std::vector<std::size_t> ranks;
  ranks.reserve(2 * probabilities.size());
  for (const double probability : probabilities) {
    const QuantilePosition position(values.size(), probability);
    if (ranks.empty() || ranks.back() < position.lower) ranks.push_back(position.lower);
    if (ranks.back() < position.upper) ranks.push_back(position.upper);
  }
  select_ranks(values, ranks);
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const QuantilePosition position(values.size(), probabilities[i]);
    out[i] = position.interpolate(values[position.lower], values[position.upper]);
  }
}

void StoredValues::add(std::uint64_t leaf, std::shared_ptr<const LeafValues> values) {
  const auto* const rows = reinterpret_cast<const char*>(values->row(0));
  add(leaf, Leaf{values->realizations(), rows, values, values});
}

void StoredValues::add(std::uint64_t leaf, LeafValues::RowsInPlace rows,
                       std::shared_ptr<const void> keeper) {
  add(leaf, Leaf{rows.realizations, rows.rows, nullptr, std::move(keeper)});
}

void StoredValues::add(std::uint64_t leaf, Leaf&& values) {
  const std::lock_guard lock(mutex_);
  const auto found = leaves_.find(leaf);
  if (found == leaves_.end()) {
    leaves_.emplace(leaf, std::move(values));
  } else if (found->second.realizations < values.realizations) {
    found->second = std::move(values);
    copies_.erase(leaf);
  } else {
    throw std::logic_error(fmt::format("the values of leaf {} are stored already", leaf));
  }
}

std::size_t StoredValues::realizations(std::uint64_t leaf) const {
  const std::lock_guard lock(mutex_);
  const auto found = leaves_.find(leaf);
  return found == leaves_.end() ? 0 : found->second.realizations;
}

std::uint64_t StoredValues::realizations() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& [leaf, values] : leaves_) {
    if (count != leaf * realizations_per_leaf)
      throw std::logic_error(fmt::format("values of realisation {} are missing", count));
    count += values.realizations;
  }
  return count;
}

const double* StoredValues::row(std::uint64_t realization) const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = realization / realizations_per_leaf;
  const std::size_t first = realization % realizations_per_leaf * layout_->row();
  const Leaf& leaf = leaves_.at(number);
  if (reinterpret_cast<std::uintptr_t>(leaf.rows) % alignof(double) == 0)
    return reinterpret_cast<const double*>(leaf.rows) + first;
  std::vector<double>& copy = copies_[number];
  if (copy.empty()) {
    copy.resize(leaf.realizations * layout_->row());
    std::memcpy(copy.data(), leaf.rows, copy.size() * sizeof(double));
  }
  return copy.data() + first;
}

void StoredValues::for_each_column(std::size_t first_time, std::size_t end_time,
                                   const std::function<void(const Column&)>& visit) const {
  const std::size_t numbers = layout_->numbers();
  // Columns are collected several at a time: a row then gives whole cache lines.
  constexpr std::size_t together = 32;
  const std::uint64_t most = realizations();
  std::vector<double> columns(together * most);
  Rows rows;  // of the realisations that count
  std::vector<std::uint64_t> counted;
  std::size_t all_valid_before = first_time;  // the time at which one of them counts no more
  for (std::size_t t = first_time; t < end_time; ++t) {
    if (t >= all_valid_before) {
      rows.clear();
      counted.clear();
      all_valid_before = end_time;
      for (const auto& [leaf, values] : leaves_)
        for (std::size_t i = 0; i < values.realizations; ++i) {
          const std::size_t valid = values.valid_times(i, *layout_);
          if (valid <= t) continue;
          all_valid_before = std::min(all_valid_before, valid);
          rows.push_back(values.rows + i * layout_->row() * sizeof(double));
          counted.push_back(leaf * realizations_per_leaf + i);
        }
    }
    for (std::size_t first = 0; first < numbers; first += together) {
      const std::size_t width = std::min(together, numbers - first);
      collect_columns(rows, t * numbers + first, width, columns.data(), most);
      for (std::size_t c = 0; c < width; ++c)
        visit({t, first + c, {&columns[c * most], counted.size()}, counted});
    }
  }
}

void StoredValues::quantiles(std::size_t first_time, std::size_t end_time,
                             std::span<const double> probabilities, double* out) const {
  for_each_column(first_time, end_time, [&](const Column& column) {
    select_quantiles(column.values, probabilities, out);
    out += probabilities.size();
  });
}

}  // namespace tumble
