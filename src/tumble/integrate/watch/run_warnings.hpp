// What makes the numbers of a run that came to its end doubtful.
#pragma once
#include <string>
#include <vector>

#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/watch/contact_watch.hpp"
#include "tumble/integrate/watch/rotation_watch.hpp"

namespace tumble {

/// A sentence each. `statistics`: with the halvings of steps; `violation`: the largest of joints,
/// relative to the machine's size.
std::vector<std::string> run_warnings(const System& system, const Integrator& integrator,
                                      const RunStatistics& statistics, double violation,
                                      const RotationWatch& rotation, const ContactWatch& contacts);

}  // namespace tumble
