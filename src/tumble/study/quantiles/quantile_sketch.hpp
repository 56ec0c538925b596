// Quantiles of an ensemble of any size from bounded memory, with a guaranteed error.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/study/journal/byte_stream.hpp"
#include "tumble/study/quantiles/leaf_values.hpp"

namespace tumble {

/// One sketch per number and output time. A sketch is a stack of levels; an item of level h stands
/// for 2^h values of the sample. Once a level has 2 k items or more it is compacted: of its sorted
/// items every second one moves up, with twice the weight. (J. I. Munro, M. S. Paterson,
/// Theoretical Computer Science 12, 1980; G. S. Manku, S. Rajagopalan, B. G. Lindsay, SIGMOD 1998.)
///
/// Guarantee, for any order of values and any tree of merges of m realisations: the rank of every
/// point is known up to rank_error() values, and
///   rank_error() <= m (floor(log2(m / k)) + 1) / (4 k),   and 0 for m < 2 k.
/// Nothing is random. Keeping the odd items of a compaction at weight w overestimates ranks by 0 or
/// w, keeping the even ones underestimates them by 0 or w; each compaction takes the kind of which
/// there was less so far. Proof in docs/theory/statistics.md.
///
/// A realisation that does not count takes part as infinity, above all values. So the levels follow
/// from the number of realisations alone, all numbers and times share their bookkeeping, and in a
/// balanced tree a node has k items per number, whoever failed: uneven counts would leave
/// remainders on every level. The price is that m, not count(time), is in the bound.
class QuantileSketch {
 public:
  static constexpr std::uint32_t min_size = 8, max_size = 1u << 20;

  /// An empty one; `size` is the k above.
  QuantileSketch(LayoutPointer layout, std::uint32_t size);
  static QuantileSketch of_leaf(const LeafValues& leaf, std::uint32_t size);
  static QuantileSketch merge(const QuantileSketch& a, const QuantileSketch& b);

  std::uint32_t size() const { return size_; }
  /// m, those that do not count included.
  std::uint64_t realizations() const { return realizations_; }
  std::uint64_t count(std::size_t time) const { return counts_[time]; }
  /// Bound of the error of ranks in what this sketch went through, in values.
  std::uint64_t rank_error() const;
  /// The bound above, known before, as a fraction of m.
  static double guaranteed_error(std::uint64_t m, std::uint32_t size);

  /// Quantiles for ascending `probabilities`; NaN where nothing counts. With n = count(time) and
  /// h = (n - 1) p, a result lies between the order statistics floor(h) - rank_error() and
  /// floor(h) + 1 + rank_error() of the n values; without a compaction it is that of
  /// quantile_rule.hpp exactly.
  void quantiles(std::size_t time, std::size_t number, std::span<const double> probabilities,
                 double* out) const;

  /// The values at the ascending `ranks`, counted from 0, of the n = count(time) values: each lies
  /// between the order statistics rank - rank_error() and rank + rank_error().
  void order_statistics(std::size_t time, std::size_t number, std::span<const std::size_t> ranks,
                        double* out) const;

  void write(ByteWriter& out) const;
  static QuantileSketch read(ByteReader& in, LayoutPointer layout);
  std::size_t bytes() const { return 8 * (items_.size() + largest_.size() + counts_.size()); }

 private:
  /// m >= 2^h k for an item of level h >= 1 to exist: 2^32 realisations need fewer.
  static constexpr std::size_t max_levels = 32;
  /// What becomes of a level when two sketches are put together.
  struct Step {
    std::size_t from_a, from_b, merged;  ///< items; the rest of `merged` was carried up
    bool compacted, keep_even;
  };

  /// The steps of putting a and b together, noting their outcome in this sketch's bookkeeping.
  std::vector<Step> plan(const QuantileSketch& a, const QuantileSketch& b);
  std::size_t items_per_number() const;
  struct Item {
    double value;
    std::uint64_t weight;
  };
  std::vector<Item> sample(std::size_t time, std::size_t number) const;

  LayoutPointer layout_;
  std::uint32_t size_;
  std::uint64_t realizations_ = 0;
  std::uint64_t over_ = 0, under_ = 0;  ///< sums of the weights of compactions of either kind
  std::array<std::uint32_t, max_levels> levels_{};  ///< items per number
  std::vector<std::uint64_t> counts_;               ///< [time]
  std::vector<double> largest_;                     ///< [time][number], of those that count
  std::vector<double> items_;  ///< [time][number][level][item], each level ascending
};

}  // namespace tumble
