#include "tumble/study/ensemble_quantiles.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "tumble/study/quantile_ranks.hpp"
#include "tumble/study/select_ranks.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double student_quantile(std::size_t degrees, double level) {
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Policy> t(static_cast<double>(degrees));
  return quantile(complement(t, (1 - level) / 2));
}

class QuantileTask {
 public:
  QuantileTask(const LeafStatistics& statistics, const StoredValues* values,
               std::span<const double> probabilities, const QuantileOptions& options)
      : statistics_(statistics),
        moments_(statistics.moments()),
        values_(values),
        probabilities_(probabilities),
        options_(options),
        order_(probabilities.size()) {
    if (values == nullptr && statistics.sketch() == nullptr)
      throw std::logic_error("quantiles need stored values or sketches");
    const StatisticsLayout& layout = moments_.layout();
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
    for (const std::size_t i : order_) ascending_.push_back(probabilities[i]);
    const std::size_t size = layout.row() * probabilities.size();
    result_.estimate.assign(size, nan);
    if (values != nullptr || !options.sampling.in_copies()) {
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
    with_workers(options_.threads, [&] {
      oneapi::tbb::parallel_for(std::size_t{0}, moments_.layout().times(),
                                [this](std::size_t t) { one_time(t); });
    });
    return std::move(result_);
  }

 private:
  void one_time(std::size_t t) {
    const std::uint64_t n = moments_.count(t);
    if (n == 0) return;
    const QuantileRanks& plan = plans_.at(n);
    std::vector<double> at_ranks(plan.ranks().size());
    if (values_ == nullptr) {
      for (std::size_t number = 0; number < moments_.layout().numbers(); ++number) {
        statistics_.sketch()->order_statistics(t, number, plan.ranks(), at_ranks.data());
        put(t, number, plan, at_ranks);
      }
      return;
    }
    values_->for_each_column(t, t + 1, [&](const StoredValues::Column& column) {
      std::vector<double> half_widths;
      if (options_.sampling.in_copies()) half_widths = half_widths_from_copies(column);
      select_ranks(column.values, plan.ranks());
      for (std::size_t i = 0; i < at_ranks.size(); ++i)
        at_ranks[i] = column.values[plan.ranks()[i]];
      put(t, column.number, plan, at_ranks);
      for (std::size_t p = 0; p < half_widths.size(); ++p) {
        const std::size_t k = at(t, column.number, p);
        result_.lower[k] = result_.estimate[k] - half_widths[p];
        result_.upper[k] = result_.estimate[k] + half_widths[p];
      }
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

  /// By probability; infinite where fewer than two copies have values.
  std::vector<double> half_widths_from_copies(const StoredValues::Column& column) const {
    const std::uint64_t copies = options_.sampling.randomizations;
    std::vector<std::vector<double>> parts(copies);
    for (std::size_t i = 0; i < column.values.size(); ++i)
      parts[column.realizations[i] % copies].push_back(column.values[i]);
    std::vector<std::uint64_t> counts;
    std::vector<std::vector<double>> estimates(probabilities_.size());  // [probability][copy]
    std::vector<double> quantiles(probabilities_.size());
    for (std::vector<double>& part : parts) {
      counts.push_back(part.size());
      select_quantiles(part, ascending_, quantiles.data());
      for (std::size_t p = 0; p < order_.size(); ++p) estimates[order_[p]].push_back(quantiles[p]);
    }
    const auto used =
        counts.size() - static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 0u));
    if (used < 2) return std::vector<double>(probabilities_.size(), infinity);
    const double t = student_quantile(used - 1, options_.level);
    std::vector<double> widths;
    for (const std::vector<double>& of_copies : estimates)
      widths.push_back(t * error_from_copies(of_copies, counts));
    return widths;
  }

  const LeafStatistics& statistics_;
  const Moments& moments_;
  const StoredValues* values_;
  std::span<const double> probabilities_;
  const QuantileOptions& options_;
  std::vector<std::size_t> order_;  ///< of ascending probabilities
  std::vector<double> ascending_;
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
