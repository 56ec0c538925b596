// Torsional spring-damper-actuator about the z axes of two frames
// (docs/theory/forces.md#torsion-spring).
#pragma once
#include "tumble/dynamics/tracked_angle.hpp"

namespace tumble {

/// Torque on the first body about +z (so minus that on the second), with its slopes.
template <class S>
struct Moment {
  S value, stiffness, damping;
  S viscous, driven;  ///< the parts of the torque that the damper and the drive make
};

template <class S>
Moment<S> moment(const System& system, const TorsionSpringIndex& spring, const S* c, const S& angle,
                 const S& rate, const Workspace<S>& w) {
  const auto& k = constants_of(spring, c);
  const auto f = system.characteristics[static_cast<std::size_t>(spring.stiffness)].evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.stiffness)],
      angle - k.angle);
  const auto d = system.characteristics[static_cast<std::size_t>(spring.damping)].evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.damping)], rate);
  S total = f.value + d.value + k.preload;
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
  const auto g = angle_geometry(spring.pair.body, constants_of(spring, c).axes, w);
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
  const auto g = angle_geometry(spring.pair.body, constants_of(spring, c).axes, w);
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

/// Of the characteristic and the preload; the actuator's is work.
template <class S>
S potential_energy(const System& system, const TorsionSpringIndex& spring, const S* c,
                   const Workspace<S>& w) {
  const auto& k = constants_of(spring, c);
  const auto i = static_cast<std::size_t>(spring.stiffness);
  const S twist = tracked_angle(system, spring.tracked, c, w) - k.angle;
  return system.characteristics[i].energy(c + system.characteristic_constants[i], twist) +
         k.preload * twist;
}

/// A torque has no point.
template <class S>
const Vec3<S>* acts_at(const TorsionSpringIndex&, const S*) {
  return nullptr;
}

template <class S>
bool measure(const System& system, const TorsionSpringIndex& spring, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const auto twist = followed_angle(system, spring.tracked, c, w);
  switch (quantity) {
    case Quantity::angle:
      out[0] = twist.angle;
      return true;
    case Quantity::angle_rate:
      out[0] = twist.rate;
      return true;
    case Quantity::moment:
      out[0] = -moment(system, spring, c, twist.angle, twist.rate, w).value;
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
