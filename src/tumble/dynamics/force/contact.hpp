// Contact of spheres, points or rims of the second body with a surface of the first
// (docs/theory/contact.md).
#pragma once
#include "tumble/dynamics/force/contact_surface.hpp"

namespace tumble {

/// Below this sine of its slope a rim's deepest point moves towards its centre: without that it
/// would jump where the rim lies flat.
inline constexpr double flat_rim = 1e-4;

/// Where point `i` of a contact is closest. A rim of radius R and axis a touches with its deepest
/// point, -R m from its centre, m = (n - (n·a) a)/h, h² = |n - (n·a) a|² + ε². Its gap is that of
/// the centre less R h, whose gradient is the normal at that point, ε or not.
template <class Surface, class S, int n>
auto contact_place(const ContactIndex<Surface>& contact, const S* c, const PairMotion<S, n>& motion,
                   int i) {
  using T = typename PairMotion<S, n>::T;
  const auto& k = constants_of(contact, c);
  Vec3<T> lever = motion.turn_B(load3(c + contact.points + 3 * i));
  const auto surface = nearest(contact.surface, k.surface, c, motion, motion.d + lever);
  ContactPlace<T> place;
  place.gap = surface.distance - T(k.radius);
  place.normal = surface.normal;
  if constexpr (Surface::has_rims) {
    if (contact.rims) {
      const Vec3<T> axis = motion.turn_B(k.axis_B);
      const Vec3<T> across = surface.normal - dot(surface.normal, axis) * axis;
      const T h = sqrt(dot(across, across) + T(flat_rim * flat_rim));
      place.gap = place.gap - T(k.rim) * h;
      lever = lever - (T(k.rim) / h) * across;
    }
  }
  place.lever = lever - T(k.radius) * surface.normal;
  return place;
}

/// Calls f with the force at each point that touches in some lane: elsewhere it is 0.
template <int n, class Surface, class S, class F>
void for_each_touch(const ContactIndex<Surface>& contact, const S* c,
                    const PairMotion<S, n>& motion, F&& f) {
  const auto& k = constants_of(contact, c);
  for (int i = 0; i < contact.count; ++i) {
    const auto place = contact_place(contact, c, motion, i);
    if (none(value_of(place.gap) < S(0.0))) continue;
    f(contact_force(k.law, k.radius, motion, place));
  }
}

template <class Surface, class S>
TUMBLE_OUT_OF_LINE void residual(const System&, const ContactIndex<Surface>& contact, const S* c,
                                 Workspace<S>& w) {
  const PairMotion<S, 0> motion(contact.pair, w);
  PairWrench<S> sum;
  S dissipation(0.0);
  for_each_touch(contact, c, motion, [&](const ContactForce<S>& f) {
    accumulate(sum, f.wrench);
    dissipation = dissipation + f.dissipation;
  });
  add_wrench(contact.pair, sum, w);
  w.power.dissipation = w.power.dissipation + dissipation;
}

template <int n, class Surface, class S>
__attribute__((noinline)) void contact_tangent(const ContactIndex<Surface>& contact, const S* c,
                                               Workspace<S>& w) {
  const PairMotion<S, n> motion(contact.pair, w);
  PairWrench<Gradient<S, n>> sum;
  bool touches = false;
  for (int i = 0; i < contact.count; ++i) {
    // Without derivatives first: most points touch nothing.
    const PairMotion<S, 0> still(contact.pair, w);
    if (none(contact_place(contact, c, still, i).gap < S(0.0))) continue;
    touches = true;
    const auto& k = constants_of(contact, c);
    accumulate(sum,
               contact_force(k.law, k.radius, motion, contact_place(contact, c, motion, i)).wrench);
  }
  if (touches) add_tangent(contact.pair, motion, sum, w);
}

template <class Surface, class S>
void tangent(const System&, const ContactIndex<Surface>& contact, const S* c, Workspace<S>& w) {
  if (contact.pair.body[0] == 0)
    contact_tangent<directions_on_ground>(contact, c, w);
  else
    contact_tangent<directions_between_bodies>(contact, c, w);
}

/// Of what is pressed together.
template <class Surface, class S>
S potential_energy(const System&, const ContactIndex<Surface>& contact, const S* c,
                   const Workspace<S>& w) {
  const PairMotion<S, 0> motion(contact.pair, w);
  const auto& law = constants_of(contact, c).law;
  S energy(0.0);
  for (int i = 0; i < contact.count; ++i)
    energy = energy +
             normal_energy(law.stiffness, law.exponent, contact_place(contact, c, motion, i).gap);
  return energy;
}

template <class Surface, class S>
const Vec3<S>* acts_at(const ContactIndex<Surface>& contact, const S* c) {
  return &constants_of(contact, c).r_B;
}

template <class Surface, class S>
bool measure(const System&, const ContactIndex<Surface>& contact, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  const PairMotion<S, 0> motion(contact.pair, w);
  const auto& k = constants_of(contact, c);
  // Of the closest point, or summed over all.
  S gap(0.0), normal(0.0), dissipation(0.0);
  Vec3<S> friction, sliding;
  for (int i = 0; i < contact.count; ++i) {
    const auto place = contact_place(contact, c, motion, i);
    const auto f = contact_force(k.law, k.radius, motion, place);
    if (i == 0) gap = place.gap, sliding = f.sliding;
    const auto closer = place.gap < gap;
    gap = select(closer, place.gap, gap);
    for (int j = 0; j < 3; ++j) sliding[j] = select(closer, f.sliding[j], sliding[j]);
    normal = normal + f.normal;
    friction += f.friction;
    dissipation = dissipation + f.dissipation;
  }
  switch (quantity) {
    case Quantity::gap:
      out[0] = gap;
      return true;
    case Quantity::normal_force:
      out[0] = normal;
      return true;
    case Quantity::friction_force:
      store3(out, friction);
      return true;
    case Quantity::sliding_velocity:
      store3(out, sliding);
      return true;
    case Quantity::dissipated_power:
      out[0] = dissipation;
      return true;
    default:
      return false;
  }
}

}  // namespace tumble
