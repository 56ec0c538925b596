// One run of one realisation: from the described start to the end of the simulation.
#pragma once
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/model/user_element.hpp"

namespace tumble {

struct Schedule;

/// The machine after a step, valid while the callback that was given it runs.
struct StepView {
  double time = 0;                   ///< [s]
  std::span<const BodyView> bodies;  ///< in the order of Model::bodies
};

struct RunOptions {
  /// Called now and then with the fraction done, in [0, 1].
  std::function<void(double)> progress;
  /// Called at the start and after every step of the schedule. False ends the run there: its series
  /// then end at the last output before. What it throws, run() throws.
  std::function<bool(const StepView&)> after_step;
  /// Look for changes of the described start, and warn of them or refuse them with an InputError,
  /// as the model says.
  bool start_changes = true;
  /// Steps to take in place of the model's own, with its outputs and breaks; null: those.
  const Schedule* schedule = nullptr;
};

/// Why and when a run ended early.
struct RunFailure {
  double time = 0;  ///< [s]
  std::string reason;
  std::exception_ptr thrown;  ///< by a user element, if that is why
};

/// A run that may have failed: its series then end at the last output before the failure.
struct RunOutcome {
  Trajectory trajectory;
  std::optional<RunFailure> failure;
};

/// Integrates `model`, which differs from the plan's nominal model in its slots only.
RunOutcome run_recorded(const Plan& plan, const Model& model, const RunOptions& options = {});

/// The same for callers to whom a failure is an error.
/// @throws SimulationError naming the element and the time if the run cannot go on.
Trajectory run(const Plan& plan, const Model& model, const RunOptions& options = {});

/// The nominal run of a model: compile, plan, run.
Trajectory simulate(const Model& model, const RunOptions& options = {});

}  // namespace tumble
