// Probability densities in the results of an ensemble, whatever they were estimated from.
//
//   density_time(density_time)
//   <probe>_<quantity>_density, _density_at, _density_se (density_time, density_point[, axis |
//   quat]) <probe>_<quantity>_density_bandwidth(density_time[, axis | quat])
#pragma once
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/io/results/results_parts.hpp"

namespace tumble {

/// Defined first, written once the file takes data.
class DensityPart {
 public:
  /// `results.densities` has times; `failed`: some realisations did. `error_remark` says what the
  /// standard errors are. The arguments outlive this.
  DensityPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
              bool failed, const std::string& error_remark);
  void put() const;

 private:
  void define_curve(std::size_t q, const std::string& statistic, const std::string& remark,
                    const std::string& unit, std::vector<double> KernelDensity::*curve);
  void define_bandwidth(std::size_t q);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const StatisticsLayout& layout_;
  const bool failed_;
  int time_ = -1, point_ = -1;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
