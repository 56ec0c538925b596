#include "tumble/study/statistics/quantity_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/study/leaf_builder.hpp"
#include "tumble/study/quantiles/ensemble_quantiles.hpp"
#include "tumble/study/statistics/density.hpp"
#include "tumble/study/statistics/heavy_tails.hpp"
#include "tumble/study/statistics/proportion_interval.hpp"
#include "tumble/study/statistics/standard_errors.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

constexpr double unknown_number = std::numeric_limits<double>::quiet_NaN();

/// Values that are not finite count as those of failed runs.
LeafStatistics reduce(std::span<const double> values, const Sampling& sampling,
                      const LayoutPointer& layout, StoredValues& stored) {
  StatisticsOptions options;
  options.store_values = true;
  options.randomizations = sampling.randomizations;
  StatisticsTree tree;
  for (std::uint64_t first = 0; first < values.size(); first += realizations_per_leaf) {
    const std::uint64_t leaf = first / realizations_per_leaf;
    const std::size_t end = std::min<std::size_t>(first + realizations_per_leaf, values.size());
    LeafBuilder builder(layout, options, leaf);
    for (std::size_t i = first; i < end; ++i) builder.add(&values[i], 1, 1);
    tree.add(leaf, builder.take_statistics());
    stored.add(leaf, *builder.take_values());
  }
  return tree.finish(values.size());
}

/// How often values exceed q, and how sure that is.
class ExceedanceCount {
 public:
  ExceedanceCount(std::span<const double> values, const Sampling& sampling, double level)
      : sampling_(sampling),
        level_(level),
        copies_(sampling.in_copies() ? sampling.randomizations : 1),
        counts_(copies_.size()) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(values[i])) copies_[i % copies_.size()].push_back(values[i]);
    for (std::size_t r = 0; r < copies_.size(); ++r) {
      std::sort(copies_[r].begin(), copies_[r].end());
      counts_[r] = copies_[r].size();
      total_ += counts_[r];
    }
  }

  std::uint64_t total() const { return total_; }
  EstimateWithError above(double q) const {
    return estimate([q](const std::vector<double>& sorted) {
      return sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), q);
    });
  }
  EstimateWithError finite() const {
    return estimate([](const std::vector<double>& sorted) {
      return std::lower_bound(sorted.begin(), sorted.end(),
                              std::numeric_limits<double>::infinity()) -
             sorted.begin();
    });
  }

 private:
  template <class Count>
  EstimateWithError estimate(const Count& count) const {
    std::vector<std::uint64_t> hits;
    std::vector<double> fractions;
    std::uint64_t sum = 0;
    for (std::size_t r = 0; r < copies_.size(); ++r) {
      hits.push_back(static_cast<std::uint64_t>(count(copies_[r])));
      fractions.push_back(
          counts_[r] == 0 ? 0.0 : static_cast<double>(hits[r]) / static_cast<double>(counts_[r]));
      sum += hits[r];
    }
    EstimateWithError result{unknown_number, unknown_number, {unknown_number, unknown_number}};
    if (total_ == 0) return result;
    const double p = static_cast<double>(sum) / static_cast<double>(total_);
    result.value = p;
    if (!sampling_.has_errors()) return result;
    if (sampling_.in_copies()) {
      result.error = error_from_copies(fractions, counts_);
      result.interval = copies_proportion_interval(hits, counts_, level_);
    } else {
      const double worth = sampling_.worth(total_);
      result.error = std::sqrt(p * (1 - p) / worth);
      result.interval = exact_proportion_interval(p * worth, worth, level_);
    }
    return result;
  }

  const Sampling& sampling_;
  double level_;
  std::vector<std::vector<double>> copies_;  ///< values, ascending
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

