// Energy and momentum of bodies and of the system, at the workspace's kinematics.
#pragma once
#include "tumble/dynamics/equations.hpp"

namespace tumble {

template <class S>
S kinetic_energy(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const auto& k = constants_of(index, c);
  const Vec3<S> s_rate = cross(b.w_W, b.R_WB * k.moment);
  return S(0.5) * k.mass * dot(b.v_W, b.v_W) + dot(b.v_W, s_rate) +
         S(0.5) * dot(b.w_B, inertia_matrix(k.inertia) * b.w_B);
}

template <class S>
Vec3<S> linear_momentum(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const auto& k = constants_of(index, c);
  return k.mass * b.v_W + cross(b.w_W, b.R_WB * k.moment);
}

/// About the ground's origin.
template <class S>
Vec3<S> angular_momentum(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const auto& k = constants_of(index, c);
  const Vec3<S> s_W = b.R_WB * k.moment;
  return cross(b.p_W, linear_momentum(index, c, b)) + cross(s_W, b.v_W) +
         b.R_WB * (inertia_matrix(k.inertia) * b.w_B);
}

/// Calls f with the energy of each force element that stores some. The first kind, bushings, comes
/// last: sums keep the order in which they have always been taken, and so their bits.
template <class S, class F>
void for_each_element_energy(const System& system, const S* c, const Workspace<S>& w, F&& f) {
  const auto energies = [&]<class Element>(const std::vector<Element>& elements) {
    if constexpr (Element::stores_energy)
      for (const Element& element : elements) f(potential_energy(system, element, c, w));
  };
  std::apply(
      [&](const auto& first, const auto&... others) {
        (energies(others), ...);
        energies(first);
      },
      system.forces);
}

/// Of gravity (zero at the ground's origin), springs, bushings, torsion springs and the strain of
/// beams; constant applied forces excluded.
template <class S>
S potential_energy(const System& system, const S* c, Workspace<S>& w) {
  S energy(0.0);
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const auto& k = constants_of(system.bodies[i], c);
    const auto& b = w.body[i + 1];
    energy = energy - dot(gravity, k.mass * b.p_W + b.R_WB * k.moment);
  }
  for (const auto& modal : system.modal_bodies) {
    const ModalState<S> state = modal_state(modal, c, w);
    energy = energy + state.strain_energy - dot(gravity, state.mass_moment);
  }
  for_each_element_energy(system, c, w, [&](const S& e) { energy = energy + e; });
  for (const auto& beam : system.beams) {
    const BeamState<S> state = beam_state(beam, c, w);
    energy = energy + state.strain_energy - dot(gravity, state.mass_moment);
  }
  for_each_user_element(system.user_forces, c, w, [&](auto& evaluator, std::size_t i) {
    energy = energy + evaluator.potential_energy(*system.nominal.user_forces[i].element);
  });
  return energy;
}

/// What the account of energy compares with the work of PowerBalance: the energy of all that has
/// equations of its own. Prescribed bodies are left out; of a body whose rotation alone is
/// prescribed the translation counts. User forces are, all of them, work.
template <class S>
struct StoredEnergy {
  S kinetic{}, potential{};
  S size{};  ///< sum of the sizes of all terms: what rounding is relative to
};

template <class S>
StoredEnergy<S> stored_energy(const System& system, const S* c, const Workspace<S>& w) {
  StoredEnergy<S> e{S(0.0), S(0.0), S(0.0)};
  const auto add_potential = [&e](const S& term) {
    e.potential = e.potential + term;
    e.size = e.size + abs(term);
  };
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const RigidBodyIndex& body = system.bodies[i];
    if (body.block < 0) continue;
    const auto& b = w.body[i + 1];
    const auto& k = constants_of(body, c);
    Vec3<S> moment = k.mass * b.p_W;
    if (system.blocks[static_cast<std::size_t>(body.block)].kind == Block::Kind::rigid) {
      e.kinetic = e.kinetic + kinetic_energy(body, c, b);
      moment += b.R_WB * k.moment;
    } else {
      e.kinetic = e.kinetic + S(0.5) * k.mass * dot(b.v_W, b.v_W);
    }
    add_potential(-dot(gravity, moment));
  }
  for (const auto& modal : system.modal_bodies) {
    const ModalState<S> state = modal_state(modal, c, w);
    e.kinetic = e.kinetic + state.kinetic_energy;
    add_potential(state.strain_energy);
    add_potential(-dot(gravity, state.mass_moment));
  }
  for_each_element_energy(system, c, w, add_potential);
  for (const auto& beam : system.beams) {
    const BeamState<S> state = beam_state(beam, c, w);
    e.kinetic = e.kinetic + state.kinetic_energy;
    add_potential(state.strain_energy);
    add_potential(-dot(gravity, state.mass_moment));
  }
  e.size = e.size + e.kinetic;
  return e;
}

extern template double potential_energy<double>(const System&, const double*, Workspace<double>&);

}  // namespace tumble
