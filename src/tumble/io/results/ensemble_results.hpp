// The results of an ensemble: beside the nominal run of results_file.hpp
//
//   <probe>_<quantity>_mean, _std (time[, axis | quat])
//   <probe>_<quantity>_mean_se, _std_se, _mean_interval_lower, _mean_interval_upper,
//       _std_interval_lower, _std_interval_upper (time[, axis | quat])    unless a design of one
//       randomisation says nothing about errors
//   <probe>_<quantity>_time_error, _mean_time_error (time[, axis | quat])    unless switched off
//   <probe>_<quantity>_cov(time[, axis, axis_2 | quat, quat_2])
//   <probe>_<quantity>_principal_std(time, principal), _principal_axes(time, principal, axis)
//   <probe>_<quantity>_min, _max, _min_realization, _max_realization (time[, axis | quat])
//   <probe>_<quantity>_quantile, _quantile_lower, _quantile_upper (quantile, time[, axis | quat])
//   <probe>_<quantity>_quantile_bound_lower, _quantile_bound_upper        if any failed
//   <probe>_<quantity>_mean_lower, _mean_upper, _std_lower, _std_upper    if any failed and the
//       probe declares a range
//   <probe>_<quantity>_region_lower, _region_upper (time[, axis | quat])    if the study asks for
//       another region than that of its quantiles
//   <probe>_<quantity>_density, ... see density_part.hpp
//   <probe>_<quantity>_peak_min, _peak_min_time, _peak_max, _peak_max_time
//       (realization[, axis | quat]), and with _nominal_peak_ of the nominal run ([axis | quat])
//   <probe>_<quantity>_out_of_range([axis | quat])    if the probe declares a range
//   <probe>_<quantity>_square_integral(realization)
//   <probe>_<quantity>_convergence, _convergence_se (convergence_n)
//   <probe>_<quantity>(realization, time[, axis | quat])    if all trajectories are stored; of a
//       list of them over stored_realization instead
//   inputs(realization, input), input(input) = parameter paths
//   status(realization) = 0 ok, 1 failed, 2 inadmissible; failure_time(realization) [s]
//   energy_mismatch(realization): how well the account of energy closes; NaN if inadmissible
//   count(time): the realisations that statistics at this time rest on
//   failed_realization(failure), failure_reason(failure)    if any failed
//   field_<name>_...    of random fields, see fields_part.hpp
//   quantity_<name>...    of quantities of interest, see quantity_part.hpp
//
// A worst-case study has what worst_case_part.hpp says in place of statistics.
// A multilevel study has what multilevel_part.hpp says in place of statistics and of run summaries.
// A study of sensitivity has indices beside these, see sensitivity_part.hpp; one of reliability has
// what reliability_part.hpp says in place of statistics. One by polynomial
// chaos has other statistics, see chaos_part.hpp, and no convergence curve.
#pragma once
#include <functional>

#include "tumble/base/atomic_file.hpp"
#include "tumble/chaos/chaos_plan.hpp"
#include "tumble/chaos/error/validation.hpp"
#include "tumble/io/results/multilevel_part.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/io/results/reliability_part.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/io/results/variability_part.hpp"
#include "tumble/io/results/worst_case_part.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/journal/leaf_record.hpp"
#include "tumble/study/quantiles/ensemble_quantiles.hpp"
#include "tumble/study/quantiles/regions.hpp"
#include "tumble/study/statistics/density.hpp"
#include "tumble/study/statistics/failure_bounds.hpp"
#include "tumble/study/statistics/time_errors.hpp"

namespace tumble {

/// Densities at some output times.
struct DensityResults {
  std::vector<double> times;                       ///< the coordinate `density_time` [s]
  std::size_t points = 0;                          ///< of each density
  std::vector<std::vector<KernelDensity>> curves;  ///< [time][number]
};

/// What polynomials say in place of the realisations, which are points of a plan and no draws.
struct ChaosResults {
  const InputSpace* space = nullptr;
  std::optional<ChaosFit> fit;    ///< outputs [time][number]; none if it was not possible
  std::string failure;            ///< why not
  std::size_t runs = 0;           ///< that did not fail
  std::size_t samples = 0;        ///< of the polynomials, for quantiles and densities
  std::vector<double> quantiles;  ///< [time][number][probability]
  std::vector<std::string> warnings;

  // Of runs that were kept out of the fit; they are the last realisations.
  std::uint64_t first_validation = 0;  ///< realisation that they begin with
  std::size_t validation_failed = 0;
  double validation_failed_share = 0;  ///< estimated probability of inputs at which runs fail
  /// Intervals, if errors are measured: quantiles as above, Sobol' indices by group. A group of one
  /// germ has the index of that germ.
  std::vector<double> quantile_lower, quantile_upper;
  std::vector<Intervals> germ_first, germ_total, group_closed, group_total;
};

struct SensitivityResults;

struct EnsembleResults {
  const Trajectory* nominal = nullptr;
  const LeafStatistics* statistics = nullptr;
  std::uint64_t realizations = 0;
  Sampling sampling;                  ///< what standard errors rest on
  std::vector<std::string> inputs;    ///< parameter paths
  std::vector<double> probabilities;  ///< the coordinate `quantile`
  EnsembleQuantiles quantiles;
  double interval_confidence = 0.95;  ///< of confidence intervals
  double confidence = 0.9;            ///< Pc of the region
  RegionKind region_kind = RegionKind::quantile;
  EnsembleRegion region;  ///< empty where the quantiles are the region
  /// By quantity: within which limits its components are known to stay. Empty: of none is anything
  /// known.
  std::vector<std::optional<ValueRange>> ranges;
  DensityResults densities;
  const ChaosResults* chaos = nullptr;              ///< of a study by polynomial chaos
  const VariabilityResults* variability = nullptr;  ///< of a study of variability response
  const MultilevelResults* multilevel = nullptr;    ///< of a multilevel study
  const SensitivityResults* sensitivity = nullptr;  ///< of a study of sensitivity
  const ReliabilityResults* reliability = nullptr;  ///< of a study of reliability
  const WorstCaseResults* worst_case = nullptr;     ///< of a worst-case study
  /// False where realisations are points that were chosen, whose means say nothing.
  bool has_statistics = true;
  const EnsembleTimeErrors* time_errors = nullptr;  ///< null: not estimated
  std::vector<QuantityResults> quantities;
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
  /// Of those that did not fail, the one whose account of energy is worst; see `energy_mismatch`.
  double largest_mismatch = 0;
  std::uint64_t largest_mismatch_of = 0;
  /// What left a declared range in realisations that did not fail, a sentence each.
  std::vector<std::string> out_of_range;
};

/// Writes the results to `file`, which is then to be committed. Realisations pass through memory
/// one leaf at a time; failures too, but for a bounded number. Room on the disk is taken before
/// anything is written, for values that cannot be compressed. `metadata.failed` is counted here.
/// @throws std::system_error if there is no room.
EnsembleFailures write_ensemble_results(AtomicFile& file, const EnsembleResults& results,
                                        const ResultsMetadata& metadata);

/// (1 - Pc) / 2, 0.5, (1 + Pc) / 2 and what the study adds, in this order, each once.
std::vector<double> quantile_probabilities(const Study& study);

/// What the probes of a model declare, for EnsembleResults::ranges.
std::vector<std::optional<ValueRange>> declared_ranges(const Model& model);

}  // namespace tumble
