// Descent to a stable equilibrium on the constraints, from anywhere: a pendulum that starts level
// or upright finds the bottom. Theory: docs/theory/statics-and-modes.md#from-anywhere.
#pragma once
#include "tumble/integrate/statics/steady_equations.hpp"

namespace tumble {

/// The tangent on the constraints at an equilibrium, or near one: ways to move by increasing
/// stiffness over mass.
struct Stability {
  std::vector<Eigen::VectorXd> unstable;  ///< displacements in the frame's axes
  std::vector<Eigen::VectorXd> neutral;   ///< neither pushed back nor away
};
Stability examine(SteadyEquations& equations, const MotionState& state);

struct Relaxation {
  bool converged = false;
  int iterations = 0;
  std::string moving;  ///< if not: what still moves most
};

/// Moves the state to a nearby equilibrium whose tangent is not negative on the constraints, with
/// its reactions. The state must satisfy the constraints.
Relaxation relax(SteadyEquations& equations, MotionState& state);

}  // namespace tumble
