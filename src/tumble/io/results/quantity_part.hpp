// Quantities of interest in the results of runs and ensembles.
//
//   quantity_<name>_nominal, _nominal_output_error             of the nominal run
//   quantity_<name>, _output_error (realization)               NaN where there is none
//   quantity_<name>_count                                      realisations that tell
//   quantity_<name>_mean, _std, and of both _se, _interval_lower, _interval_upper
//   quantity_<name>_quantile, _quantile_lower, _quantile_upper (quantile)
//   quantity_<name>_quantile_bound_lower, _quantile_bound_upper (quantile)    if any failed
//   quantity_<name>_min, _max
//   quantity_<name>_abscissa, _density, _density_se (quantity_point)
//   quantity_<name>_exceedance, _exceedance_lower, _exceedance_upper (quantity_point)
//   quantity_<name>_mean_output_error, _time_error, _mean_time_error
//   quantity_<name>_probability, _probability_lower, _probability_upper    of what may not happen:
//       how probable it is that it does; other statistics are on condition that it did, but for
//       _exceedance
//
// Of those that a band was made into values alone, and over quantity_<band>_frequency
//   quantity_<band>_band_nominal, _band_count, _band_mean, _band_mean_se, _band_std, _band_std_se
//   quantity_<band>_band_quantile, _band_quantile_lower, _band_quantile_upper (..., quantile)
//
// By polynomial chaos in place of standard errors and intervals _mean_error, _std_error and
// _chaos_error, as of responses (chaos_part.hpp), and Sobol' indices
//   quantity_<name>_sobol_first, _sobol_total (germ), _sobol_group, _sobol_group_total (group),
//       with _lower and _upper behind each: intervals, if errors are measured
// which a study of sensitivity has too, or quantity_<name>_shapley (group), _morris_mean,
// _morris_mean_abs, _morris_std (germ).
#pragma once
#include <optional>
#include <string_view>

#include "tumble/io/netcdf/netcdf_writer.hpp"
#include "tumble/study/journal/leaf_record.hpp"
#include "tumble/study/statistics/quantity_statistics.hpp"

namespace tumble {

/// Sobol' indices of one kind, by germ or by group.
struct SobolIndices {
  std::vector<double> values, lower, upper;  ///< ends are empty if errors are not measured
};

/// Other indices of a quantity than Sobol's, by factor.
struct OtherIndices {
  std::string ending;  ///< of the variable
  std::string what;    ///< in words
  bool share = true;   ///< of its variance; otherwise in its unit
  bool groups = true;  ///< factors are groups; otherwise germs
  SobolIndices indices;
};

/// Where the variance of a quantity comes from, by polynomial chaos or by a study of sensitivity.
/// What is empty was not asked for.
struct QuantityShares {
  SobolIndices first, total;              ///< of germs
  SobolIndices group_alone, group_total;  ///< of groups
  std::vector<std::string> groups;        ///< their names
  std::vector<OtherIndices> others = {};
};

/// Of the quantities of a run.
struct QuantityResults {
  const QuantityOfInterest* quantity = nullptr;
  QuantityValue nominal{};
  /// Of an ensemble. By polynomial chaos errors are bounds, and intervals rest on them.
  std::optional<QuantityStatistics> statistics = {};
  std::optional<double> time_error = {}, mean_time_error = {};
  bool chaos = false;
  double chaos_error = 0;  ///< what the polynomials miss of the variance
  std::optional<QuantityShares> shares = {};
};

/// "peak of tip.position.z between 0 s and 2 s"
std::string describe(const QuantityOfInterest& quantity);

/// What names of their variables end with.
const std::vector<std::string_view>& quantity_variable_endings();

/// What all quantities of an ensemble have in common.
struct QuantityEnsemble {
  int realization = -1, quantile = -1;  ///< dimensions; no quantiles: -1
  int germ = -1, group = -1;            ///< of polynomial chaos
  std::size_t realizations = 0;
  double interval_confidence = 0.95;
  std::string error_basis;
};

/// Defined first, written once the file takes data.
class QuantityPart {
 public:
  /// `ensemble`: null for a single run. `results` outlives this.
  QuantityPart(NetcdfWriter& file, const std::vector<QuantityResults>& results,
               const QuantityEnsemble* ensemble = nullptr);
  void put() const;
  void put(const LeafRecord& leaf) const;
  /// Of one quantity of an ensemble, at most.
  static constexpr std::size_t variables_of_quantity = 52;

 private:
  struct Names {
    std::string name, words, unit;
    std::string conditional;  ///< what statistics are on condition of
  };
  void define_samples(const Names& names, const QuantityEnsemble& ensemble);
  /// Those that a band was made into, one after the other, as functions of frequency.
  void define_band(const std::vector<const QuantityResults*>& band,
                   const QuantityEnsemble* ensemble);
  void define_statistics(const Names& names, const QuantityResults& result,
                         const QuantityEnsemble& ensemble);
  void define_estimate(const Names& names, const std::string& ending, const std::string& word,
                       const EstimateWithError& estimate, const QuantityResults& result,
                       const QuantityEnsemble& ensemble);
  void define_quantiles(const Names& names, const QuantityStatistics& statistics,
                        const QuantityEnsemble& ensemble);
  void define_curves(const Names& names, const QuantityResults& result,
                     const QuantityEnsemble& ensemble);
  void define_shares(const Names& names, const QuantityShares& shares,
                     const QuantityEnsemble& ensemble);
  void define_probability(const Names& names, const QuantityStatistics& statistics,
                          const QuantityEnsemble& ensemble);
  int variable(const Names& names, const std::string& ending, const std::vector<int>& dimensions,
               const std::string& remark, const std::string& unit);
  /// With its values, and what they are on condition of.
  int define(const Names& names, const std::string& ending, const std::vector<int>& dimensions,
             const std::string& remark, const std::string& unit, std::vector<double> values);

  NetcdfWriter& file_;
  int point_ = -1;
  std::vector<std::pair<int, std::vector<double>>> values_;
  std::vector<int> samples_, errors_;  ///< by quantity
};

}  // namespace tumble
