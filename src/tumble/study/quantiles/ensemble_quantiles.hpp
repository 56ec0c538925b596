// Quantiles of a whole study with their intervals and bounds, from its sketches or stored values.
#pragma once
#include <span>

#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

/// All [time][number][probability].
struct EnsembleQuantiles {
  std::vector<double> estimate;  ///< of the realisations that count at a time; NaN without any
  /// Confidence intervals of the quantiles that these estimate. From the ranks of independent
  /// values: quantile_ranks.hpp. From R copies of a design: woodruff_interval.hpp, with Student's t
  /// for as many copies less one as have values. Empty where only sketches are there, which do not
  /// tell copies apart, and of a design of one copy.
  std::vector<double> lower, upper;
  /// What the estimates could have been if nothing had failed, see QuantileValues; empty if nothing
  /// failed.
  std::vector<double> bound_lower, bound_upper;
};

struct QuantileOptions {
  double level = 0.95;  ///< of the confidence intervals
  Sampling sampling;
  int threads = 0;  ///< as in EnsembleOptions
};

/// Probabilities in any order. From `values` if given, otherwise from the sketches of `statistics`.
EnsembleQuantiles ensemble_quantiles(const LeafStatistics& statistics, const StoredValues* values,
                                     std::span<const double> probabilities,
                                     const QuantileOptions& options);

}  // namespace tumble
