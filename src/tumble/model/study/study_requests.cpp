#include "tumble/model/study/study_requests.hpp"

#include <algorithm>
#include <cmath>

namespace tumble {

std::optional<std::size_t> output_index(const Simulation& simulation, double time) {
  if (!simulation.has_motion()) return time == 0 ? std::optional<std::size_t>(0) : std::nullopt;
  const double step = simulation.output_interval();
  const double index = std::round(time / step), last = std::round(simulation.duration / step);
  const double rounding = 1e-9 * std::max(1.0, last);  // as check() allows for the duration
  if (!(index >= 0 && index <= last) || std::abs(time / step - index) > rounding)
    return std::nullopt;
  return static_cast<std::size_t>(index);
}

std::vector<std::size_t> named_quantities(const Model& model, std::string_view name) {
  std::vector<std::size_t> found;
  std::size_t place = 0;
  for (const Probe& probe : model.probes)
    for (const Quantity quantity : probe.quantities) {
      if (name == probe.name || name == probe.name + "." + std::string(info(quantity).name))
        found.push_back(place);
      ++place;
    }
  return found;
}

}  // namespace tumble
