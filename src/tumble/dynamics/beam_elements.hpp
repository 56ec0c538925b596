// Beams in the equations of motion: M (ë - ë_free) + Q(e, ė) - loads, element by element, with
// tangents and energies. What elements do is in tumble/beam; here their vectors are found in the
// system.
#pragma once
#include "tumble/beam/continuum_force.hpp"
#include "tumble/beam/inertia.hpp"
#include "tumble/beam/structural_force.hpp"
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Calls f.template operator()<D, curvature, structural>() for the kind of a beam.
template <class F>
void dispatch_beam(const BeamIndex& beam, F&& f) {
  using beam::Curvature;
  const auto formulation = [&]<int D, Curvature curvature>() {
    if (beam.structural)
      f.template operator()<D, curvature, true>();
    else
      f.template operator()<D, curvature, false>();
  };
  if (beam.dimension == 2) {
    if (beam.curved)
      formulation.template operator()<2, Curvature::curved>();
    else
      formulation.template operator()<2, Curvature::straight>();
  } else if (beam.curved) {
    formulation.template operator()<3, Curvature::curved>();
  } else {
    formulation.template operator()<3, Curvature::straight>();
  }
}

template <int D, beam::Curvature curvature, bool structural, class S>
using ElasticForce = std::conditional_t<structural, beam::StructuralForce<D, S>,
                                        beam::ContinuumForce<D, curvature, S>>;

/// The elastic force of an element at the workspace's kinematics.
template <int D, beam::Curvature curvature, bool structural, class S>
ElasticForce<D, curvature, structural, S> elastic_force(const BeamIndex& beam, int element,
                                                        const S* c, const Workspace<S>& w,
                                                        bool damped) {
  const S* q = w.node_q.data() + beam.node(element);
  const S* v = w.node_v.data() + beam.node(element);
  const int node = beam.node_size();
  const S* constants = c + beam.constants + element * beam.element_size;
  if constexpr (structural)
    return {constants, q, q + node, v, v + node, damped, beam.linear_curvature};
  else
    return {constants, q, q + node, v, v + node, damped};
}

template <class S>
const S* element_mass(const BeamIndex& beam, int element, const S* c) {
  return c + beam.constants + element * beam.element_size + beam.elastic_size;
}

/// Accelerations of a node's vectors less those of free fall, and α times their velocities: inertia
/// M (ë - ë_free) and damping in proportion to mass, α M ė, are one product. `v` is null without.
template <int D, class S>
TUMBLE_INLINE void load_acceleration(const S* vdot, const Vec3<S>& gravity, const S* v,
                                     const S& alpha, S (&a)[beam::node_coordinates<D>]) {
  for (int k = 0; k < beam::node_coordinates<D>; ++k) a[k] = vdot[k];
  if (v != nullptr)
    for (int k = 0; k < beam::node_coordinates<D>; ++k) a[k] = fma(alpha, v[k], a[k]);
  for (int k = 0; k < D; ++k) a[k] = a[k] - gravity[k];
}

/// Power that damping in proportion to mass turns into heat [W]: α ėᵀ M ė of an element.
template <int D, beam::Curvature curvature, class S>
S mass_dissipation(const BeamIndex& beam, int element, const S* c, const Workspace<S>& w) {
  constexpr int node = beam::node_coordinates<D>;
  const S* v = w.node_v.data() + beam.node(element);
  S p[2 * node];
  for (S& x : p) x = S(0.0);
  beam::add_inertia_force<D, curvature>(element_mass(beam, element, c), v, v + node, p, p + node);
  S sum(0.0);
  for (int k = 0; k < 2 * node; ++k) sum = fma(p[k], v[k], sum);
  return c[beam.mass_damping] * sum;
}

