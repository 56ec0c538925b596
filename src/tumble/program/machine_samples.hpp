// States of a machine on its way through its nominal run: where recordings are made.
#pragma once
#include <vector>

#include "tumble/integrate/step/schedule.hpp"
#include "tumble/program/machine_programs.hpp"

namespace tumble {

/// Of the nominal run, as far as it gets without help in a limited number of steps: the start and
/// some states evenly spread over it. Depends on the plan and the schedule alone.
std::vector<MachineSample> sample_nominal_run(const Plan& plan, const Schedule& schedule);

/// The size of most steps of a schedule, and what the method makes of it.
StepNumbers most_frequent_step(const System& system, const Schedule& schedule);
StepNumbers step_numbers(const System& system, double h);

}  // namespace tumble
