// Indices of sensitivity, in the results of an ensemble beside its statistics:
//
//   group(group) or germ(germ)                   names of the factors
//   <probe>_<quantity>_sobol_group, _sobol_group_total (group, time[, axis | quat])    by
//       pick-freeze on groups; on germs _sobol_first, _sobol_total (germ, ...)
//   <probe>_<quantity>_shapley(group, time[, axis | quat])
//   <probe>_<quantity>_morris_mean, _morris_mean_abs, _morris_std (germ, time[, axis | quat])
//   with _lower and _upper behind each: intervals, except behind _morris_std
//   <probe>_<quantity>_sobol_group_generalized, ... (group[, axis | quat]), with _lower and
//       _upper: the same of variances that are integrated over time
#pragma once
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/io/results/results_parts.hpp"

namespace tumble {

/// Indices of one kind, of every factor and probed number.
struct SensitivityIndices {
  std::string statistic;  ///< in names of variables
  std::string what;       ///< in words
  bool share = true;      ///< of a variance; otherwise in the unit of the quantity
  /// [factor][time][number]; ends of intervals are empty where there are none.
  std::vector<double> values, lower, upper;
  /// [factor][number], of variances integrated over time; empty where there are none.
  std::vector<double> generalized, generalized_lower, generalized_upper;
};

struct SensitivityResults {
  std::string method;                ///< "pick-freeze"
  std::string dimension;             ///< "group" or "germ"
  std::vector<std::string> factors;  ///< names
  std::uint64_t block = 0;           ///< runs in one
  std::uint64_t blocks = 0;          ///< that indices rest on
  std::uint64_t dropped = 0;         ///< because a member failed
  std::vector<SensitivityIndices> indices;
};

/// Defined first, written once the file takes data.
class SensitivityPart {
 public:
  /// `results.sensitivity` is there. The arguments outlive this.
  SensitivityPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results);
  void put() const;
  /// The dimension of factors.
  int factor() const { return factor_; }

 private:
  void define(std::size_t q, const SensitivityIndices& kind);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const SensitivityResults& sensitivity_;
  const StatisticsLayout& layout_;
  int factor_ = -1;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