template <int D, beam::Curvature curvature, bool structural, class S>
void beam_residual(const BeamIndex& beam, const S* c, const Vec3<S>& gravity, const S* vdot,
                   Workspace<S>& w, S* out) {
  constexpr int node = beam::node_coordinates<D>;
  S a[2][node];
  const S alpha = c[beam.mass_damping];
  const auto velocity = [&](int i) -> const S* {
    return beam.mass_damped ? w.node_v.data() + beam.node(i) : nullptr;
  };
  load_acceleration<D>(vdot, gravity, velocity(0), alpha, a[0]);
  for (int element = 0; element < beam.elements(); ++element) {
    S* first = out + element * node;
    S(&first_a)[node] = a[element % 2];
    S(&second_a)[node] = a[1 - element % 2];
    load_acceleration<D>(vdot + (element + 1) * node, gravity, velocity(element + 1), alpha,
                         second_a);
    beam::add_inertia_force<D, curvature>(element_mass(beam, element, c), first_a, second_a, first,
                                          first + node);
    const auto force = elastic_force<D, curvature, structural>(beam, element, c, w, beam.damped);
    force.add_force(first, first + node);
    if (beam.damped && w.power.with_dissipation)
      w.power.dissipation = w.power.dissipation + force.dissipation();
    if (beam.mass_damped && w.power.with_dissipation)
      w.power.dissipation =
          w.power.dissipation + mass_dissipation<D, curvature>(beam, element, c, w);
  }
}

/// Writes the residual of all beams, joints' and loads' forces included. Not to be inlined into the
/// residual of the system: eight kinds of elements would make it too long.
template <class S>
__attribute__((noinline)) void beams_residual(const System& system, const S* c,
                                              const Vec3<S>& gravity, const S* vdot,
                                              Workspace<S>& w, S* out) {
  S* r = out + system.beam_v;
  for (int k = 0; k < system.beam_size; ++k) r[k] = w.node_force[static_cast<std::size_t>(k)];
  for (const BeamIndex& beam : system.beams)
    dispatch_beam(beam, [&]<int D, beam::Curvature curvature, bool structural>() {
      beam_residual<D, curvature, structural>(
          beam, c, gravity, vdot + system.beam_v + beam.coordinates, w, r + beam.coordinates);
    });
}

/// Adds the tangents of an element. By the kind of its force alone, because the tangent of the
/// structural formulation, which no curvature changes, is long to compile.
template <int D, class Force, class S>
void add_elastic_tangent(const Force& force, const int* slots, Workspace<S>& w) {
  const auto into = [slots](std::vector<S>& matrix) {
    return [slots, values = matrix.data()](int i, int j, const S(&block)[D][D]) {
      for (int a = 0; a < D; ++a) {
        S* row = values + slots[(i * beam::element_vectors<D> + j) * D + a];
        for (int b = 0; b < D; ++b) row[b] = row[b] + block[a][b];
      }
    };
  };
  force.tangent(into(w.K), into(w.C));
}

template <int D, beam::Curvature curvature, bool structural, class S>
void beam_tangent(const BeamIndex& beam, const S* c, Workspace<S>& w) {
  constexpr int vectors = beam::element_vectors<D>;
  constexpr const auto& layout = beam::mass_layout<D, curvature>;
  for (int element = 0; element < beam.elements(); ++element) {
    const int* slots = beam.slots.data() + element * vectors * vectors * D;
    const S* mass = element_mass(beam, element, c);
    for (int i = 0; i < vectors; ++i)
      for (int j = 0; j < vectors; ++j) {
        if (layout.slot[i][j] < 0) continue;
        for (int k = 0; k < D; ++k) {
          const auto slot = static_cast<std::size_t>(slots[(i * vectors + j) * D + k] + k);
          const S m = mass[layout.slot[i][j]];
          w.M[slot] = w.M[slot] + m;
          if (beam.mass_damped) w.C[slot] = fma(c[beam.mass_damping], m, w.C[slot]);
        }
      }
    add_elastic_tangent<D>(
        elastic_force<D, curvature, structural>(beam, element, c, w, beam.damped), slots, w);
  }
}

