// Whether a motion is steady: do the equations, seen from the frame that turns with it, stay as
// they are while the machine turns?
#pragma once
#include "tumble/integrate/statics/steady_equations.hpp"

namespace tumble {

/// How the equations change, as fractions of their size, while the machine turns on by about a
/// radian: forces that no reaction balances, and the tangents on the constraints.
struct MotionChange {
  double force = 0, tangent = 0;
  /// Beyond these the motion is not steady, or its linearised equations are not constant.
  static constexpr double force_tolerance = 1e-5, tangent_tolerance = 1e-6;
};
MotionChange change_while_turning(const System& system, const std::vector<double>& constants,
                                  const SteadyMotion& motion, const MotionState& at);

}  // namespace tumble
