// The results of an ensemble: beside the nominal run of results_file.hpp
//
//   <probe>_<quantity>_mean, _std, _mean_se (time[, axis | quat])
//   <probe>_<quantity>_cov(time[, axis, axis_2 | quat, quat_2])
//   <probe>_<quantity>_quantile(quantile, time[, axis | quat]),  quantile(quantile)
//   <probe>_<quantity>(realization, time[, axis | quat])    if all trajectories are stored; of a
//       list of them over stored_realization instead
//   inputs(realization, input), input(input) = parameter paths
//   status(realization) = 0 ok, 1 failed, 2 inadmissible; failure_time(realization) [s]
//   count(time): the realisations that statistics at this time rest on
//   failed_realization(failure), failure_reason(failure)    if any failed
#pragma once
#include <functional>

#include "tumble/io/results_file.hpp"
#include "tumble/model/study.hpp"
#include "tumble/study/leaf_record.hpp"
#include "tumble/study/leaf_statistics.hpp"

namespace tumble {

struct EnsembleResults {
  const Trajectory* nominal = nullptr;
  const LeafStatistics* statistics = nullptr;
  std::uint64_t realizations = 0;
  std::vector<std::string> inputs;    ///< parameter paths
  std::vector<double> probabilities;  ///< the coordinate `quantile`
  std::vector<double> quantiles;      ///< [time][number][probability]
  StoredTrajectories store;
  /// Calls back with every leaf, with values where trajectories are stored.
  std::function<void(const std::function<void(const LeafRecord&)>&)> for_each_leaf;
};

/// The content of a results file, composed in memory like results_bytes(); realisations pass
/// through one leaf at a time. `metadata.failed` is counted here.
std::string ensemble_results_bytes(const EnsembleResults& results, ResultsMetadata metadata);

/// (1 - Pc) / 2, 0.5, (1 + Pc) / 2 and what the study adds, in this order, each once.
std::vector<double> quantile_probabilities(const Study& study);

}  // namespace tumble
