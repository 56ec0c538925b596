// What polynomial chaos says, in the results of an ensemble. In place of the statistics over
// realisations:
//
//   role(realization) = 0 fit, 1 validation: what the run is for
//   germ(germ), germ_polynomials(germ)      names of the random numbers, and their polynomials
//   group(group), germ_group(germ)          germs that belong together, and in which group each is
//   chaos_index(term, germ)                 degree of each factor of each term
//   <probe>_<quantity>_chaos(term, time[, axis | quat])                coefficients
//   <probe>_<quantity>_mean, _std, _mean_error, _std_error, _chaos_error (time[, axis | quat])
//   <probe>_<quantity>_cov(time[, axis, axis_2 | quat, quat_2])
//   <probe>_<quantity>_quantile(quantile, time[, axis | quat])
//   <probe>_<quantity>_sobol_first, _sobol_total (germ, time[, axis | quat])
//   <probe>_<quantity>_sobol_group, _sobol_group_total (group, time[, axis | quat])
//   with _lower and _upper behind chaos_error, quantile and sobol_...: intervals, if measured
//   <probe>_<quantity>_principal_std, _principal_axes: principal_part.hpp
//   densities of values of the polynomials: density_part.hpp
#pragma once
#include <optional>

#include "tumble/chaos/chaos_plan.hpp"
#include "tumble/io/results/density_part.hpp"
#include "tumble/io/results/principal_part.hpp"
#include "tumble/io/results/results_parts.hpp"

namespace tumble {

/// Defined first, written once the file takes data.
class ChaosPart {
 public:
  /// `results.chaos` is there; `failed`: some realisations did. The arguments outlive this.
  ChaosPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
            int realization, bool failed);
  void put() const;
  /// The dimension of quantiles; -1 if there is no fit.
  int quantile() const { return quantile_; }
  /// Dimensions; -1 without polynomials.
  int germ() const { return germ_; }
  int group() const { return group_; }

 private:
  void define_role(int realization);
  void define_germs();
  void define_groups();
  void define_quantity(std::size_t q);
  void define_covariance(std::size_t q);
  /// Indices by germ or group, `leading`, and their intervals if there are any.
  void define_sobol(std::size_t q, const std::string& statistic, const std::string& remark,
                    int leading, const std::vector<std::vector<double>>& indices,
                    const std::vector<Intervals>& intervals);
  /// A variable over time of values by output; `leading` is a further dimension of `count` entries,
  /// or -1. value(entry, output).
  int define(std::size_t q, const std::string& statistic, const std::string& remark,
             std::optional<std::string> unit, int leading, std::size_t count,
             std::function<double(std::size_t entry, std::size_t output)> value);
  std::size_t output(std::size_t time, std::size_t q, std::size_t component) const {
    return time * layout_.numbers() + layout_.number(q) + component;
  }

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const ChaosResults& chaos_;
  const StatisticsLayout& layout_;
  const bool failed_;
  int germ_ = -1, group_ = -1, term_ = -1, quantile_ = -1, axis_2_ = -1, quat_2_ = -1,
      tensor_2_ = -1;
  std::vector<double> means_, variances_;
  std::vector<std::vector<double>> first_, total_;  ///< Sobol' indices by germ
  std::vector<std::vector<double>> group_first_, group_total_;
  std::optional<DensityPart> densities_;
  std::optional<PrincipalPart> principal_;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
