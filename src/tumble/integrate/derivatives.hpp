// How a run's probed quantities change with a number of its model: derivatives by any slot, found
// by direct differentiation (docs/theory/derivatives.md).
#pragma once
#include <string>
#include <vector>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

/// By one slot. Each series has in its values, and at break points in its right_values, what the
/// probed quantity gains for each unit that the slot gains.
struct Derivatives {
  std::string path, unit;     ///< of the slot
  std::vector<double> times;  ///< as the run's [s]
  std::vector<double> breaks;
  std::vector<ProbeSeries> series;
};

/// Differentiates the run of `model`, which differs from the plan's nominal model in its slots
/// only, by the slot with this path: one run that carries derivatives through the same kernels.
/// @throws InputError if there is no such slot, or no derivative: a number that moves a break
/// point, or a model with elements supplied as C++ code; SimulationError as run() does.
Derivatives differentiate(const Plan& plan, const Model& model, const std::string& path);

/// What differentiate() looks at before it runs. @throws as it would
void require_derivative(const Plan& plan, const Model& model, const std::string& path);

}  // namespace tumble
