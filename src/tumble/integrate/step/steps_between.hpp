// Steps from one instant to another that only became known on the way, by the rules of a schedule:
// where those instants are output times, the steps are those of make_schedule().
#pragma once
#include "tumble/integrate/step/schedule.hpp"

namespace tumble {

/// Closer than this is the same instant [s].
double same_instant(const Simulation& simulation);

/// Covers [from, to], which lies after all that was covered before. `breaks`: break points of the
/// drives, increasing. A break at `to` is told, and left to what comes next; one at `from` has been
/// told. @throws std::logic_error for a simulation without a step.
std::vector<Segment> steps_between(const Simulation& simulation, const std::vector<double>& breaks,
                                   double from, double to);

}  // namespace tumble
