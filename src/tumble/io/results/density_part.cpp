#include "tumble/io/results/density_part.hpp"

#include <fmt/format.h>

namespace tumble {

DensityPart::DensityPart(NetcdfWriter& file, const NominalPart& nominal,
                         const EnsembleResults& results, bool failed,
                         const std::string& error_remark)
    : file_(file),
      nominal_(nominal),
      results_(results),
      layout_(results.statistics->moments().layout()),
      failed_(failed) {
  time_ = file.dimension("density_time", results.densities.times.size());
  point_ = file.dimension("density_point", results.densities.points);
  const int time = file.variable("density_time", NC_DOUBLE, {time_});
  file.attribute(time, "units", "s");
  file.attribute(time, "long_name", "times at which densities are estimated");
  puts_.push_back([this, time] { file_.put(time, results_.densities.times); });
  for (std::size_t q = 0; q < layout_.quantities(); ++q) {
    const std::string unit(info(results.nominal->series[q].quantity).unit);
    const std::string per_unit = unit.empty() ? "1" : fmt::format("1/({})", unit);
    define_curve(q, "density", " (probability density by Gaussian kernels)", per_unit,
                 &KernelDensity::density);
    define_curve(q, "density_at", " (abscissae of the density)", unit, &KernelDensity::at);
    define_curve(q, "density_se", fmt::format(" (standard error of the density, {})", error_remark),
                 per_unit, &KernelDensity::error);
    define_bandwidth(q);
  }
}

void DensityPart::put() const {
  for (const auto& put_variable : puts_) put_variable();
}

void DensityPart::define_curve(std::size_t q, const std::string& statistic,
                               const std::string& remark, const std::string& unit,
                               std::vector<double> KernelDensity::*curve) {
  const int id = nominal_.define(file_, results_.nominal->series[q], statistic, {time_, point_},
                                 remark, {NC_DOUBLE, unit});
  if (failed_) file_.attribute(id, "conditional_on", "success");
  puts_.push_back([this, q, id, curve] {
    std::vector<double> values;
    for (const auto& curves : results_.densities.curves)
      for (std::size_t k = 0; k < results_.densities.points; ++k)
        for (std::size_t a = 0; a < layout_.size(q); ++a)
          values.push_back((curves[layout_.number(q) + a].*curve)[k]);
    file_.put(id, values);
  });
}

void DensityPart::define_bandwidth(std::size_t q) {
  const int id = nominal_.define(file_, results_.nominal->series[q], "density_bandwidth", {time_},
                                 " (bandwidth of the kernels)");
  puts_.push_back([this, q, id] {
    std::vector<double> values;
    for (const auto& curves : results_.densities.curves)
      for (std::size_t a = 0; a < layout_.size(q); ++a)
        values.push_back(curves[layout_.number(q) + a].bandwidth);
    file_.put(id, values);
  });
}

}  // namespace tumble
