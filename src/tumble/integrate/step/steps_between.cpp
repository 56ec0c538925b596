#include "tumble/integrate/step/steps_between.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tumble {
namespace {

struct Stop {
  double time = 0;
  bool is_break = false;
};

/// After break points steps are shorter for a while.
struct Zone {
  double from = 0, to = 0;
};

std::vector<Zone> short_steps(const Simulation& simulation, const std::vector<double>& breaks) {
  std::vector<Zone> zones;
  if (simulation.break_substeps <= 1 || simulation.break_steps <= 0 ||
      simulation.integrator == IntegrationMethod::multistep)
    return zones;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    double end = breaks[i] + simulation.break_steps * *simulation.step;
    if (i + 1 < breaks.size()) end = std::min(breaks[i + 1], end);
    zones.push_back({breaks[i], end});
  }
  return zones;
}

/// Equal steps of at most `step` from one stop to the next, as make_schedule() lays them.
Segment segment_between(const Stop& from, const Stop& to, double step) {
  Segment segment;
  segment.from = from.time;
  segment.to = to.time;
  const double length = to.time - from.time;
  segment.steps = std::max(1L, static_cast<long>(std::ceil(length / step * (1 - 1e-9))));
  segment.step_size = length / static_cast<double>(segment.steps);
  if (std::fabs(segment.step_size - step) <= 1e-9 * step) segment.step_size = step;
  segment.is_break = to.is_break;
  return segment;
}

}  // namespace

double same_instant(const Simulation& simulation) { return 1e-9 * simulation.first_step(); }

std::vector<Segment> steps_between(const Simulation& simulation, const std::vector<double>& breaks,
                                   double from, double to) {
  if (!simulation.step) throw std::logic_error("steps between instants need simulation.step");
  const double together = same_instant(simulation);
  std::vector<Stop> stops{{from, false}, {to, false}};
  const auto stop_at = [&](double time, bool is_break) {
    if (time <= from + together || time > to + together) return;
    auto next =
        std::ranges::find_if(stops, [&](const Stop& s) { return s.time >= time - together; });
    if (next->time > time + together) next = stops.insert(next, {time, false});
    next->is_break = next->is_break || is_break;
  };
  for (const double time : breaks) stop_at(time, true);
  const std::vector<Zone> zones = short_steps(simulation, breaks);
  for (const Zone& zone : zones)
    if (zone.to < to - together) stop_at(zone.to, false);
  std::vector<Segment> segments;
  for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
    const double time = stops[i].time;
    const bool is_short = std::ranges::any_of(zones, [&](const Zone& zone) {
      return time > zone.from - together && time < zone.to - together;
    });
    const double step = *simulation.step / (is_short ? simulation.break_substeps : 1);
    segments.push_back(segment_between(stops[i], stops[i + 1], step));
  }
  segments.back().output = true;
  return segments;
}

}  // namespace tumble
