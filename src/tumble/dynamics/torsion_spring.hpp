// Torsional spring-damper-actuator about the z axes of two frames.
//
// The angle is θ = atan2(y_A·x_B, x_A·x_B), counted through full turns. On a hinge its gradient is
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
AngleGeometry<S> angle_geometry(const std::array<int, 2>& body, const S* frames,
                                const Workspace<S>& w) {
  return angle_geometry(w.body[static_cast<std::size_t>(body[0])].R_WB * load9(frames),
                        w.body[static_cast<std::size_t>(body[1])].R_WB * load9(frames + 9));
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
  return followed_angle(system, index, angle_geometry(angle.body, c + angle.constants, w), w);
}

template <class S>
S tracked_angle(const System& system, int index, const S* c, const Workspace<S>& w) {
  return followed_angle(system, index, c, w).angle;
}

/// Torque on the first body about +z (so minus that on the second), with its slopes.
template <class S>
struct Moment {
  S value, stiffness, damping;
  S viscous, driven;  ///< the parts of the torque that the damper and the drive make
};

template <class S>
Moment<S> moment(const System& system, const TorsionSpringIndex& spring, const S* c, const S& angle,
                 const S& rate, const Workspace<S>& w) {
  const auto f = system.characteristics[static_cast<std::size_t>(spring.stiffness)].evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.stiffness)],
      angle - c[spring.constants + 18]);
  const auto d = system.characteristics[static_cast<std::size_t>(spring.damping)].evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.damping)], rate);
  S total = f.value + d.value + c[spring.constants + 19];
  // A motor's torque on the second body: a positive one increases the angle.
  S driven(0.0);
  if (spring.drive >= 0) {
    driven = -w.drive[static_cast<std::size_t>(spring.drive)].value;
    total = total + driven;
  }
  return {total, f.slope, d.slope, d.value, driven};
}

template <class S>
void residual(const System& system, const TorsionSpringIndex& spring, const S* c, Workspace<S>& w) {
  auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto g = angle_geometry(spring.pair.body, c + spring.constants, w);
  const auto twist = followed_angle(system, spring.tracked, g, w);
  const auto m = moment(system, spring, c, twist.angle, twist.rate, w);
  a.torque_W -= m.value * g.gradient;
  b.torque_W += m.value * g.gradient;
  if (spring.drive >= 0) w.power.work = fnma(m.driven, twist.rate, w.power.work);
  if (w.power.with_dissipation)
    w.power.dissipation = fma(m.viscous, twist.rate, w.power.dissipation);
}

template <class S>
void tangent(const System& system, const TorsionSpringIndex& spring, const S* c, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto g = angle_geometry(spring.pair.body, c + spring.constants, w);
  const auto twist = followed_angle(system, spring.tracked, g, w);
  const Vec3<S> slip = b.w_W - a.w_W;
  const auto m = moment(system, spring, c, twist.angle, twist.rate, w);

  // gradient = (cosine A - sine B)/size, A = x_B × y_A, B = x_B × x_A; sine and cosine have the
  // gradients A and B with respect to δφ_B - δφ_A.
  const S size = g.sine * g.sine + g.cosine * g.cosine;
  const Vec3<S> A = cross(g.x_B, g.y_A), B = cross(g.x_B, g.x_A);
  const Mat3<S> relative =
      outer(A, B) - outer(B, A) -
      S(2.0) * outer(g.gradient, g.sine * A + g.cosine * B);  // with respect to δφ_B - δφ_A
  const Mat3<S> x_B = skew(g.x_B);
  const Mat3<S> by_B = g.cosine * (skew(g.y_A) * x_B) - g.sine * (skew(g.x_A) * x_B);
  const Mat3<S> by_A = g.sine * (x_B * skew(g.x_A)) - g.cosine * (x_B * skew(g.y_A));
  const S scale = S(1.0) / size;
  const Mat3<S> h_A = scale * (by_A - relative), h_B = scale * (by_B + relative);

  const Vec3<S> slope_A = m.damping * transpose_times(h_A, slip) - m.stiffness * g.gradient;
  const Vec3<S> slope_B = m.damping * transpose_times(h_B, slip) + m.stiffness * g.gradient;
  const Mat3<S> on_B_by_A = m.value * h_A + outer(g.gradient, slope_A);
  const Mat3<S> on_B_by_B = m.value * h_B + outer(g.gradient, slope_B);
  const Mat3<S> damping = m.damping * outer(g.gradient, g.gradient);
  PairTangent<S> t;
  t.damped = true;
  t.k[3][1] = on_B_by_A;
  t.k[3][3] = on_B_by_B;
  t.k[1][1] = -on_B_by_A;
  t.k[1][3] = -on_B_by_B;
  t.c[3][1] = -damping;
  t.c[3][3] = damping;
  t.c[1][1] = damping;
  t.c[1][3] = -damping;
  t.torque[0] = -(m.value * g.gradient);
  t.torque[1] = m.value * g.gradient;
  scatter(spring.pair, t, w);
}

}  // namespace tumble
