// How large the steps of a realisation may be, as a function of time.
#pragma once
#include <functional>

#include "tumble/integrate/plan.hpp"

namespace tumble {

/// Which steps are allowed over a span of time after an event.
struct AllowedStep {
  double from = 0, to = 0;  ///< after the event [s]
  double step = 0;          ///< by the error that they make [s]
  double limit = 0;         ///< by what turns, what drives ask for and the time between outputs [s]
};

struct StepDemand {
  std::vector<std::vector<AllowedStep>> events;  ///< the start, then every break point
  std::vector<double> peaks;                     ///< of each quantity, any component
};

/// Integrates `model` with steps that fit. `allowed`: the error of each quantity that is accepted
/// within a block of steps.
/// @throws SimulationError if no step is small enough.
StepDemand find_step_demand(const Plan& plan, const Model& model,
                            const std::vector<double>& allowed,
                            const std::function<void()>& check_interrupt);

/// The largest step that resolves what the model turns at the start and what its drives ask for,
/// at most the time between outputs.
double largest_step(const Plan& plan, const Model& model);

}  // namespace tumble
