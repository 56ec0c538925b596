// The distribution of a scalar over the realisations of a study, with the errors of everything that
// is said of it. By the same means as those of probed numbers at one instant.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tumble/study/journal/leaf_record.hpp"
#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {

/// The quantities of all realisations: two numbers each, for every realisation.
class QuantitySamples {
 public:
  QuantitySamples(std::size_t quantities, std::uint64_t realizations);
  /// Leaves in any order.
  void add(const LeafRecord& leaf);

  std::uint64_t realizations() const { return realizations_; }
  /// As QuantityValue, in the order of realisations.
  std::span<const double> values(std::size_t quantity) const { return part(values_, quantity); }
  std::span<const double> output_errors(std::size_t quantity) const {
    return part(errors_, quantity);
  }

 private:
  std::span<const double> part(const std::vector<double>& all, std::size_t quantity) const {
    return std::span(all).subspan(quantity * realizations_, realizations_);
  }
  std::size_t quantities_;
  std::uint64_t realizations_;
  std::vector<double> values_, errors_;  ///< [quantity][realisation]
};

/// An estimate with its standard error and its confidence interval; NaN where they are not known.
struct EstimateWithError {
  double value, error;
  Interval interval;
};

/// Density and exceedance at the same abscissae.
struct DistributionCurves {
  double bandwidth = 0;  ///< of the density
  std::vector<double> at;
  std::vector<double> density, density_error;
  /// P(Q > q); what did not happen is beyond every q.
  std::vector<double> exceedance, exceedance_lower, exceedance_upper;
};

struct QuantityStatistics {
  std::uint64_t realizations = 0;
  std::uint64_t counted = 0;   ///< realisations that tell
  std::uint64_t happened = 0;  ///< of those; all but for what may not happen
  /// Of `happened` / `counted`.
  EstimateWithError probability;
  // On condition that it happened.
  EstimateWithError mean, deviation;
  std::vector<double> quantiles, quantile_lower, quantile_upper;  ///< by probability
  /// What quantiles could have been if nothing had failed; empty if nothing failed, or if not
  /// everything happened.
  std::vector<double> bound_lower, bound_upper;
  double minimum, maximum;
  DistributionCurves curves;
  double mean_output_error;  ///< of values of what happened, where it is known
  /// Realisations in which every second output alone changes whether it happens.
  std::uint64_t unresolved = 0;
  std::uint64_t not_finite = 0;  ///< realisations in which the expression has no finite value
  bool heavy_tail = false;       ///< see heavy_tails.hpp

  /// Whether some realisations failed before they could tell. Others that failed may have told.
  bool on_condition_of_success() const { return counted + not_finite < realizations; }
};

struct QuantityStatisticsOptions {
  std::vector<double> probabilities;
  double level = 0.95;  ///< of intervals
  Sampling sampling;
  static constexpr std::size_t points = 101;  ///< of curves
};

/// How many errors are infinite, of those that have no value or of the others: see QuantityValue.
std::uint64_t count_infinite(std::span<const double> values, std::span<const double> errors,
                             bool of_no_value);

/// Of those whose value is finite and whose error is; NaN if there are none.
double mean_output_error(std::span<const double> values, std::span<const double> errors);

QuantityStatistics quantity_statistics(std::span<const double> values,
                                       std::span<const double> output_errors,
                                       const QuantityStatisticsOptions& options);

}  // namespace tumble
