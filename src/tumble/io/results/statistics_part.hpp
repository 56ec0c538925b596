// The statistics over realisations, time by time, in the results of an ensemble.
#pragma once
#include "tumble/io/results/density_part.hpp"
#include "tumble/io/results/principal_part.hpp"
#include "tumble/io/results/results_parts.hpp"
#include "tumble/study/statistics/standard_errors.hpp"

namespace tumble {

/// What standard errors rest on, in words.
std::string error_basis(const Sampling& sampling);

/// Defined first, written once the file takes data.
class StatisticsPart {
 public:
  /// `failed`: some realisations did. The arguments outlive this.
  StatisticsPart(NetcdfWriter& file, const NominalPart& nominal, const EnsembleResults& results,
                 bool failed);
  void put() const;
  /// The dimension of quantiles.
  int quantile() const { return quantile_; }

 private:
  /// What depends on time and component: f(time, number).
  using Entry = std::function<double(std::size_t time, std::size_t number)>;

  void define_quantity(std::size_t q);
  void define_errors(std::size_t q);
  void define_quantiles(std::size_t q);
  void define_bounds(std::size_t q);
  void define_region();
  void define_region_of(std::size_t q);
  /// Defines a variable over time; its values are taken when they are written.
  int over_time(std::size_t q, const std::string& statistic, const std::string& remark,
                const Entry& entry, const char* unit = nullptr);
  void realization_over_time(std::size_t q, const std::string& statistic, const std::string& remark,
                             const std::function<std::int64_t(std::size_t, std::size_t)>& entry);
  int over_quantiles(std::size_t q, const std::string& statistic, const std::string& remark,
                     const std::vector<double>& values);
  void define_covariance(std::size_t q);
  /// Of the components a and b, with the divisor of the standard deviation.
  double covariance(std::size_t t, std::size_t q, std::size_t a, std::size_t b) const;
  /// Says what a variable rests on.
  void conditional(int variable);
  void with_error_basis(int variable);

  NetcdfWriter& file_;
  const NominalPart& nominal_;
  const EnsembleResults& results_;
  const Moments& moments_;
  const StatisticsLayout& layout_;
  const bool failed_;
  const ConfidenceIntervals intervals_;
  std::string region_shortfall_;  ///< why a region has no ends
  int quantile_ = -1, axis_2_ = -1, quat_2_ = -1, tensor_2_ = -1;
  std::optional<DensityPart> densities_;
  std::optional<PrincipalPart> principal_;
  std::vector<std::function<void()>> puts_;
};

}  // namespace tumble
