// Energy and momentum of bodies and of the system, at the workspace's kinematics.
#pragma once
#include "tumble/dynamics/equations.hpp"

namespace tumble {

template <class S>
S kinetic_energy(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const S* k = c + index.constants;
  const Vec3<S> s_rate = cross(b.w_W, b.R_WB * load3(k + 1));
  return S(0.5) * k[0] * dot(b.v_W, b.v_W) + dot(b.v_W, s_rate) +
         S(0.5) * dot(b.w_B, inertia_matrix(k + 4) * b.w_B);
}

template <class S>
Vec3<S> linear_momentum(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const S* k = c + index.constants;
  return k[0] * b.v_W + cross(b.w_W, b.R_WB * load3(k + 1));
}

/// About the ground's origin.
template <class S>
Vec3<S> angular_momentum(const RigidBodyIndex& index, const S* c, const BodyKinematics<S>& b) {
  const S* k = c + index.constants;
  const Vec3<S> s_W = b.R_WB * load3(k + 1);
  return cross(b.p_W, linear_momentum(index, c, b)) + cross(s_W, b.v_W) +
         b.R_WB * (inertia_matrix(k + 4) * b.w_B);
}

/// Of gravity (zero at the ground's origin), springs, bushings, torsion springs and the strain of
/// beams; constant applied forces excluded.
template <class S>
S potential_energy(const System& system, const S* c, Workspace<S>& w) {
  S energy(0.0);
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const S* k = c + system.bodies[i].constants;
    const auto& b = w.body[i + 1];
    energy = energy - dot(gravity, k[0] * b.p_W + b.R_WB * load3(k + 1));
  }
  const auto characteristic = [&](int index, const S& x) {
    const auto i = static_cast<std::size_t>(index);
    return system.characteristics[i].energy(c + system.characteristic_constants[i], x);
  };
  for (const auto& spring : system.springs) {
    const S stretch = line(spring.pair, c + spring.constants, w).length - c[spring.constants + 6];
    energy = energy + characteristic(spring.stiffness, stretch) + c[spring.constants + 7] * stretch;
  }
  for (const auto& spring : system.torsion_springs) {
    const S twist = tracked_angle(system, spring.tracked, c, w) - c[spring.constants + 18];
    energy = energy + characteristic(spring.stiffness, twist) + c[spring.constants + 19] * twist;
  }
  for (const auto& bushing : system.bushings) energy = energy + bushing_energy(bushing, c, w);
  for (const auto& beam : system.beams) {
    const BeamState<S> state = beam_state(beam, c, w);
    energy = energy + state.strain_energy - dot(gravity, state.mass_moment);
  }
  for_each_user_element(system.user_forces, c, w, [&](auto& evaluator, std::size_t i) {
    energy = energy + evaluator.potential_energy(*system.nominal.user_forces[i].element);
  });
  return energy;
}

extern template double potential_energy<double>(const System&, const double*, Workspace<double>&);

}  // namespace tumble
