// Variability response, in the results of an ensemble. In place of the statistics over
// realisations:
//
//   wave_number(wave_number) [rad/m], law(law) = gaussian, lognormal
//   role(realization) = 0 wave, 1 gaussian, 2 lognormal: what the run is for
//   <probe>_<quantity>_dvrf, _dmrf (wave_number, time[, axis | quat])
//   <probe>_<quantity>_variance, _variance_error, _variance_bound (time[, axis | quat])
//   <probe>_<quantity>_response_mean (time[, axis | quat])    the integral of dmrf
//   <probe>_<quantity>_check_mean, _check_std, _check_std_se (law, time[, axis | quat])
//   <probe>_<quantity>_conjecture_error, _conjecture_error_lower, _conjecture_error_upper
//       (law, time[, axis | quat])
//   attributes variability_std, variability_spectrum, variability_beyond: the standard deviation of
//   f, its
//       spectrum, and the share of it beyond the last wave number
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tumble/io/results/results_parts.hpp"
#include "tumble/study/statistics/variability_response.hpp"

namespace tumble {

struct EnsembleResults;

/// What the results tell of a study of variability response.
struct VariabilityResults {
  VariabilityPlan plan;
  std::string spectrum;  ///< in words
  VariabilityResponse response;
};

/// Defined first, written once the file takes data.
class VariabilityPart {
 public:
  /// `results.variability` is there. The arguments outlive this.
  VariabilityPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                  int realization);
  void put() const;

 private:
  void define_coordinates(int realization);
  void define_quantity(std::size_t q);
  /// A variable over time of values by output; `leading` is a further dimension of `count` entries,
  /// or -1.
  void define(std::size_t q, const std::string& statistic, const std::string& remark,
              std::optional<std::string> unit, int leading, std::size_t count,
              std::function<const std::vector<double>&(std::size_t entry)> values);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const VariabilityResults& found_;
  const StatisticsLayout& layout_;
  int wave_number_ = -1, law_ = -1;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
