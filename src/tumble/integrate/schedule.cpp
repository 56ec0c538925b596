#include "tumble/integrate/schedule.hpp"

#include <algorithm>
#include <cmath>

namespace tumble {

namespace {

struct Landmark {
  double time = 0;
  bool output = false;
  bool is_break = false;
  int substeps = 1;  ///< into how many parts steps are divided from here to the next landmark
};

class LandmarkList {
 public:
  LandmarkList(const Simulation& simulation, const std::vector<double>& breaks)
      : together_(1e-9 * simulation.step) {
    const double every = simulation.output_step.value_or(simulation.step);
    const auto outputs = static_cast<long>(std::llround(simulation.duration / every));
    for (long k = 0; k <= outputs; ++k)
      marks_.push_back({static_cast<double>(k) * every, true, false, 1});
    for (const double t : breaks) mark_at(t).is_break = true;
    if (simulation.break_substeps > 1 && simulation.break_steps > 0)
      subdivide_after_breaks(simulation, breaks);
  }
  const std::vector<Landmark>& marks() const { return marks_; }

 private:
  /// The landmark at time t, made if there is none.
  Landmark& mark_at(double t) {
    const auto next =
        std::lower_bound(marks_.begin(), marks_.end(), t - together_,
                         [](const Landmark& mark, double time) { return mark.time < time; });
    if (next != marks_.end() && std::fabs(next->time - t) <= together_) return *next;
    return *marks_.insert(next, {t, false, false, 1});
  }
  void subdivide_after_breaks(const Simulation& simulation, const std::vector<double>& breaks) {
    for (std::size_t i = 0; i < breaks.size(); ++i) {
      const double limit = i + 1 < breaks.size() ? breaks[i + 1] : simulation.duration;
      const double end = std::min(limit, breaks[i] + simulation.break_steps * simulation.step);
      mark_at(end);
      for (auto& mark : marks_)
        if (mark.time > breaks[i] - together_ && mark.time < end - together_)
          mark.substeps = simulation.break_substeps;
    }
  }

  double together_;  ///< closer than this is the same instant [s]
  std::vector<Landmark> marks_;
};

}  // namespace

Schedule make_schedule(const System& system, const Model& model) {
  const Simulation& simulation = model.simulation;
  const double margin = 1e-9 * simulation.step;
  Schedule schedule;
  for (const double t : system.drives.break_points(model.drives))
    if (t > margin && t < simulation.duration - margin) schedule.breaks.push_back(t);
  const LandmarkList list(simulation, schedule.breaks);
  const auto& marks = list.marks();
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (marks[i].output) schedule.outputs.push_back(marks[i].time);
    if (i + 1 == marks.size()) break;
    const double length = marks[i + 1].time - marks[i].time;
    const double step = simulation.step / marks[i].substeps;
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

}  // namespace tumble
