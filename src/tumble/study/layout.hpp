// Which numbers an ensemble has statistics of, and where they are in flat arrays.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tumble {

/// Realisations are reduced in blocks of this many, by index: leaf k holds [64 k, 64 k + 64). Part
/// of what defines the bits of a result, hence a constant and not an option.
inline constexpr std::uint64_t realizations_per_leaf = 64;
/// 2^32 realisations: more than anybody computes, and few enough for the levels of sketches.
inline constexpr std::uint64_t max_leaves = std::uint64_t{1} << 26;

/// A realisation yields, at each output time, the components of all probed quantities one after the
/// other: `numbers()` doubles, and [time][number] for the whole run. Second moments are kept within
/// a quantity only: for one with s components the s (s + 1) / 2 pairs a <= b, row by row.
class StatisticsLayout {
 public:
  /// Larger ones are refused; the engine has 1, 3 and 4.
  static constexpr std::size_t max_quantity_size = 9;

  StatisticsLayout(std::size_t times, std::vector<std::uint32_t> quantity_sizes);

  std::size_t times() const { return times_; }
  std::size_t quantities() const { return sizes_.size(); }
  std::size_t numbers() const { return numbers_; }
  std::size_t pairs() const { return pairs_; }
  /// Doubles of one realisation.
  std::size_t row() const { return times_ * numbers_; }

  std::size_t size(std::size_t quantity) const { return sizes_[quantity]; }
  const std::vector<std::uint32_t>& sizes() const { return sizes_; }
  /// Place of a quantity's first component among the numbers of a time.
  std::size_t number(std::size_t quantity) const { return first_number_[quantity]; }
  /// Place of the pair (a, b) of a quantity's components among the pairs of a time.
  std::size_t pair(std::size_t quantity, std::size_t a, std::size_t b) const;
  /// The pair (n, n) of the number n.
  std::size_t diagonal(std::size_t number) const { return diagonal_[number]; }

  bool operator==(const StatisticsLayout&) const = default;

 private:
  std::size_t times_;
  std::vector<std::uint32_t> sizes_;
  std::size_t numbers_ = 0;
  std::size_t pairs_ = 0;
  std::vector<std::size_t> first_number_;
  std::vector<std::size_t> first_pair_;
  std::vector<std::size_t> diagonal_;
};

/// One layout serves all nodes of a study.
using LayoutPointer = std::shared_ptr<const StatisticsLayout>;

/// Larger magnitudes have left the range in which second moments exist as doubles.
inline constexpr double largest_usable_value = 1e150;

/// How many of the first `valid_times` output times hold nothing but usable numbers, neither NaN
/// nor infinite nor above `largest_usable_value`. values[(time * numbers + number) * stride]: with
/// stride W, `values` may point at one lane of a record of W interleaved lanes.
std::size_t usable_times(const StatisticsLayout& layout, const double* values, std::size_t stride,
                         std::size_t valid_times);

}  // namespace tumble