DistributionCurves curves_of(std::span<const double> values, const ExceedanceCount& count,
                             const QuantityStatisticsOptions& options) {
  std::vector<double> happened;
  std::vector<std::uint64_t> realizations;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i])) {
      happened.push_back(values[i]);
      realizations.push_back(i);
    }
  DensityOptions density_options;
  density_options.points = options.points;
  density_options.sampling = options.sampling;
  KernelDensity density = kernel_density(happened, realizations, density_options);
  DistributionCurves curves;
  curves.bandwidth = density.bandwidth;
  curves.at = std::move(density.at);
  curves.density = std::move(density.density);
  curves.density_error = std::move(density.error);
  for (const double q : curves.at) {
    const EstimateWithError found =
        std::isnan(q)
            ? EstimateWithError{unknown_number, unknown_number, {unknown_number, unknown_number}}
            : count.above(q);
    curves.exceedance.push_back(found.value);
    curves.exceedance_lower.push_back(found.interval.lower);
    curves.exceedance_upper.push_back(found.interval.upper);
  }
  return curves;
}

}  // namespace

QuantitySamples::QuantitySamples(std::size_t quantities, std::uint64_t realizations)
    : quantities_(quantities),
      realizations_(realizations),
      values_(quantities * realizations, unknown_number),
      errors_(values_) {}

void QuantitySamples::add(const LeafRecord& leaf) {
  for (std::size_t i = 0; i < leaf.realizations(); ++i)
    for (std::size_t q = 0; q < quantities_; ++q) {
      const QuantityValue& found = leaf.quantities[i * quantities_ + q];
      values_[q * realizations_ + leaf.first() + i] = found.value;
      errors_[q * realizations_ + leaf.first() + i] = found.output_error;
    }
}

std::uint64_t count_infinite(std::span<const double> values, std::span<const double> errors,
                             bool of_no_value) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    count += std::isinf(errors[i]) && std::isnan(values[i]) == of_no_value ? 1 : 0;
  return count;
}

double mean_output_error(std::span<const double> values, std::span<const double> errors) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i]) && std::isfinite(errors[i])) {
      sum += errors[i];
      ++count;
    }
  return count == 0 ? unknown_number : sum / static_cast<double>(count);
}

QuantityStatistics quantity_statistics(std::span<const double> values,
                                       std::span<const double> output_errors,
                                       const QuantityStatisticsOptions& options) {
  const LayoutPointer layout =
      std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1});
  StoredValues stored(layout);
  const LeafStatistics statistics = reduce(values, options.sampling, layout, stored);
  const ExceedanceCount count(values, options.sampling, options.level);

  QuantityStatistics result;
  result.realizations = values.size();
  result.counted = count.total();
  result.happened = statistics.moments().count(0);
  result.probability = count.finite();
  const ConfidenceIntervals intervals(statistics, options.sampling, options.level);
  result.mean = {statistics.moments().mean(0, 0), mean_error(statistics, options.sampling, 0, 0),
                 intervals.mean(0, 0)};
  result.deviation = {ensemble_deviation(statistics, options.sampling, 0, 0),
                      deviation_error(statistics, options.sampling, 0, 0),
                      intervals.deviation(0, 0)};
  EnsembleQuantiles quantiles = ensemble_quantiles(statistics, &stored, options.probabilities,
                                                   {options.level, options.sampling, 1});
  result.quantiles = std::move(quantiles.estimate);
  result.quantile_lower = std::move(quantiles.lower);
  result.quantile_upper = std::move(quantiles.upper);
  if (result.happened == result.counted) {
    result.bound_lower = std::move(quantiles.bound_lower);
    result.bound_upper = std::move(quantiles.bound_upper);
  }
  result.minimum = statistics.moments().minimum(0, 0);
  result.maximum = statistics.moments().maximum(0, 0);
  result.curves = curves_of(values, count, options);
  result.mean_output_error = mean_output_error(values, output_errors);
  result.unresolved = count_infinite(values, output_errors, false);
  result.not_finite = count_infinite(values, output_errors, true);
  result.heavy_tail = !find_heavy_tails(statistics, &stored).empty();
  return result;
}

}  // namespace tumble
