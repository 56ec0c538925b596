#include "tumble/study/quantiles/stored_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/math/select_ranks.hpp"
#include "tumble/study/quantiles/quantile_rule.hpp"

namespace tumble {

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
  const std::lock_guard lock(mutex_);
  const auto found = leaves_.find(leaf);
  if (found == leaves_.end()) {
    leaves_.emplace(leaf, std::move(values));
  } else if (found->second->realizations() < values->realizations()) {
    found->second = std::move(values);
  } else {
    throw std::logic_error(fmt::format("the values of leaf {} are stored already", leaf));
  }
}

bool StoredValues::contains(std::uint64_t leaf) const {
  const std::lock_guard lock(mutex_);
  return leaves_.contains(leaf);
}

std::uint64_t StoredValues::realizations() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t count = 0;
  for (const auto& [leaf, values] : leaves_) {
    if (count != leaf * realizations_per_leaf)
      throw std::logic_error(fmt::format("values of realisation {} are missing", count));
    count += values->realizations();
  }
  return count;
}

const double* StoredValues::row(std::uint64_t realization) const {
  const std::lock_guard lock(mutex_);
  return leaves_.at(realization / realizations_per_leaf)->row(realization % realizations_per_leaf);
}

void StoredValues::for_each_column(std::size_t first_time, std::size_t end_time,
                                   const std::function<void(const Column&)>& visit) const {
  const std::size_t numbers = layout_->numbers();
  // Columns are collected several at a time: a row then gives whole cache lines. Rows are far apart
  // in memory, and no processor foresees that alone.
  constexpr std::size_t together = 32, ahead = 12, per_line = 8;
  const std::uint64_t most = realizations();
  std::vector<double> columns(together * most);
  std::vector<std::uint64_t> counted;
  for (std::size_t t = first_time; t < end_time; ++t) {
    for (std::size_t first = 0; first < numbers; first += together) {
      const std::size_t width = std::min(together, numbers - first);
      counted.clear();
      for (const auto& [leaf, values] : leaves_) {
        for (std::size_t i = 0; i < values->realizations(); ++i) {
          if (i + ahead < values->realizations()) {
            const double* const later = values->row(i + ahead) + t * numbers + first;
            for (std::size_t c = 0; c < width; c += per_line) __builtin_prefetch(later + c);
          }
          if (values->valid_times(i) <= t) continue;
          const double* row = values->row(i) + t * numbers + first;
          for (std::size_t c = 0; c < width; ++c) columns[c * most + counted.size()] = row[c];
          counted.push_back(leaf * realizations_per_leaf + i);
        }
      }
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
