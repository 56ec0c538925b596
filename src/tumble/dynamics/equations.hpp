// The equations of the whole system at one instant:
//   r = M(q) v̇ + inertia and gravity - forces(q, v, t) + Gᵀ(q, t) λ   (nv rows)
//   φ(q, t)                                                            (nc rows)
// with their tangent matrices, and the constraints at velocity and acceleration level.
//
// Each function expects update_bodies() and update_drives() to have been called.
#pragma once
#include "tumble/dynamics/beam_elements.hpp"
#include "tumble/dynamics/coupler.hpp"
#include "tumble/dynamics/forces.hpp"
#include "tumble/dynamics/kinematics.hpp"
#include "tumble/dynamics/line.hpp"
#include "tumble/dynamics/locks.hpp"
#include "tumble/dynamics/modal_body.hpp"
#include "tumble/dynamics/node_joint.hpp"
#include "tumble/dynamics/node_lock.hpp"
#include "tumble/dynamics/rigid_body.hpp"
#include "tumble/dynamics/states.hpp"
#include "tumble/dynamics/twist_lock.hpp"
#include "tumble/dynamics/user_elements.hpp"

namespace tumble {

/// Calls f with every lock of every kind.
template <class F>
void for_each_lock(const System& system, F&& f) {
  for (const auto& lock : system.point_locks) f(lock);
  for (const auto& lock : system.axis_locks) f(lock);
  for (const auto& lock : system.dot_locks) f(lock);
  for (const auto& lock : system.distance_locks) f(lock);
  for (const auto& lock : system.twist_locks) f(lock);
  for (const auto& joint : system.node_joints) f(joint);
}

/// Adds the forces of all elements to bodies and beams.
template <class S>
void add_element_forces(const System& system, const S* c, Workspace<S>& w) {
  w.bushing_reach = S(0.0);
  for_each_force(system.forces, [&](const auto& force) { residual(system, force, c, w); });
  for_each_user_element(system.user_forces, c, w, [&](auto& evaluator, std::size_t i) {
    evaluator.add_forces(*system.nominal.user_forces[i].element);
  });
}

/// The values of the joints' constraints, and their multipliers' forces added to bodies and beams.
template <class S>
void add_joint_forces(const System& system, const S* c, const S* lambda, Workspace<S>& w, S* phi) {
  for (const auto& locks : system.joint_locks) residual(locks, c, lambda, w, phi);
  for (const auto& lock : system.distance_locks) residual(lock, c, lambda, w, phi);
  for (const auto& lock : system.twist_locks) residual(lock, c, lambda, w, phi);
  for (const auto& joint : system.node_joints) residual(joint, c, lambda, w, phi);
  for (const auto& lock : system.node_locks) residual(system, lock, c, lambda, w, phi);
  for (const auto& coupler : system.couplers) residual(system, coupler, c, lambda, w, phi);
}

/// The power that prescribed motions put into the rest: what elements and joints do to bodies is
/// counted for all bodies, but prescribed ones have no equations and no part in the account of
/// energy, so what is done to them is given back, minus F·v. A body that is free to translate has
/// ½ m v² there, and its centre of mass, turned about the reference point, accelerates it.
template <class S>
void add_prescribed_power(const System& system, const S* c, Workspace<S>& w) {
  for (std::size_t i = 0; i < system.prescribed.size(); ++i) {
    const Prescribed& prescribed = system.prescribed[i];
    const auto& b = w.body[static_cast<std::size_t>(prescribed.body)];
    if (prescribed.translation) w.power.work = w.power.work + dot(b.force_W, b.v_W);
    if (prescribed.steady) continue;
    w.power.work = w.power.work + dot(b.torque_W, b.w_W);
    if (prescribed.translation) continue;
    const auto& index = system.bodies[static_cast<std::size_t>(prescribed.body) - 1];
    const Vec3<S> s = constants_of(index, c).moment;
    const Vec3<S> bend = cross(w.prescribed[i].alpha_B, s) + cross(b.w_B, cross(b.w_B, s));
    w.power.work = w.power.work - dot(b.v_W, b.R_WB * bend);
  }
}

/// The angular acceleration of a body without rotational unknowns.
template <class S>
const Vec3<S>& imposed_turning(const RigidBodyIndex& body, const Workspace<S>& w) {
  return body.prescribed >= 0 ? w.prescribed[static_cast<std::size_t>(body.prescribed)].alpha_B
                              : w.no_turning;
}

/// Residual of the equations of motion (nv) followed by that of the constraints (nc).
template <class S>
TUMBLE_FLATTEN void residual(const System& system, const S* c, const S* vdot, const S* lambda,
                             Workspace<S>& w, S* out) {
  S* phi = out + system.nv;
  w.lambda = lambda;
  w.power.work = S(0.0);
  w.power.dissipation = S(0.0);
  add_element_forces(system, c, w);
  add_joint_forces(system, c, lambda, w, phi);
  for_each_user_element(system.user_constraints, c, w, [&](auto& evaluator, std::size_t i) {
    evaluator.add_constraint(*system.nominal.user_constraints[i].element, lambda, phi);
  });
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const RigidBodyIndex& body = system.bodies[i];
    if (body.block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(body.block)];
    const Vec3<S> a = load3(vdot + block.v) - gravity;
    const bool turns = block.kind == Block::Kind::rigid;
    const Vec3<S> wdot = load3(turns ? vdot + block.v + 3 : &imposed_turning(body, w).x);
    store3(out + block.v, force_residual(body, c, w.body[i + 1], a, wdot));
    if (turns) store3(out + block.v + 3, torque_residual(body, c, w.body[i + 1], a, wdot));
  }
  add_prescribed_power(system, c, w);
  if (!system.modal_bodies.empty()) modal_residual(system, c, gravity, vdot, w, out);
  if (!system.beams.empty()) beams_residual(system, c, gravity, vdot, w, out);
  if (!system.states.empty()) states_residual(system, c, vdot, w, out);
}

