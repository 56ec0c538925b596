// What is found once per model and shared by all its runs: the elimination order, and which
// conditions are redundant.
#pragma once
#include <memory>

#include "tumble/model/parameters.hpp"

namespace tumble {

struct Elimination;
struct Redundancy;
struct System;

/// A model that is ready to run, with its own numbers or others. Constant: threads may share it.
struct Plan {
  std::shared_ptr<const System> system;
  std::shared_ptr<const Elimination> elimination;
  std::shared_ptr<const Redundancy> redundancy = nullptr;  ///< null: every condition counts

  /// As it was described.
  const Model& model() const;
  /// Its slots, by their paths.
  const ParameterTable& parameters() const;
  int degrees_of_freedom() const;
  /// What makes the conditions soft; null if they are hard.
  const std::vector<double>* compliance() const;
};

/// Checks and compiles a model, then plans its runs. @throws InputError with every mistake, and as
/// below.
Plan make_plan(const Model& model);

/// Assembles the nominal system and finds pivots that are good for its accelerations and for its
/// steps. @throws InputError if the constraints are singular at t = 0, or redundant and
/// `simulation.redundancy` says `refuse`, naming the joints.
Plan make_plan(std::shared_ptr<const System> system);

/// A better order for many runs: one that also suits the matrices met during the nominal run. Lanes
/// cannot change their pivots on the way, and a mechanism that turns far makes those of its start
/// fade. Depends on the nominal model alone.
Plan rehearse(const Plan& plan);

}  // namespace tumble
