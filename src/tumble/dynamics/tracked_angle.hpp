// The angle about the z axes of two frames, one on each of two bodies.
//
// It is θ = atan2(y_A·x_B, x_A·x_B), counted through full turns. On a hinge its gradient is
// the common z axis; the exact gradient is used so that torque and angle stay conjugate even when
// Newton's iterates leave the hinge a little.
#pragma once
#include "tumble/dynamics/pair_tangent.hpp"

namespace tumble {

template <class S>
struct AngleGeometry {
  Vec3<S> x_A, y_A, x_B;
  S sine, cosine;
  Vec3<S> gradient;  ///< with respect to δφ_B; with respect to δφ_A it is the opposite
};

template <class S>
AngleGeometry<S> angle_geometry(const Mat3<S>& R_WA, const Mat3<S>& R_WB) {
  AngleGeometry<S> g;
  g.x_A = R_WA.column(0);
  g.y_A = R_WA.column(1);
  g.x_B = R_WB.column(0);
  g.sine = dot(g.y_A, g.x_B);
  g.cosine = dot(g.x_A, g.x_B);
  const S size = g.sine * g.sine + g.cosine * g.cosine;
  g.gradient = (S(1.0) / size) * (g.cosine * cross(g.x_B, g.y_A) - g.sine * cross(g.x_B, g.x_A));
  return g;
}

/// The angle nearest to `reference` among those that differ from atan2 by full turns.
template <class S>
S unwrapped_angle(const AngleGeometry<S>& g, const S& reference) {
  const S raw = atan2(g.sine, g.cosine);
  const S turn(6.283185307179586476925286766559);
  return raw + turn * round((reference - raw) / turn);
}

template <class S>
AngleGeometry<S> angle_geometry(const std::array<int, 2>& body, const PairAxes<S>& axes,
                                const Workspace<S>& w) {
  return angle_geometry(w.body[static_cast<std::size_t>(body[0])].R_WB * axes.R_A,
                        w.body[static_cast<std::size_t>(body[1])].R_WB * axes.R_B);
}

/// Where an angle is expected that turns at `rate`: at what a drive imposes, or where the mean of
/// the rates now and at the last accepted instant has led since.
template <class S>
S expected_angle(const TrackedAngle& angle, const Followed<S>& last, const S& rate,
                 const Workspace<S>& w) {
  if (angle.drive >= 0) return w.drive[static_cast<std::size_t>(angle.drive)].value;
  return fma(S(0.5 * w.ahead), last.rate + rate, last.value);
}

/// An angle counted through full turns, and its rate.
template <class S>
struct AngleValue {
  S angle, rate, expected;
};
template <class S>
AngleValue<S> followed_angle(const System& system, int index, const AngleGeometry<S>& g,
                             const Workspace<S>& w) {
  const TrackedAngle& angle = system.tracked_angles[static_cast<std::size_t>(index)];
  const S rate = dot(g.gradient, w.body[static_cast<std::size_t>(angle.body[1])].w_W -
                                     w.body[static_cast<std::size_t>(angle.body[0])].w_W);
  const S expected = expected_angle(angle, w.angle[static_cast<std::size_t>(index)], rate, w);
  return {unwrapped_angle(g, expected), rate, expected};
}

template <class S>
AngleValue<S> followed_angle(const System& system, int index, const S* c, const Workspace<S>& w) {
  const TrackedAngle& angle = system.tracked_angles[static_cast<std::size_t>(index)];
  return followed_angle(system, index, angle_geometry(angle.body, constants_of(angle, c), w), w);
}

template <class S>
S tracked_angle(const System& system, int index, const S* c, const Workspace<S>& w) {
  return followed_angle(system, index, c, w).angle;
}

}  // namespace tumble