/// The wrenches of the joints that impose motions: what is missing in the equations of the bodies
/// they move. Children come first, because their joints load their parents.
template <class S>
void prescribed_wrenches(const System& system, const S* c, const S* vdot, const S* lambda,
                         Workspace<S>& w) {
  for (auto& body : w.body) body.force_W = {}, body.torque_W = {};
  w.lambda = lambda;
  add_element_forces(system, c, w);
  add_joint_forces(system, c, lambda, w, w.phi_scratch.data());
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = system.prescribed.size(); i-- > 0;) {
    const Prescribed& prescribed = system.prescribed[i];
    auto& motion = w.prescribed[i];
    const auto& index = system.bodies[static_cast<std::size_t>(prescribed.body) - 1];
    auto& b = w.body[static_cast<std::size_t>(prescribed.body)];
    auto& parent = w.body[static_cast<std::size_t>(prescribed.parent)];
    const Vec3<S> a_W = index.block < 0
                            ? motion.a_W
                            : load3(vdot + system.blocks[static_cast<std::size_t>(index.block)].v);
    const Vec3<S> a = a_W - gravity;
    motion.torque_W = -(b.R_WB * torque_residual(index, c, b, a, motion.alpha_B));
    motion.force_W = {};
    if (prescribed.translation) motion.force_W = -force_residual(index, c, b, a, motion.alpha_B);
    b.force_W += motion.force_W;
    b.torque_W += motion.torque_W;
    parent.force_W -= motion.force_W;
    parent.torque_W -= motion.torque_W + cross(b.p_W - parent.p_W, motion.force_W);
  }
}

/// Fills K (with G and Gᵀ), C and M.
template <class S>
void tangent(const System& system, const S* c, const S* vdot, const S* lambda, Workspace<S>& w) {
  std::fill(w.K.begin(), w.K.end(), S(0.0));
  if (w.fills_C) std::fill(w.C.begin(), w.C.end(), S(0.0));
  std::fill(w.M.begin(), w.M.end(), S(0.0));
  w.lambda = lambda;
  const Vec3<S> gravity = load3(c + system.gravity_constants);
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    if (system.bodies[i].block < 0) continue;
    const Block& block = system.blocks[static_cast<std::size_t>(system.bodies[i].block)];
    if (block.kind == Block::Kind::rigid)
      body_tangent(system.bodies[i], c, gravity, vdot + block.v, w.body[i + 1], w);
    else
      translation_tangent(system.bodies[i], c, w);
  }
  if (!system.modal_bodies.empty()) modal_tangent(system, c, gravity, vdot, w);
  if (!system.beams.empty()) beams_tangent(system, c, w);
  if (!system.states.empty()) states_tangent(system, c, w);
  for_each_force(system.forces, [&](const auto& force) { tangent(system, force, c, w); });
  for_each_user_element(system.user_forces, c, w, [&](auto& evaluator, std::size_t i) {
    evaluator.add_force_tangent(*system.nominal.user_forces[i].element);
  });
  for_each_lock(system, [&](const auto& lock) { tangent(lock, c, lambda, w); });
  for (const auto& lock : system.node_locks) tangent(system, lock, c, lambda, w);
  for (const auto& coupler : system.couplers) tangent(system, coupler, c, lambda, w);
  for_each_user_element(system.user_constraints, c, w, [&](auto& evaluator, std::size_t i) {
    evaluator.add_constraint_tangent(*system.nominal.user_constraints[i].element, lambda);
  });
}

/// ∂φ/∂t and the bias of d²φ/dt² of every constraint.
template <class S>
void constraint_rates(const System& system, const S* c, Workspace<S>& w, S* time_rate, S* bias) {
  for_each_lock(system, [&](const auto& lock) { rates(lock, c, w, time_rate, bias); });
  for (const auto& lock : system.node_locks) rates(system, lock, c, w, time_rate, bias);
  for (const auto& coupler : system.couplers) rates(system, coupler, c, w, time_rate, bias);
  for_each_user_element(system.user_constraints, c, w, [&](auto& evaluator, std::size_t i) {
    evaluator.constraint_rates(*system.nominal.user_constraints[i].element, time_rate, bias);
  });
}

/// G x for a vector of velocities or accelerations, with the G last filled by tangent().
template <class S>
void multiply_gradient(const System& system, const Workspace<S>& w, const S* x, S* out) {
  const auto& p = system.pattern;
  for (int row = 0; row < system.nc; ++row) {
    S sum(0.0);
    const auto r = static_cast<std::size_t>(system.nv + row);
    for (int s = p.row_start[r]; s < p.row_start[r + 1]; ++s)
      sum = sum + w.K[static_cast<std::size_t>(s)] * x[p.column[static_cast<std::size_t>(s)]];
    out[row] = sum;
  }
}

// For one realisation they are compiled once, in equations.cpp.
extern template void residual<double>(const System&, const double*, const double*, const double*,
                                      Workspace<double>&, double*);
extern template void prescribed_wrenches<double>(const System&, const double*, const double*,
                                                 const double*, Workspace<double>&);
extern template void tangent<double>(const System&, const double*, const double*, const double*,
                                     Workspace<double>&);
extern template void constraint_rates<double>(const System&, const double*, Workspace<double>&,
                                              double*, double*);

}  // namespace tumble
