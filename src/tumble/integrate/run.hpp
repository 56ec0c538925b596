// One run of one realisation: from the described start to the end of the simulation.
#pragma once
#include <functional>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

struct RunOptions {
  /// Called now and then with the fraction done, in [0, 1].
  std::function<void(double)> progress;
};

/// Integrates `model`, which differs from the plan's nominal model in its slots only.
/// @throws SimulationError naming the element and the time if the run cannot go on.
Trajectory run(const Plan& plan, const Model& model, const RunOptions& options = {});

/// The nominal run of a model: compile, plan, run.
Trajectory simulate(const Model& model, const RunOptions& options = {});

/// The times a run stops at, in order: outputs, break points, ends of the subdivided zones.
struct Landmark {
  double time = 0;
  bool output = false;
  bool is_break = false;
  int substeps = 1;  ///< into how many parts steps are divided from here to the next landmark
};
std::vector<Landmark> landmarks(const System& system, const Model& model);

}  // namespace tumble
