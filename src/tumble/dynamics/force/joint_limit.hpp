// Stops at the ends of a joint's coordinate (docs/theory/forces.md#joint-limits).
//
// With the depth δ beyond a stop and its rate, width w,
//   s(δ) = 0 for δ <= 0,  δ²/(2w) up to w,  δ - w/2 beyond,   s' from 0 to 1,
//   F = max(0, k s(δ) + c s'(δ) δ̇):
// nothing pulls, stiffness and damping set in without a jump, and the energy is k ∫ s.
#pragma once
#include "tumble/dynamics/joint_coordinate.hpp"

namespace tumble {

/// Of one stop, against going deeper.
template <class S>
struct StopForce {
  S value, elastic;              ///< F, and k s(δ)
  S stiffness, damping, energy;  ///< ∂F/∂δ, ∂F/∂δ̇, k ∫ s
};
template <class S>
StopForce<S> stop_force(const S& depth, const S& rate, const S& k, const S& c, const S& width) {
  const S zero(0.0), half(0.5), one(1.0);
  const Mask<S> pressed = depth > zero, full = depth > width;
  const S inverse = one / select(width > zero, width, one);
  const S d = select(pressed, depth, zero);
  const S ramp = select(full, one, d * inverse);
  const S slope_of_ramp = select(pressed & !full, inverse, zero);
  const S s = select(full, d - half * width, half * d * ramp);
  const S integral =
      select(full, fma(half * (d - half * width), d - half * width, width * width * S(1.0 / 24)),
             d * d * ramp * S(1.0 / 6));
  const S elastic = k * s;
  const S force = fma(c * ramp, rate, elastic);
  const Mask<S> pushes = force > zero;
  const S stiffness = fma(c * slope_of_ramp, rate, k * ramp);
  return {select(pushes, force, zero), elastic, select(pushes, stiffness, zero),
          select(pushes, c * ramp, zero), k * integral};
}

/// Against the coordinate, both stops together.
template <class S>
struct LimitForce {
  CoordinateForce<S> force;
  S elastic, energy;
};
template <class S>
LimitForce<S> limit_force(const JointLimitIndex& limit, const S* c, const CoordinateValue<S>& q) {
  const auto& k = constants_of(limit, c);
  const auto up = stop_force(q.value - k.upper, q.rate, k.stiffness, k.damping, k.width);
  const auto down = stop_force(k.lower - q.value, -q.rate, k.stiffness, k.damping, k.width);
  return {{up.value - down.value, up.stiffness + down.stiffness, up.damping + down.damping},
          up.elastic - down.elastic,
          up.energy + down.energy};
}

template <class S>
void residual(const System& system, const JointLimitIndex& limit, const S* c, Workspace<S>& w) {
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(limit.coordinate)];
  const auto q = coordinate_value(system, coordinate, c, w);
  const auto f = limit_force(limit, c, q);
  add_coordinate_force(coordinate, q, f.force.value, w);
  if (w.power.with_dissipation)
    w.power.dissipation = fma(f.force.value - f.elastic, q.rate, w.power.dissipation);
}

template <class S>
void tangent(const System& system, const JointLimitIndex& limit, const S* c, Workspace<S>& w) {
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(limit.coordinate)];
  const auto q = coordinate_value(system, coordinate, c, w);
  add_coordinate_tangent(coordinate, q, coordinate_hessian(system, coordinate, c, w),
                         limit_force(limit, c, q).force, true, w);
}

template <class S>
S potential_energy(const System& system, const JointLimitIndex& limit, const S* c,
                   const Workspace<S>& w) {
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(limit.coordinate)];
  return limit_force(limit, c, coordinate_value(system, coordinate, c, w)).energy;
}

/// `moment` or `axial_force`, by what the coordinate is: positive increases it.
template <class S>
bool measure(const System& system, const JointLimitIndex& limit, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  if (quantity != Quantity::moment && quantity != Quantity::axial_force) return false;
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(limit.coordinate)];
  out[0] = -limit_force(limit, c, coordinate_value(system, coordinate, c, w)).force.value;
  return true;
}

}  // namespace tumble
