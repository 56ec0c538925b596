// Spring-damper-actuator along the line between two points: a tension F(L - L0, L̇)
// (docs/theory/forces.md#spring).
#pragma once
#include "tumble/dynamics/line.hpp"

namespace tumble {

template <class S>
struct Tension {
  S value, stiffness, damping;  ///< F, ∂F/∂L, ∂F/∂L̇
  S viscous, driven;            ///< the parts of F that the damper and the drive make
};

template <class S>
Tension<S> tension(const System& system, const SpringIndex& spring, const S* c, const S& length,
                   const S& length_rate, const Workspace<S>& w) {
  const auto& stiffness = system.characteristics[static_cast<std::size_t>(spring.stiffness)];
  const auto& damping = system.characteristics[static_cast<std::size_t>(spring.damping)];
  const auto& k = constants_of(spring, c);
  const auto f = stiffness.evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.stiffness)],
      length - k.length);
  const auto d = damping.evaluate(
      c + system.characteristic_constants[static_cast<std::size_t>(spring.damping)], length_rate);
  S total = f.value + d.value + k.preload;
  S driven(0.0);
  if (spring.drive >= 0) {
    driven = w.drive[static_cast<std::size_t>(spring.drive)].value;
    total = total + driven;
  }
  return {total, f.slope, d.slope, d.value, driven};
}

template <class S>
void residual(const System& system, const SpringIndex& spring, const S* c, Workspace<S>& w) {
  auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto l = line(spring.pair, constants_of(spring, c).ends, w);
  const S rate = rate_along(l.gradient, a, b);
  const auto f = tension(system, spring, c, l.length, rate, w);
  add_along(l.gradient, f.value, a, b);
  if (spring.drive >= 0) w.power.work = fnma(f.driven, rate, w.power.work);
  if (w.power.with_dissipation) w.power.dissipation = fma(f.viscous, rate, w.power.dissipation);
}

template <class S>
void tangent(const System& system, const SpringIndex& spring, const S* c, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(spring.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(spring.pair.body[1])];
  const auto l = line(spring.pair, constants_of(spring, c).ends, w);
  const auto f = tension(system, spring, c, l.length, rate_along(l.gradient, a, b), w);
  scatter(spring.pair, line_tangent(l, f.value, f.stiffness, f.damping, a, b), w);
}

/// Of the characteristic and the preload; the actuator's is work.
template <class S>
S potential_energy(const System& system, const SpringIndex& spring, const S* c,
                   const Workspace<S>& w) {
  const auto& k = constants_of(spring, c);
  const auto i = static_cast<std::size_t>(spring.stiffness);
  const S stretch = line(spring.pair, k.ends, w).length - k.length;
  return system.characteristics[i].energy(c + system.characteristic_constants[i], stretch) +
         k.preload * stretch;
}

template <class S>
const Vec3<S>* acts_at(const SpringIndex& spring, const S* c) {
  return &constants_of(spring, c).ends.r_B;
}

template <class S>
bool measure(const System& system, const SpringIndex& spring, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const auto l = line(spring.pair, constants_of(spring, c).ends, w);
  const S rate = rate_along(l.gradient, w.body[static_cast<std::size_t>(spring.pair.body[0])],
                            w.body[static_cast<std::size_t>(spring.pair.body[1])]);
  switch (quantity) {
    case Quantity::length:
      out[0] = l.length;
      return true;
    case Quantity::length_rate:
      out[0] = rate;
      return true;
    case Quantity::tension:
      out[0] = tension(system, spring, c, l.length, rate, w).value;
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
