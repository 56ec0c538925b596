// Dry friction on a joint's coordinate, by the force that the joint itself transmits
// (docs/theory/forces.md#joint-friction).
//
//   F = (r (μ + (μ_s - μ) exp(-(q̇/v_S)²)) (N + N₀) + F₀) tanh(q̇/v_t)
// against the coordinate, with the lever r of an angle (1 of a displacement), N the length of the
// joint's force from its multipliers at the same instant, a preload N₀ and a constant part F₀. N is
// a function of the unknown multipliers, so the tangent has entries in their columns, where only
// transposed gradients are otherwise: they are kept in C, which has nothing there (assemble_kkt).
#pragma once
#include "tumble/dynamics/joint_coordinate.hpp"

namespace tumble {

/// tanh and its derivative; with e = exp(-2|x|) it is (1 - e)/(1 + e) with the sign of x. Where e
/// is nearly 1, the difference loses nothing that counts beside the force.
template <class S>
struct SmoothSign {
  S value, slope;
};
template <class S>
SmoothSign<S> smooth_sign(const S& x) {
  const S one(1.0), size = abs(x);
  const S e = exp(S(-2.0) * size);
  const S t = (one - e) / (one + e);
  return {select(x < S(0.0), -t, t), one - t * t};
}

/// A multiplier of the joint's force; none are known where forces are looked at by themselves.
template <class S>
S transmitted(const JointFrictionIndex& friction, int i, const Workspace<S>& w) {
  return w.lambda == nullptr ? S(0.0) : w.lambda[friction.row[static_cast<std::size_t>(i)]];
}

template <class S>
struct FrictionForce {
  CoordinateForce<S> force;
  S by_multiplier[3];  ///< ∂F/∂λ of the joint's rows
};
template <class S>
FrictionForce<S> friction_force(const JointFrictionIndex& friction, const S* c, const S& rate,
                                const Workspace<S>& w) {
  const auto& k = constants_of(friction, c);
  const S zero(0.0), two(2.0);
  S square(0.0);
  for (int i = 0; i < friction.rows; ++i) {
    const S l = transmitted(friction, i, w);
    square = fma(l, l, square);
  }
  const S normal = sqrt(square);
  const S x = k.stribeck * rate, fall = exp(-(x * x));
  const S mu = fma(k.excess, fall, k.sliding);
  const S mu_slope = k.excess * fall * (-two * x) * k.stribeck;
  const auto sign = smooth_sign(k.transition * rate);
  const S pressed = normal + k.preload;
  FrictionForce<S> f;
  const S size = fma(mu, pressed, k.constant);
  f.force.value = size * sign.value;
  f.force.stiffness = zero;
  f.force.damping = fma(size * sign.slope, k.transition, pressed * mu_slope * sign.value);
  const S safe = select(normal > zero, normal, S(1.0));
  const S per_normal = mu * sign.value / safe;
  for (int i = 0; i < 3; ++i)
    f.by_multiplier[i] = i < friction.rows ? per_normal * transmitted(friction, i, w) : zero;
  return f;
}

template <class S>
void residual(const System& system, const JointFrictionIndex& friction, const S* c,
              Workspace<S>& w) {
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(friction.coordinate)];
  const auto q = coordinate_value(system, coordinate, c, w);
  const S force = friction_force(friction, c, q.rate, w).force.value;
  add_coordinate_force(coordinate, q, force, w);
  if (w.power.with_dissipation) w.power.dissipation = fma(force, q.rate, w.power.dissipation);
}

template <class S>
void tangent(const System& system, const JointFrictionIndex& friction, const S* c,
             Workspace<S>& w) {
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(friction.coordinate)];
  const auto q = coordinate_value(system, coordinate, c, w);
  const auto f = friction_force(friction, c, q.rate, w);
  add_coordinate_tangent(coordinate, q, coordinate_hessian(system, coordinate, c, w), f.force, true,
                         w);
  for (std::size_t t = 0; t < 4; ++t) {
    Vec3<S> g = q.gradient.g[t];
    if (t % 2 == 1) {
      const auto body = static_cast<std::size_t>(coordinate.pair.body[t / 2]);
      g = transpose_times(w.body[body].R_WB, g);
    }
    for (std::size_t r = 0; r < 3; ++r)
      for (int n = 0; n < 3; ++n) {
        const int slot = friction.slots[r][t][static_cast<std::size_t>(n)];
        if (slot < 0) continue;
        S& entry = w.C[static_cast<std::size_t>(slot)];
        entry = fma(f.by_multiplier[r], g[n], entry);
      }
  }
}

/// `moment` or `axial_force`, by what the coordinate is: positive increases it.
template <class S>
bool measure(const System& system, const JointFrictionIndex& friction, Quantity quantity,
             const S* c, const Workspace<S>& w, S* out) {
  if (quantity != Quantity::moment && quantity != Quantity::axial_force) return false;
  const auto& coordinate = system.coordinates[static_cast<std::size_t>(friction.coordinate)];
  const auto q = coordinate_value(system, coordinate, c, w);
  out[0] = -friction_force(friction, c, q.rate, w).force.value;
  return true;
}

}  // namespace tumble
