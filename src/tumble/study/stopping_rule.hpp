// When a study has enough realisations: once errors are as small as asked for.
#pragma once
#include "tumble/study/quantiles/ensemble_quantiles.hpp"
#include "tumble/study/statistics/quantity_statistics.hpp"

namespace tumble {

struct StoppingRule {
  std::vector<std::size_t> quantities;  ///< of the layout: those that have to meet it
  std::vector<std::size_t> scalars;     ///< places of quantities of interest that have to
  /// Largest standard error of the mean, over times and components, relative to the largest
  /// root-mean-square value sqrt(mean^2 + std^2) of the quantity, over times and components.
  std::optional<double> relative_mean_error;
  /// Largest width of the confidence interval of a quantile, over times, components and the
  /// quantiles (1 - Pc) / 2, 0.5, (1 + Pc) / 2, relative to the largest width of the confidence
  /// region: the last of these quantiles less the first.
  std::optional<double> relative_quantile_width;
  /// First number of realisations at which to look.
  std::uint64_t check_every = 512;
};

/// Numbers of realisations at which the rule is looked at: check_every, then each time half as many
/// more, in whole multiples of check_every, which itself is rounded up to whole leaves; `most` is
/// the last. Fixed beforehand, so that where a study ends depends on its values alone; growing, so
/// that there are few occasions to be met by chance.
/// Returns the first such number that is at least `realizations`.
std::uint64_t check_point(std::uint64_t check_every, std::uint64_t realizations,
                          std::uint64_t most);

/// The largest over the quantities of a rule. Infinite where too few values count to tell, and
/// while copies of a design have fewer than `smallest_copy` points.
struct RelativeErrors {
  double mean = 0;
  double quantile = 0;
};

/// `quantiles` are those of three probabilities, ascending: see StoppingRule. Null where the rule
/// does not look at them.
RelativeErrors relative_errors(const StoppingRule& rule, const LeafStatistics& statistics,
                               const EnsembleQuantiles* quantiles, const Sampling& sampling);

/// Of one quantity of interest, with the statistics of these probabilities; on condition that it
/// happens.
RelativeErrors relative_errors(const QuantityStatistics& statistics, const Sampling& sampling);

/// The larger of each.
RelativeErrors larger(const RelativeErrors& a, const RelativeErrors& b);

bool is_met(const StoppingRule& rule, const RelativeErrors& errors);

}  // namespace tumble
