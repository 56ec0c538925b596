// Which of its roots a joint is in (docs/theory/constraints.md#half-turns).
//
// Dot locks make axes perpendicular, and a frame that is turned by half a turn about one of its own
// axes has the same perpendicular axes: with two rotations locked the free axis may point either
// way, with three there are four frames. Rows are zero in all of them, so it is looked at apart:
// the cosine of the angle between axes that must be parallel is 1 in the root that is meant and -1
// for at least one axis in the others.
#pragma once
#include "tumble/dynamics/node_joint.hpp"

namespace tumble {

/// The least of these cosines; 1 for joints that lock fewer than two rotations, which have one
/// root.
template <class S>
S joint_alignment(const JointLocks& locks, const S* c, const Workspace<S>& w) {
  if (locks.dot_count < 2) return S(1.0);
  const auto& a = w.body[static_cast<std::size_t>(locks.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(locks.body[1])];
  const auto first = [&](int k) {
    const auto& row = locks.dots[static_cast<std::size_t>(k)];
    return a.R_WB * (row.turned < 0
                         ? load3(c + row.a)
                         : w.turned[static_cast<std::size_t>(row.turned)].axis[row.axis]);
  };
  const auto second = [&](int k) {
    return b.R_WB * load3(c + locks.dots[static_cast<std::size_t>(k)].b);
  };
  if (locks.dot_count == 2) {
    // The free axis of the first frame, and the two others of the second in the order of the
    // rotations they lock: z × x = y, but y × x = -z and z × y = -x.
    const S sign(locks.dots[0].axis == 1 ? 1.0 : -1.0);
    return sign * dot(first(0), cross(second(0), second(1)));
  }
  // The rows pair the axes (y, z), (z, x) and (x, y).
  return min(dot(first(0), second(2)), min(dot(first(1), second(0)), dot(first(2), second(1))));
}

template <class S>
S joint_alignment(const NodeJoint& joint, const S* c, const Workspace<S>& w) {
  S least(1.0);
  for (int k = 0; k < joint.parallels; ++k) {
    const S* coefficients = c + joint.parallel[static_cast<std::size_t>(k)];
    const Vec3<S> a = attached_vector(joint.side[0], coefficients, w);
    const Vec3<S> b = attached_vector(joint.side[1], coefficients + 3, w);
    least = min(least, dot(a, b));
  }
  return least;
}

/// The least over all joints: not above zero if one of them has turned over.
template <class S>
S least_alignment(const System& system, const S* c, const Workspace<S>& w) {
  S least(1.0);
  for (const auto& locks : system.joint_locks) least = min(least, joint_alignment(locks, c, w));
  for (const auto& joint : system.node_joints) least = min(least, joint_alignment(joint, c, w));
  return least;
}

}  // namespace tumble
