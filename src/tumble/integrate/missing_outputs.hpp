// Outputs that a run did not come to because an event ended it.
#pragma once
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

/// Appends the output times and break points of the schedule that are not there, with NaN for their
/// values, to a run that an event ended; leaves others alone.
void add_missing_outputs(Trajectory& trajectory, const Schedule& schedule);

}  // namespace tumble