template <class S>
__attribute__((noinline)) void beams_tangent(const System& system, const S* c, Workspace<S>& w) {
  for (const BeamIndex& beam : system.beams)
    dispatch_beam(beam, [&]<int D, beam::Curvature curvature, bool structural>() {
      beam_tangent<D, curvature, structural>(beam, c, w);
    });
}

/// What a beam stores and carries.
template <class S>
struct BeamState {
  S kinetic_energy{}, strain_energy{};
  Vec3<S> mass_moment;                 ///< ∫ ρ r dV
  Vec3<S> momentum, angular_momentum;  ///< the latter about the ground's origin
  S mass{};
};

template <int D, beam::Curvature curvature, bool structural, class S>
BeamState<S> beam_state(const BeamIndex& beam, const S* c, const Workspace<S>& w) {
  constexpr int node = beam::node_coordinates<D>;
  BeamState<S> state;
  const auto vector = [&](const std::vector<S>& from, int element, int i) {
    const S* x = from.data() + beam.node(element) + D * i;
    return Vec3<S>{x[0], x[1], D == 3 ? x[D - 1] : S(0.0)};
  };
  for (int element = 0; element < beam.elements(); ++element) {
    const S* mass = element_mass(beam, element, c);
    const S* v = w.node_v.data() + beam.node(element);
    const S* q = w.node_q.data() + beam.node(element);
    S p[2 * node], moved[2 * node];  // M v, M e
    for (int k = 0; k < 2 * node; ++k) p[k] = S(0.0), moved[k] = S(0.0);
    beam::add_inertia_force<D, curvature>(mass, v, v + node, p, p + node);
    beam::add_inertia_force<D, curvature>(mass, q, q + node, moved, moved + node);
    for (int i = 0; i < beam::element_vectors<D>; ++i) {
      const bool position = i % beam::node_vectors<D> == 0;
      const Vec3<S> p_i{p[D * i], p[D * i + 1], D == 3 ? p[D * i + D - 1] : S(0.0)};
      Vec3<S> e = vector(w.node_q, element, i);
      if (D == 2 && position) e.z = c[beam.plane];
      state.kinetic_energy = state.kinetic_energy + S(0.5) * dot(p_i, vector(w.node_v, element, i));
      state.angular_momentum += cross(e, p_i);
      if (!position) continue;
      state.momentum += p_i;
      // A translation moves the position vectors alone: their rows of M e sum to the moment.
      state.mass_moment +=
          Vec3<S>{moved[D * i], moved[D * i + 1], D == 3 ? moved[D * i + D - 1] : S(0.0)};
      for (int j = 0; j < beam::element_vectors<D>; j += beam::node_vectors<D>)
        state.mass = state.mass + mass[beam::mass_layout<D, curvature>.slot[i][j]];
    }
    state.strain_energy =
        state.strain_energy +
        elastic_force<D, curvature, structural>(beam, element, c, w, false).energy();
  }
  if (D == 2) state.mass_moment.z = state.mass * c[beam.plane];
  return state;
}

template <class S>
__attribute__((noinline)) BeamState<S> beam_state(const BeamIndex& beam, const S* c,
                                                  const Workspace<S>& w) {
  BeamState<S> state;
  dispatch_beam(beam, [&]<int D, beam::Curvature curvature, bool structural>() {
    state = beam_state<D, curvature, structural>(beam, c, w);
  });
  return state;
}

// For one realisation they are compiled once, in equations.cpp: eight kinds of elements are long to
// compile, and many tests would.
extern template void beams_residual<double>(const System&, const double*, const Vec3d&,
                                            const double*, Workspace<double>&, double*);
extern template void beams_tangent<double>(const System&, const double*, Workspace<double>&);
extern template BeamState<double> beam_state<double>(const BeamIndex&, const double*,
                                                     const Workspace<double>&);

}  // namespace tumble
