// When a run steps, records and restarts: fixed before it begins, the same for every lane.
#pragma once
#include <vector>

#include "tumble/model/system.hpp"

namespace tumble {

/// Equal steps from one landmark to the next. Landmarks are the output times, the break points of
/// the drives and the ends of the zones after them in which steps are subdivided.
struct Segment {
  double from = 0, to = 0;
  long steps = 0;
  double step_size = 0;
  bool output = false;    ///< `to` is an output time
  bool is_break = false;  ///< `to` is a break point: restart there

  /// End of the k-th step, k = 1 ... steps.
  double time_after(long k) const {
    return k == steps ? to : from + static_cast<double>(k) * step_size;
  }
};

struct Schedule {
  std::vector<Segment> segments;  ///< none in a run without motion
  std::vector<double> outputs;    ///< output times, t = 0 included
  std::vector<double> breaks;     ///< break points strictly inside the run
};

/// The step that a run starts for.
inline double start_step(const Schedule& schedule, const Model& model) {
  return schedule.segments.empty() ? model.simulation.first_step()
                                   : schedule.segments.front().step_size;
}

/// The schedule of a model, which differs from the system's nominal one in its slots only.
Schedule make_schedule(const System& system, const Model& model);

/// The same with every step divided into `parts`.
Schedule refined(const Schedule& schedule, int parts);

}  // namespace tumble
