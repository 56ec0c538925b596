// A wheel on a plane: the brush model with a parabolic pressure (Fiala 1954; Pacejka, Tyre and
// Vehicle Dynamics, 2012, section 3.2), its combined form with two stiffnesses after Hindiyeh and
// Gerdes (2014). With the sliding velocity v at the contact, the rolling speed V and the vertical
// force N
//   σ = -v/√(V² + v₀²),  g = (C_x σ_x, C_y σ_y),  y = |g|/(3 μ N),
//   T = g (1 - y + y²/3) for y < 1,  μ N g/|g| beyond,
//   M = -a/3 (1 - y)³ g_y V/√(V² + v₀²), 0 beyond, about the road's normal.
#pragma once
#include "tumble/dynamics/force/contact.hpp"

namespace tumble {

template <class T>
struct TyreForce {
  PairWrench<T> wrench;
  T gap, normal, aligning, dissipation;
  T slip_along, slip_across;  ///< σ
  Vec3<T> friction, sliding;
};

template <class S, int n>
auto tyre_force(const TyreIndex& tyre, const S* c, const PairMotion<S, n>& m) {
  using T = typename PairMotion<S, n>::T;
  const auto& k = constants_of(tyre, c);
  const Vec3<T> centre = m.turn_B(k.r_B), axis = m.turn_B(k.axis_B);
  const auto road = nearest(PlaneSurface{}, k.road, c, m, m.d + centre);
  const Vec3<T>& normal = road.normal;
  const Vec3<T> across = normal - dot(normal, axis) * axis;
  const T h = sqrt(dot(across, across) + T(flat_rim * flat_rim)), inverse = T(1.0) / h;

  TyreForce<T> f;
  f.gap = road.distance - T(k.radius) * h;
  // The contact is where the tyre meets the road: forces have the loaded radius as their lever.
  const T depth = select(f.gap < T(0.0), -f.gap, T(0.0));
  const Vec3<T> arm = depth * normal - (T(k.radius) * inverse) * across, lever = centre + arm;
  const Vec3<T> velocity = m.v + cross(m.w_B, lever) - cross(m.w_A, m.d + lever);
  const T rate = dot(normal, velocity);
  const auto load = normal_force(k.stiffness, k.exponent, k.damping, f.gap, rate);
  f.normal = load.value;
  f.sliding = velocity - rate * normal;

  const Vec3<T> forward = inverse * cross(axis, normal), left = cross(normal, forward);
  const Vec3<T> turning = m.w_B - m.w_A;
  const T rolling = -(dot(axis, turning) * dot(cross(axis, arm), forward));
  const T speed = sqrt(rolling * rolling + T(k.low_speed * k.low_speed));
  const T per_speed = T(1.0) / speed;
  f.slip_along = -(dot(f.sliding, forward) * per_speed);
  f.slip_across = -(dot(f.sliding, left) * per_speed);

  const T g_x = T(k.along) * f.slip_along, g_y = T(k.across) * f.slip_across;
  const auto loaded = f.normal > T(0.0);
  const T limit = T(S(3.0) * k.friction) * f.normal;
  const T y = sqrt(g_x * g_x + g_y * g_y) / select(loaded, limit, T(1.0));
  const auto grips = y < T(1.0);
  const T part =
      select(grips, T(1.0) - y + y * y * T(1.0 / 3), T(1.0) / (T(3.0) * select(grips, T(1.0), y)));
  const T held = select(loaded, part, T(0.0));
  f.friction = (held * g_x) * forward + (held * g_y) * left;
  f.wrench.force = f.normal * normal + f.friction;
  const T rest = select(grips, T(1.0) - y, T(0.0));
  f.aligning = -(select(loaded, rest * rest * rest, T(0.0)) * T(k.half_length * S(1.0 / 3)) * g_y *
                 rolling * per_speed);
  f.wrench.moment = cross(lever, f.wrench.force) + f.aligning * normal;
  f.dissipation = (load.elastic - load.value) * rate - dot(f.friction, f.sliding) -
                  f.aligning * dot(normal, turning);
  return f;
}

template <class S>
TUMBLE_OUT_OF_LINE void residual(const System&, const TyreIndex& tyre, const S* c,
                                 Workspace<S>& w) {
  const auto f = tyre_force(tyre, c, PairMotion<S, 0>(tyre.pair, w));
  add_wrench(tyre.pair, f.wrench, w);
  w.power.dissipation = w.power.dissipation + f.dissipation;
}

template <class S>
__attribute__((noinline)) void tangent(const System&, const TyreIndex& tyre, const S* c,
                                       Workspace<S>& w) {
  const auto add = [&](const auto& motion) {
    add_tangent(tyre.pair, motion, tyre_force(tyre, c, motion).wrench, w);
  };
  if (tyre.pair.body[0] == 0)
    add(PairMotion<S, directions_on_ground>(tyre.pair, w));
  else
    add(PairMotion<S, directions_between_bodies>(tyre.pair, w));
}

template <class S>
S potential_energy(const System&, const TyreIndex& tyre, const S* c, const Workspace<S>& w) {
  const auto& k = constants_of(tyre, c);
  return normal_energy(k.stiffness, k.exponent,
                       tyre_force(tyre, c, PairMotion<S, 0>(tyre.pair, w)).gap);
}

template <class S>
const Vec3<S>* acts_at(const TyreIndex& tyre, const S* c) {
  return &constants_of(tyre, c).r_B;
}

template <class S>
bool measure(const System&, const TyreIndex& tyre, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const auto f = tyre_force(tyre, c, PairMotion<S, 0>(tyre.pair, w));
  switch (quantity) {
    case Quantity::gap:
      out[0] = f.gap;
      return true;
    case Quantity::normal_force:
      out[0] = f.normal;
      return true;
    case Quantity::friction_force:
      store3(out, f.friction);
      return true;
    case Quantity::sliding_velocity:
      store3(out, f.sliding);
      return true;
    case Quantity::dissipated_power:
      out[0] = f.dissipation;
      return true;
    case Quantity::slip_ratio:
      out[0] = f.slip_along;
      return true;
    case Quantity::slip_angle:
      out[0] = atan2(-f.slip_across, S(1.0));
      return true;
    case Quantity::aligning_moment:
      out[0] = f.aligning;
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
