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

#include "tumble/io/atomic_file.hpp"
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
  /// Calls back with every leaf, in any order; the same ones each time.
  std::function<void(const std::function<void(const LeafRecord&)>&)> for_each_leaf;
  /// The same with their values, if trajectories are stored.
  std::function<void(const std::function<void(std::uint64_t leaf, const LeafValues&)>&)>
      for_each_values;
};

struct EnsembleFailures {
  static constexpr std::size_t shown = 3;
  std::uint64_t count = 0;
  std::vector<std::string> first;  ///< which and why, the first ones
};

/// Writes the results to `file`, which is then to be committed. Realisations pass through memory
/// one leaf at a time; failures too, but for a bounded number. Room on the disk is taken before
/// anything is written, for values that cannot be compressed. `metadata.failed` is counted here.
/// @throws std::system_error if there is no room.
EnsembleFailures write_ensemble_results(AtomicFile& file, const EnsembleResults& results,
                                        const ResultsMetadata& metadata);

/// (1 - Pc) / 2, 0.5, (1 + Pc) / 2 and what the study adds, in this order, each once.
std::vector<double> quantile_probabilities(const Study& study);

}  // namespace tumble
