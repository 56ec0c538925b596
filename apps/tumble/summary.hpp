// What `run` and `check` tell about a model and a run on one screen.
#pragma once
#include <string>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/model/system.hpp"

namespace tumble::app {

/// Counts of what the model is made of, one a line.
std::string describe(const Plan& plan);

/// Where the energy of a run went, in one line.
std::string energy_line(const EnergySummary& energy);

/// The value of largest magnitude of a component, with its sign; right limits at break points
/// included.
double peak(const ProbeSeries& series, std::size_t component);

/// The value of largest magnitude of every component of every probed quantity, with its sign.
/// Quaternions and tensors are left out: their components peak without telling anything.
std::string peaks(const Trajectory& trajectory);

}  // namespace tumble::app
