#include "tumble/integrate/step/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tumble {

namespace {

struct Landmark {
  double time = 0;
  bool output = false;
  bool is_break = false;
  double step = 0;  ///< the longest allowed from here to the next landmark [s]
};

class LandmarkList {
 public:
  LandmarkList(const Simulation& simulation, const std::vector<double>& breaks)
      : together_(same_instant(simulation)) {
    const double every = simulation.output_interval();
    const auto outputs = static_cast<long>(std::llround(simulation.duration / every));
    for (long k = 0; k <= outputs; ++k)
      marks_.push_back({static_cast<double>(k) * every, true, false, simulation.first_step()});
    for (const double t : breaks) mark_at(t).is_break = true;
    if (!simulation.grid.empty())
      lay_grid(simulation, breaks);
    else if (simulation.step && simulation.break_substeps > 1 && simulation.break_steps > 0 &&
             simulation.integrator != IntegrationMethod::multistep)
      subdivide_after_breaks(simulation, breaks);
  }
  const std::vector<Landmark>& marks() const { return marks_; }

  /// Closer than this is the same instant [s].
  static double same_instant(const Simulation& simulation) {
    double shortest = simulation.first_step();
    for (const GridZone& zone : simulation.grid) shortest = std::min(shortest, zone.step);
    return 1e-9 * shortest;
  }

 private:
  /// The landmark at time t, made if there is none.
  Landmark& mark_at(double t) {
    const auto next =
        std::lower_bound(marks_.begin(), marks_.end(), t - together_,
                         [](const Landmark& mark, double time) { return mark.time < time; });
    if (next != marks_.end() && std::fabs(next->time - t) <= together_) return *next;
    const double step = next == marks_.begin() ? next->step : std::prev(next)->step;
    return *marks_.insert(next, {t, false, false, step});
  }
  void set_step(double from, double to, double step) {
    mark_at(from);
    for (auto& mark : marks_)
      if (mark.time > from - together_ && mark.time < to - together_) mark.step = step;
  }
  void subdivide_after_breaks(const Simulation& simulation, const std::vector<double>& breaks) {
    for (std::size_t i = 0; i < breaks.size(); ++i) {
      const double limit = i + 1 < breaks.size() ? breaks[i + 1] : simulation.duration;
      const double end = std::min(limit, breaks[i] + simulation.break_steps * *simulation.step);
      mark_at(end);
      set_step(breaks[i], end, *simulation.step / simulation.break_substeps);
    }
  }
  /// Zones count from their event, wherever it is in this realisation; events that the grid does
  /// not know are treated as the last one it knows.
  void lay_grid(const Simulation& simulation, const std::vector<double>& breaks) {
    const std::vector<GridZone>& grid = simulation.grid;
    for (std::size_t event = 0; event <= breaks.size(); ++event) {
      const double start = event == 0 ? 0.0 : breaks[event - 1];
      const double end = event < breaks.size() ? breaks[event] : simulation.duration;
      const int known = std::min(static_cast<int>(event), grid.back().event);
      for (const GridZone& zone : grid)
        if (zone.event == known && start + zone.after < end - together_)
          set_step(start + zone.after, end, zone.step);
    }
  }

  double together_;
  std::vector<Landmark> marks_;
};

}  // namespace

Schedule make_schedule(const System& system, const Model& model) {
  const Simulation& simulation = model.simulation;
  const double margin = LandmarkList::same_instant(simulation);
  Schedule schedule;
  if (!simulation.has_motion()) {
    schedule.outputs = {0.0};
    return schedule;
  }
  for (const double t : system.drives.break_points(model.drives))
    if (t > margin && t < simulation.duration - margin) schedule.breaks.push_back(t);
  const LandmarkList list(simulation, schedule.breaks);
  const auto& marks = list.marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].output) schedule.outputs.push_back(marks[i].time);
    if (i + 1 == marks.size()) break;
    const double length = marks[i + 1].time - marks[i].time;
    const double step = marks[i].step;
    Segment segment;
    segment.from = marks[i].time;
    segment.to = marks[i + 1].time;
    segment.steps = std::max(1L, static_cast<long>(std::ceil(length / step * (1 - 1e-9))));
    segment.step_size = length / static_cast<double>(segment.steps);
    // Rounding of landmark times must not look like a change of step size.
    if (std::fabs(segment.step_size - step) <= 1e-9 * step) segment.step_size = step;
    segment.output = marks[i + 1].output;
    segment.is_break = marks[i + 1].is_break;
    schedule.segments.push_back(segment);
  }
  return schedule;
}

Schedule refined(const Schedule& schedule, int parts) {
  Schedule result = schedule;
  for (Segment& segment : result.segments) {
    segment.steps *= parts;
    segment.step_size /= parts;
  }
  return result;
}

}  // namespace tumble
