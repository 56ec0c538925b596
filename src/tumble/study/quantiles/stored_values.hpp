// All values of a study, for exact quantiles and for stored trajectories.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tumble/study/quantiles/leaf_values.hpp"

namespace tumble {

/// The quantile of `values` (reordered) by the rule of quantile_rule.hpp, for each of the ascending
/// `probabilities`; NaN where there are no values.
void select_quantiles(std::span<double> values, std::span<const double> probabilities, double* out);

/// The leaves of a study, in memory of their own or where they lie in its journal. Grows with the
/// number of realisations: times * numbers * 8 bytes each.
class StoredValues {
 public:
  explicit StoredValues(LayoutPointer layout) : layout_(std::move(layout)) {}

  const LayoutPointer& layout() const { return layout_; }

  /// In any order, from any thread. An incomplete last leaf may be replaced by a longer one.
  void add(std::uint64_t leaf, std::shared_ptr<const LeafValues> values);
  void add(std::uint64_t leaf, LeafValues&& values) {
    add(leaf, std::make_shared<const LeafValues>(std::move(values)));
  }
  /// The same for rows that stay where they are as long as `keeper` lives.
  void add(std::uint64_t leaf, LeafValues::RowsInPlace rows, std::shared_ptr<const void> keeper);

  /// How many realisations of a leaf are there.
  std::size_t realizations(std::uint64_t leaf) const;
  /// The number of realisations if there is no gap; throws std::logic_error if there is one.
  std::uint64_t realizations() const;
  /// The row [time][number] of a realisation, NaN from its failure on. Copies the leaf if its rows
  /// are not where doubles may be; it stays for later calls.
  const double* row(std::uint64_t realization) const;

  /// The values of one number at one time over the realisations that count there, in the order of
  /// their indices. May be reordered.
  struct Column {
    std::size_t time, number;
    std::span<double> values;
    std::span<const std::uint64_t> realizations;
  };
  /// Visits every number at the output times [first_time, end_time), times one after the other.
  /// Threads may share the times among them while nothing is added.
  void for_each_column(std::size_t first_time, std::size_t end_time,
                       const std::function<void(const Column&)>& visit) const;

  /// Exact quantiles at the output times [first_time, end_time), over the realisations that count
  /// at each: out[(time - first_time)][number][probability]. `probabilities` ascending. Threads may
  /// share the times among them while nothing is added.
  void quantiles(std::size_t first_time, std::size_t end_time,
                 std::span<const double> probabilities, double* out) const;

 private:
  struct Leaf {
    std::size_t realizations;
    const char* rows;                          ///< at whatever address
    std::shared_ptr<const LeafValues> values;  ///< null: all runs are complete
    std::shared_ptr<const void> keeper;        ///< of the rows
    std::size_t valid_times(std::size_t i, const StatisticsLayout& layout) const {
      return values ? values->valid_times(i) : layout.times();
    }
  };
  void add(std::uint64_t leaf, Leaf&& values);

  LayoutPointer layout_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, Leaf> leaves_;
  /// Of leaves whose rows are not where doubles may be, if they were asked for one by one.
  mutable std::map<std::uint64_t, std::vector<double>> copies_;
};

}  // namespace tumble
