// The walk along a schedule, which every run takes: one realisation, one per lane, or a rehearsal.
#pragma once
#include "tumble/integrate/step/schedule.hpp"

namespace tumble {

/// Step sizes closer than this are the same: segments divide their lengths, which rounds.
TUMBLE_INLINE bool is_other_step(double step_size, double before) {
  const double change = step_size - before, rounding = 1e-9 * before;
  return change > rounding || change < -rounding;
}

/// Calls, for each segment of the schedule,
///     run.set_step(h)           if its steps are of another size than those before,
///     run.step(before, after)   for each step; false ends the walk,
///     run.reach(i, segment)     at its end; false ends the walk,
///     run.leave_break(time, h)  if a break point is there, with the size of the next steps.
/// The run has been started for steps of the first segment's size.
template <class Run>
void follow_schedule(const Schedule& schedule, Run& run) {
  if (schedule.segments.empty()) return;
  double h = schedule.segments[0].step_size;
  for (std::size_t i = 0; i < schedule.segments.size(); ++i) {
    const Segment& segment = schedule.segments[i];
    if (is_other_step(segment.step_size, h)) run.set_step(h = segment.step_size);
    double before = segment.from;
    for (long k = 1; k <= segment.steps; ++k) {
      const double after = segment.time_after(k);
      if (!run.step(before, after)) return;
      before = after;
    }
    if (!run.reach(i, segment)) return;
    if (segment.is_break) run.leave_break(segment.to, h = schedule.segments[i + 1].step_size);
  }
}

}  // namespace tumble
