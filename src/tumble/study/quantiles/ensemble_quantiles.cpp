#include "tumble/study/quantiles/ensemble_quantiles.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "tumble/math/select_ranks.hpp"
#include "tumble/math/tracked_ranks.hpp"
#include "tumble/study/quantiles/quantile_ranks.hpp"
#include "tumble/study/quantiles/woodruff_interval.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// x(r) for a rank counted from 1, linear between order statistics; values have the needed ones in
/// their places.
double at_rank(std::span<const double> values, double rank) {
  if (std::isinf(rank)) return rank;
  const auto below = static_cast<std::size_t>(rank);
  const double low = values[below - 1], part = rank - static_cast<double>(below);
  return part == 0 ? low : low + part * (values[below] - low);
}

class QuantileTask {
 public:
  QuantileTask(const LeafStatistics& statistics, const StoredValues* values,
               std::span<const double> probabilities, const QuantileOptions& options)
      : statistics_(statistics),
        moments_(statistics.moments()),
        values_(values),
        probabilities_(probabilities),
        options_(options) {
    if (values == nullptr && statistics.sketch() == nullptr)
      throw std::logic_error("quantiles need stored values or sketches");
    const StatisticsLayout& layout = moments_.layout();
    const std::size_t size = layout.row() * probabilities.size();
    result_.estimate.assign(size, nan);
    if (!options.sampling.is_design() || (values != nullptr && options.sampling.in_copies())) {
      result_.lower.assign(size, nan);
      result_.upper.assign(size, nan);
    }
    const std::uint64_t error = values != nullptr ? 0 : statistics.sketch()->rank_error();
    for (std::size_t t = 0; t < layout.times(); ++t)
      if (const std::uint64_t n = moments_.count(t); n > 0 && !plans_.contains(n))
        plans_.emplace(n, QuantileRanks(n, options.sampling.worth(n), statistics.realizations(),
                                        probabilities, options.level, error));
    // Counts never grow in time.
    if (layout.times() > 0 && moments_.count(layout.times() - 1) < statistics.realizations()) {
      result_.bound_lower.assign(size, -infinity);
      result_.bound_upper.assign(size, infinity);
    }
  }

  EnsembleQuantiles run() {
    // Times of a block are worked on one after the other: ranks are found near where they were.
    // Blocks do not depend on the number of threads.
    constexpr std::size_t block = 32;
    const std::size_t times = moments_.layout().times();
    with_workers(options_.threads, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, (times + block - 1) / block, [&](std::size_t i) {
        const std::size_t first = i * block, end = std::min(times, first + block);
        values_ == nullptr ? from_sketches(first, end) : from_values(first, end);
      });
    });
    return std::move(result_);
  }

 private:
  void from_sketches(std::size_t first, std::size_t end) {
    for (std::size_t t = first; t < end; ++t) {
      if (moments_.count(t) == 0) continue;
      const QuantileRanks& plan = plans_.at(moments_.count(t));
      std::vector<double> at_ranks(plan.ranks().size());
      for (std::size_t number = 0; number < moments_.layout().numbers(); ++number) {
        statistics_.sketch()->order_statistics(t, number, plan.ranks(), at_ranks.data());
        put(t, number, plan, at_ranks);
      }
    }
  }

  void from_values(std::size_t first, std::size_t end) {
    std::vector<double> at_ranks;
    std::vector<TrackedRanks> tracked;  // by number, of those who count at the time
    std::uint64_t counted = 0;
    values_->for_each_column(first, end, [&](const StoredValues::Column& column) {
      const std::uint64_t n = column.values.size();
      if (n == 0) return;
      const QuantileRanks& plan = plans_.at(n);
      if (n != counted) {
        tracked.assign(moments_.layout().numbers(), TrackedRanks(plan.ranks(), n));
        at_ranks.resize(plan.ranks().size());
        counted = n;
      }
      tracked[column.number].select(column.values, moments_.mean(column.time, column.number),
                                    moments_.standard_deviation(column.time, column.number),
                                    at_ranks.data());
      put(column.time, column.number, plan, at_ranks);
      if (options_.sampling.in_copies()) put_intervals_from_copies(column);
    });
  }

  std::size_t at(std::size_t time, std::size_t number, std::size_t probability) const {
    return (time * moments_.layout().numbers() + number) * probabilities_.size() + probability;
  }

  void put(std::size_t t, std::size_t number, const QuantileRanks& plan,
           std::span<const double> at_ranks) {
    for (std::size_t p = 0; p < probabilities_.size(); ++p) {
      const QuantileValues found =
          plan.evaluate(p, at_ranks, moments_.minimum(t, number), moments_.maximum(t, number));
      const std::size_t k = at(t, number, p);
      result_.estimate[k] = found.estimate;
      if (!result_.lower.empty()) {
        result_.lower[k] = found.lower;
        result_.upper[k] = found.upper;
      }
      if (!result_.bound_lower.empty()) {
        result_.bound_lower[k] = found.bound_lower;
        result_.bound_upper[k] = found.bound_upper;
      }
    }
  }

  /// Values are in the order of realisations, which says what is of which copy; then no more.
  void put_intervals_from_copies(const StoredValues::Column& column) {
    const std::span<double> in_order = column.values;
    const std::uint64_t copies = options_.sampling.randomizations;
    std::vector<std::uint64_t> counts(copies), below(copies);
    for (const std::uint64_t realization : column.realizations) ++counts[realization % copies];
    const auto used = copies - static_cast<std::uint64_t>(
                                   std::count(counts.begin(), counts.end(), std::uint64_t{0}));
    const double student =
        used < 2 ? infinity : student_quantile(static_cast<double>(used - 1), options_.level);
    std::vector<Interval> ends;  // ranks from 1, by probability
    std::vector<std::size_t> needed;
    for (std::size_t p = 0; p < probabilities_.size(); ++p) {
      const double estimate = result_.estimate[at(column.time, column.number, p)];
      std::fill(below.begin(), below.end(), 0);
      for (std::size_t i = 0; i < in_order.size(); ++i)
        below[column.realizations[i] % copies] += in_order[i] <= estimate ? 1 : 0;
      ends.push_back(woodruff_ranks(below, counts, probabilities_[p], options_.level, student));
      for (const double rank : {ends.back().lower, ends.back().upper}) {
        if (std::isinf(rank)) continue;
        const auto place = static_cast<std::size_t>(rank) - 1;
        needed.push_back(place);
        if (place + 1 < in_order.size()) needed.push_back(place + 1);
      }
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    select_ranks(column.values, needed);
    for (std::size_t p = 0; p < ends.size(); ++p) {
      const std::size_t k = at(column.time, column.number, p);
      result_.lower[k] = at_rank(column.values, ends[p].lower);
      result_.upper[k] = at_rank(column.values, ends[p].upper);
    }
  }

  const LeafStatistics& statistics_;
  const Moments& moments_;
  const StoredValues* values_;
  std::span<const double> probabilities_;
  const QuantileOptions& options_;
  std::map<std::uint64_t, QuantileRanks> plans_;  ///< by count
  EnsembleQuantiles result_;
};

}  // namespace

EnsembleQuantiles ensemble_quantiles(const LeafStatistics& statistics, const StoredValues* values,
                                     std::span<const double> probabilities,
                                     const QuantileOptions& options) {
  return QuantileTask(statistics, values, probabilities, options).run();
}

}  // namespace tumble
