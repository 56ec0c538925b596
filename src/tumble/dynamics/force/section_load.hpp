// A force F and a moment M on a section of a beam, whose components are constant in ground axes or
// along the section's frame t₁, t₂, t₃ (docs/theory/ancf-beams.md#moments-and-follower-loads).
//
// The frame is that of the section's vectors d and e: t₁ along N = d × e, t₃ along e. Its angular
// velocity has the components ω₁ = -t₂·ė/|e|, ω₂ = t₁·ė/|e|, ω₃ = t₂·(ḋ × e + d × ė)/|N|, so that
// the power M·ω makes the generalized forces
//   Q_d = -M₃ |e|/|N| t₁,   Q_e = (M₂ t₁ - M₁ t₂)/|e| + M₃/|N| t₂ × d
// and in the plane, where ω = (d × ḋ)_z/|d|²,  Q_d = M z × d/|d|². Neither a moment of constant
// direction nor a follower force is the gradient of anything: tangents are not symmetric.
#pragma once
#include "tumble/beam/jet.hpp"
#include "tumble/beam/shape.hpp"
#include "tumble/dynamics/pair_tangent.hpp"
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

namespace section_load {

/// On the axis and on the section's vectors; scalars are plain or carry derivatives by d and e.
template <class T>
struct Generalized {
  Vec3<T> axis, d, e;
  Vec3<T> moment;  ///< ground axes
};

template <class T>
TUMBLE_INLINE T inner(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TUMBLE_INLINE Vec3<T> vector_product(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
TUMBLE_INLINE Vec3<T> scaled(const T& a, const Vec3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class T>
TUMBLE_INLINE Vec3<T> sum(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

/// `force` and `moment` are along the frame if they follow it, else along the ground's axes.
template <int D, class T>
Generalized<T> generalized(const Vec3<T>& force, const Vec3<T>& moment, bool follower,
                           const Vec3<T>& d, const Vec3<T>& e) {
  using beam::inverse_sqrt;
  Generalized<T> q;
  if constexpr (D == 2) {
    const T inverse = inverse_sqrt(inner(d, d)), m = moment.z;
    const Vec3<T> t2 = scaled(inverse, d), t1{t2.y, T(0.0) - t2.x, T(0.0)};
    q.axis = follower ? sum(scaled(force.x, t1), scaled(force.y, t2)) : force;
    q.axis.z = T(0.0);
    q.d = scaled(m * inverse * inverse, Vec3<T>{T(0.0) - d.y, d.x, T(0.0)});
    q.moment = {T(0.0), T(0.0), m};
    return q;
  }
  const Vec3<T> normal = vector_product(d, e);
  const T square = inner(e, e);
  const T re = inverse_sqrt(square), rn = inverse_sqrt(inner(normal, normal));
  const Vec3<T> t1 = scaled(rn, normal), t3 = scaled(re, e), t2 = vector_product(t3, t1);
  Vec3<T> m = moment;
  q.axis = force, q.moment = moment;
  const auto along = [&](const Vec3<T>& x) {
    return sum(scaled(x.x, t1), sum(scaled(x.y, t2), scaled(x.z, t3)));
  };
  if (follower)
    q.axis = along(force), q.moment = along(moment);
  else
    m = {inner(t1, moment), inner(t2, moment), inner(t3, moment)};
  const T zero(0.0);
  q.d = scaled(zero - m.z * (square * re) * rn, t1);
  q.e = sum(scaled(m.z * rn, vector_product(t2, d)),
            sum(scaled(m.y * re, t1), scaled(zero - m.x * re, t2)));
  return q;
}

/// The vectors of the section: each node's, weighed by the place.
template <int D, class S>
Vec3<S> section_vector(const S* first, const S* second, int vector, const S& place) {
  Vec3<S> out;
  for (int k = 0; k < D; ++k) {
    const S &a = first[D * vector + k], &b = second[D * vector + k];
    out[k] = fma(place, b - a, a);
  }
  return out;
}

template <class S>
S scale_of(const SectionLoadIndex& load, const Workspace<S>& w) {
  return load.drive >= 0 ? w.drive[static_cast<std::size_t>(load.drive)].value : S(1.0);
}

template <int D, class S>
Generalized<S> at_present(const BeamIndex& beam, const SectionLoadIndex& load, const S* c,
                          const Workspace<S>& w) {
  const auto& k = constants_of(load, c);
  const S* q = w.node_q.data() + beam.node(load.element);
  const S* next = q + beam.node_size();
  const S scale = scale_of(load, w);
  return generalized<D>(
      scale * k.force, scale * k.moment, load.follower, section_vector<D>(q, next, 2, k.place),
      D == 3 ? section_vector<D>(q, next, D, k.place) : Vec3<S>{S(0.0), S(0.0), S(1.0)});
}

template <int D, class S>
void residual(const BeamIndex& beam, const SectionLoadIndex& load, const S* c, Workspace<S>& w) {
  const auto& k = constants_of(load, c);
  const auto q = at_present<D>(beam, load, c, w);
  const int node = beam.node(load.element);
  S* force = w.node_force.data() + node;
  const S* v = w.node_v.data() + node;
  S power(0.0);
  const auto add = [&](int vector, const S& factor, const Vec3<S>& f) {
    const int at =
        vector / beam::node_vectors<D> * beam.node_size() + vector % beam::node_vectors<D> * D;
    for (int i = 0; i < D; ++i) {
      const S part = factor * f[i];
      force[at + i] = force[at + i] - part;
      power = fma(part, v[at + i], power);
    }
  };
  constexpr int second = beam::node_vectors<D>;
  const S first_share = S(1.0) - k.place;
  for (const int vector : {0, 1, second, second + 1}) add(vector, k.shape[vector], q.axis);
  add(2, first_share, q.d), add(second + 2, k.place, q.d);
  if constexpr (D == 3) add(3, first_share, q.e), add(second + 3, k.place, q.e);
  w.power.work = w.power.work + power;
}

template <int D, class S>
void tangent(const BeamIndex& beam, const SectionLoadIndex& load, const S* c, Workspace<S>& w) {
  constexpr int directors = D - 1, n = directors * D, vectors = beam::element_vectors<D>,
                second = beam::node_vectors<D>;
  using J = beam::Jet<S, n>;
  const auto& k = constants_of(load, c);
  const S* x = w.node_q.data() + beam.node(load.element);
  const S scale = scale_of(load, w);
  const auto constant = [](const Vec3<S>& a) {
    return Vec3<J>{J::constant(a.x), J::constant(a.y), J::constant(a.z)};
  };
  const auto variable = [&](int director) {
    const Vec3<S> value = section_vector<D>(x, x + beam.node_size(), 2 + director, k.place);
    Vec3<J> out = constant(value);
    for (int i = 0; i < D; ++i) out[i].d[D * director + i] = S(1.0);
    return out;
  };
  Vec3<J> e = constant({S(0.0), S(0.0), S(1.0)});
  if constexpr (D == 3) e = variable(1);
  const auto q = generalized<D>(constant(scale * k.force), constant(scale * k.moment),
                                load.follower, variable(0), e);
  const int* slots = beam.slots.data() + load.element * vectors * vectors * D;
  const S share[2] = {S(1.0) - k.place, k.place};
  const auto add = [&](int row, const S& factor, const Vec3<J>& f) {
    for (int director = 0; director < directors; ++director)
      for (int end = 0; end < 2; ++end) {
        const int column = end * second + 2 + director;
        const S weight = factor * share[end];
        for (int i = 0; i < D; ++i) {
          S* at = w.K.data() + slots[(row * vectors + column) * D + i];
          for (int j = 0; j < D; ++j) at[j] = fnma(weight, f[i].d[D * director + j], at[j]);
        }
      }
  };
  if (load.follower)
    for (const int vector : {0, 1, second, second + 1}) add(vector, k.shape[vector], q.axis);
  for (int end = 0; end < 2; ++end) {
    add(end * second + 2, share[end], q.d);
    if constexpr (D == 3) add(end * second + 3, share[end], q.e);
  }
}

}  // namespace section_load

template <class S>
TUMBLE_OUT_OF_LINE void residual(const System& system, const SectionLoadIndex& load, const S* c,
                                 Workspace<S>& w) {
  const BeamIndex& beam = system.beams[static_cast<std::size_t>(load.beam)];
  if (beam.dimension == 2)
    section_load::residual<2>(beam, load, c, w);
  else
    section_load::residual<3>(beam, load, c, w);
}

template <class S>
TUMBLE_OUT_OF_LINE void tangent(const System& system, const SectionLoadIndex& load, const S* c,
                                Workspace<S>& w) {
  const BeamIndex& beam = system.beams[static_cast<std::size_t>(load.beam)];
  if (beam.dimension == 2)
    section_load::tangent<2>(beam, load, c, w);
  else
    section_load::tangent<3>(beam, load, c, w);
}

template <class S>
bool measure(const System& system, const SectionLoadIndex& load, Quantity quantity, const S* c,
             const Workspace<S>& w, S* out) {
  if (quantity != Quantity::force && quantity != Quantity::torque) return false;
  const BeamIndex& beam = system.beams[static_cast<std::size_t>(load.beam)];
  const auto q = beam.dimension == 2 ? section_load::at_present<2>(beam, load, c, w)
                                     : section_load::at_present<3>(beam, load, c, w);
  store3(out, quantity == Quantity::force ? q.axis : q.moment);
  return true;
}

}  // namespace tumble
