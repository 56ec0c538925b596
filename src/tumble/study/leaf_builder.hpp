// Reduces the realisations of one leaf, in the order of their indices, to statistics.
#pragma once
#include <optional>

#include "tumble/study/statistics/leaf_statistics.hpp"
#include "tumble/study/statistics/run_summary.hpp"

namespace tumble {

/// What a study keeps of its realisations, by the study file and never by free memory.
struct StatisticsOptions {
  std::uint32_t sketch_size = 0;  ///< k of QuantileSketch; 0: no sketches
  bool store_values = false;      ///< for StoredValues
  /// Independent copies the design is made of, see CopyMoments; 0 or 1: realisations are
  /// independent.
  std::uint64_t randomizations = 0;
};

class LeafBuilder {
 public:
  LeafBuilder(LayoutPointer layout, StatisticsOptions options, std::uint64_t leaf);

  /// The next realisation of the leaf; index order makes the bits independent of who computed it
  /// when. It counts at its first `valid_times` output times: all, those before its failure, or
  /// none. Returns how many times were counted: fewer if a number is not usable (usable_times()),
  /// in which case the realisation is to be reported as failed at that time.
  std::size_t add(const double* values, std::size_t stride, std::size_t valid_times);
  /// Several at once, of stride 1 and known to be usable as far as they are valid. Who has written
  /// them where there is room() for them spares a copy.
  void add_usable(std::span<const Moments::Run> runs);
  /// Where the next realisation may be written, or one `ahead` of it; null unless values are kept.
  double* room(std::size_t ahead) { return values_ ? values_->room(ahead) : nullptr; }

  /// Index of the realisation that add() expects next.
  std::uint64_t next() const { return leaf_ * realizations_per_leaf + added_; }

  /// Once, after the last realisation; a leaf may end early only where the study ends.
  LeafStatistics statistics();
  /// The same. The builder has them no more.
  LeafStatistics take_statistics();
  /// Extremes and the like of each realisation. The builder has them no more.
  RunSummaries take_summaries() { return std::move(summaries_); }
  /// Empty unless values are stored. The builder has them no more.
  std::optional<LeafValues> take_values();

 private:
  void add_alone(const double* values, std::size_t stride, std::size_t counted);
  void add_waiting();
  std::optional<QuantileSketch> sketch() const;

  StatisticsOptions options_;
  std::uint64_t leaf_;
  std::uint64_t added_ = 0;
  std::uint64_t waiting_ = 0;  ///< the last of them, which moments do not have yet
  Moments moments_;
  std::optional<CopyMoments> copies_;
  RunSummaries summaries_;
  std::optional<LeafValues> values_;
};

}  // namespace tumble
