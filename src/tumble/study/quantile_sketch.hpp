// Quantiles of an ensemble of any size from bounded memory, with a guaranteed error.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/study/byte_stream.hpp"
#include "tumble/study/leaf_values.hpp"

namespace tumble {

/// One sketch per number and output time. A sketch is a stack of levels; an item of level h stands
/// for 2^h values of the sample. Once a level has 2 k items or more it is compacted: of its sorted
/// items every second one moves up, with twice the weight. (J. I. Munro, M. S. Paterson,
/// Theoretical Computer Science 12, 1980; G. S. Manku, S. Rajagopalan, B. G. Lindsay, SIGMOD 1998.)
///
/// Guarantee, for any order of values and any tree of merges of n values: the rank of every point
/// is known up to rank_error() values, and
///   rank_error() <= n (floor(log2(n / k)) + 1) / (4 k),   and 0 for n < 2 k.
/// Nothing is random. Keeping the odd items of a compaction at weight w overestimates ranks by 0 or
/// w, keeping the even ones underestimates them by 0 or w; each compaction takes the kind of which
/// there was less so far. Proof in docs/theory/statistics.md.
///
/// What a compaction does follows from counts alone and counts belong to times, so all numbers of a
/// time share their bookkeeping; the items are one flat array.
class QuantileSketch {
 public:
  static constexpr std::uint32_t min_size = 8, max_size = 1u << 20;

  /// An empty one; `size` is the k above.
  QuantileSketch(LayoutPointer layout, std::uint32_t size);
  static QuantileSketch of_leaf(const LeafValues& leaf, std::uint32_t size);
  static QuantileSketch merge(const QuantileSketch& a, const QuantileSketch& b);

  std::uint32_t size() const { return size_; }
  std::uint64_t count(std::size_t time) const { return times_[time].count; }
  /// Bound of the error of ranks in what this sketch went through, in values.
  std::uint64_t rank_error(std::size_t time) const;
  /// The bound above, known before, as a fraction of n.
  static double guaranteed_error(std::uint64_t n, std::uint32_t size);

  /// Quantiles for ascending `probabilities`; NaN where nothing counts. With h = (n - 1) p, a
  /// result lies between the order statistics floor(h) - rank_error() and floor(h) + 1 +
  /// rank_error() of the sample; without a compaction it is that of quantile_rule.hpp exactly.
  void quantiles(std::size_t time, std::size_t number, std::span<const double> probabilities,
                 double* out) const;

  void write(ByteWriter& out) const;
  static QuantileSketch read(ByteReader& in, LayoutPointer layout);
  std::size_t bytes() const { return 8 * items_.size() + sizeof(Time) * times_.size(); }

 private:
  /// n >= 2^h k for an item of level h >= 1 to exist: 2^32 realisations need fewer.
  static constexpr std::size_t max_levels = 32;
  using Levels = std::array<std::uint32_t, max_levels>;
  struct Time {
    std::uint64_t count = 0;
    std::uint64_t over = 0, under = 0;  ///< sums of the weights of compactions of either kind
    std::size_t begin = 0;              ///< first of its items
    Levels items{};                     ///< per number, on each level
  };
  /// What becomes of each level when two sketches are put together.
  struct Plan {
    Levels merged{};  ///< items on arrival
    std::array<bool, max_levels> compacted{}, keep_even{};
  };

  Plan plan(const Time& a, const Time& b, Time& result) const;
  void allocate();
  const double* run(const Time& time, std::size_t number) const;

  LayoutPointer layout_;
  std::uint32_t size_;
  std::vector<Time> times_;
  std::vector<double> items_;  ///< [time][number][level][item], each level ascending
};

}  // namespace tumble
