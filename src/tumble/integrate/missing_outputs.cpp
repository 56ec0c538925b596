#include "tumble/integrate/missing_outputs.hpp"

#include <limits>

namespace tumble {

void add_missing_outputs(Trajectory& trajectory, const Schedule& schedule) {
  if (!trajectory.ended) return;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  trajectory.times = schedule.outputs;
  trajectory.breaks = schedule.breaks;
  for (ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    series.values.resize(trajectory.times.size() * size, nan);
    series.right_values.resize(trajectory.breaks.size() * size, nan);
    if (!series.time_error.empty()) series.time_error.resize(series.values.size(), nan);
    if (!series.right_time_error.empty())
      series.right_time_error.resize(series.right_values.size(), nan);
  }
}

}  // namespace tumble
