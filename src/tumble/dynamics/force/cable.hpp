// A rope between two points: with the elongation x = L - L0 and the share s = min(x/ε, 1) of it
// that is taut (0 for x < 0),
//   F = max(∫ k s dx + c s L̇, 0)
// (docs/theory/contact.md#cable).
#pragma once
#include "tumble/dynamics/line.hpp"

namespace tumble {

template <class S>
struct CableTension {
  S value, stiffness, damping;  ///< F, ∂F/∂L, ∂F/∂L̇
  S elastic, energy;            ///< ∫ k s dx, and its integral
};

template <class S>
CableTension<S> cable_tension(const CableIndex::Constants<S>& k, const S& length, const S& rate) {
  const S zero(0.0), one(1.0), stretch = length - k.length;
  const S x = select(stretch > zero, stretch, zero);
  const auto begins = x < k.onset;
  const S width = select(k.onset > zero, k.onset, one);
  const S taut = select(begins, x / width, select(x > zero, one, zero));
  const S growth = select(begins & (x > zero), one / width, zero);
  CableTension<S> t;
  t.elastic = k.stiffness * select(begins, S(0.5) * x * x / width, x - S(0.5) * k.onset);
  t.elastic = select(x > zero, t.elastic, zero);
  t.energy = k.stiffness * select(begins, x * x * x / (S(6.0) * width),
                                  S(0.5) * x * (x - k.onset) + S(1.0 / 6) * k.onset * k.onset);
  t.energy = select(x > zero, t.energy, zero);
  const S raw = fma(k.damping * taut, rate, t.elastic);
  const auto pulls = raw > zero;
  t.value = select(pulls, raw, zero);
  t.stiffness = select(pulls, k.stiffness * taut + k.damping * rate * growth, zero);
  t.damping = select(pulls, k.damping * taut, zero);
  return t;
}

template <class S>
struct CableState {
  Line<S> line;
  S rate;
  CableTension<S> tension;
};
template <class S>
CableState<S> cable_state(const CableIndex& cable, const S* c, const Workspace<S>& w) {
  const auto& k = constants_of(cable, c);
  CableState<S> s;
  s.line = line(cable.pair, k.ends, w);
  s.rate = rate_along(s.line.gradient, w.body[static_cast<std::size_t>(cable.pair.body[0])],
                      w.body[static_cast<std::size_t>(cable.pair.body[1])]);
  s.tension = cable_tension(k, s.line.length, s.rate);
  return s;
}

template <class S>
TUMBLE_OUT_OF_LINE void residual(const System&, const CableIndex& cable, const S* c,
                                 Workspace<S>& w) {
  const auto s = cable_state(cable, c, w);
  add_along(s.line.gradient, s.tension.value, w.body[static_cast<std::size_t>(cable.pair.body[0])],
            w.body[static_cast<std::size_t>(cable.pair.body[1])]);
  w.power.dissipation = fma(s.tension.value - s.tension.elastic, s.rate, w.power.dissipation);
}

template <class S>
void tangent(const System&, const CableIndex& cable, const S* c, Workspace<S>& w) {
  const auto& a = w.body[static_cast<std::size_t>(cable.pair.body[0])];
  const auto& b = w.body[static_cast<std::size_t>(cable.pair.body[1])];
  const auto s = cable_state(cable, c, w);
  scatter(cable.pair,
          line_tangent(s.line, s.tension.value, s.tension.stiffness, s.tension.damping, a, b), w);
}

template <class S>
S potential_energy(const System&, const CableIndex& cable, const S* c, const Workspace<S>& w) {
  return cable_state(cable, c, w).tension.energy;
}

template <class S>
const Vec3<S>* acts_at(const CableIndex& cable, const S* c) {
  return &constants_of(cable, c).ends.r_B;
}

template <class S>
bool measure(const System&, const CableIndex& cable, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const auto s = cable_state(cable, c, w);
  switch (quantity) {
    case Quantity::length:
      out[0] = s.line.length;
      return true;
    case Quantity::length_rate:
      out[0] = s.rate;
      return true;
    case Quantity::tension:
      out[0] = s.tension.value;
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
