// Quantiles of a whole study, from its sketches or its stored values.
#pragma once
#include <span>

#include "tumble/study/leaf_statistics.hpp"
#include "tumble/study/stored_values.hpp"

namespace tumble {

/// [time][number][probability], probabilities in any order. From `values` if given, otherwise from
/// the sketches of `statistics`. `threads` as in EnsembleOptions.
std::vector<double> ensemble_quantiles(const LeafStatistics& statistics, const StoredValues* values,
                                       std::span<const double> probabilities, int threads);

}  // namespace tumble
