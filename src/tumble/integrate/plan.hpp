// What is found once per model and shared by all its runs: the elimination order, and which
// conditions are redundant.
#pragma once
#include <memory>

#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/math/elimination.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

struct Plan {
  std::shared_ptr<const System> system;
  std::shared_ptr<const Elimination> elimination;
  std::shared_ptr<const Redundancy> redundancy = nullptr;  ///< null: every condition counts

  int degrees_of_freedom() const {
    return system->nv - system->nc + (redundancy ? redundancy->count : 0);
  }
  /// What makes the conditions soft; null if they are hard.
  const std::vector<double>* compliance() const {
    return redundancy ? &redundancy->compliance : nullptr;
  }
};

/// Assembles the nominal system and finds pivots that are good for its accelerations and for its
/// steps. @throws InputError if the constraints are singular at t = 0, or redundant and
/// `simulation.redundancy` says `refuse`, naming the joints.
Plan make_plan(std::shared_ptr<const System> system);

/// A better order for many runs: one that also suits the matrices met during the nominal run. Lanes
/// cannot change their pivots on the way, and a mechanism that turns far makes those of its start
/// fade. Depends on the nominal model alone.
Plan rehearse(const Plan& plan);

}  // namespace tumble
