#include "tumble/io/results/time_error_part.hpp"

#include <fmt/format.h>

namespace tumble {

TimeErrorPart::TimeErrorPart(NetcdfWriter& file, const NominalPart& nominal,
                             const Trajectory& trajectory, const EnsembleTimeErrors& errors,
                             const StatisticsLayout& layout)
    : file_(file), layout_(layout) {
  const std::string basis =
      fmt::format("{} realisations run again with half the steps", errors.asked);
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    const ProbeSeries& series = trajectory.series[q];
    const auto define = [&](const char* statistic, const char* remark,
                            const std::vector<double>& values) {
      const int id = nominal.define(file, series, statistic, {nominal.time()}, remark);
      file.attribute(id, "error_basis", basis);
      variables_.push_back({id, q, &values});
    };
    define("time_error",
           " (estimated error of the time integration, root mean square over realisations)",
           errors.rms);
    define("mean_time_error", " (estimated error of the time integration in the mean)",
           errors.mean);
  }
}

void TimeErrorPart::put() const {
  for (const Variable& variable : variables_) {
    std::vector<double> values;
    for (std::size_t t = 0; t < layout_.times(); ++t)
      for (std::size_t a = 0; a < layout_.size(variable.quantity); ++a)
        values.push_back(
            (*variable.values)[t * layout_.numbers() + layout_.number(variable.quantity) + a]);
    file_.put(variable.id, values);
  }
}

}  // namespace tumble
