// States of rest and of steady motion.
//
// A motion is steady if it does not change as seen from a frame that turns at a constant rate Ω
// about a fixed axis: all points stand still in the frame, and a body may spin in it about an axis
// of its own. Rest is the case without rates. Theory: docs/theory/statics-and-modes.md.
#pragma once
#include <vector>

#include "tumble/math/taylor2.hpp"
#include "tumble/math/vec3.hpp"
#include "tumble/model/system.hpp"

namespace tumble {

/// What stays constant in a steady motion.
struct SteadyMotion {
  /// Values at t = 0, and the constant rates of those that impose motions; second derivatives are
  /// zero.
  std::vector<Taylor2<double>> drives;
  Vec3d spin;    ///< Ω of the frame, ground axes [rad/s]
  Vec3d centre;  ///< a point of the frame's axis [m]
  /// By block: angular velocity of a rigid body in the frame, body axes [rad/s].
  std::vector<Vec3d> own_spin;
};

/// Everything at rest, drives held at their values at t = 0.
SteadyMotion state_of_rest(const System& system, const std::vector<double>& constants);
bool is_rest(const SteadyMotion& motion);

}  // namespace tumble
