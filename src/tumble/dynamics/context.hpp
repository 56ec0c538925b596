// What kernels read of a Workspace and update_bodies() does not write: drives, what they turn and
// move, and what is counted through turns. It changes once a step, and programs have it as an
// input.
#pragma once
#include "tumble/dynamics/workspace.hpp"

namespace tumble {

/// Calls f with every such number, in an order that follows from the system alone.
template <class S, class F>
void visit_context(const System& system, Workspace<S>& w, F&& f) {
  const auto vector = [&](Vec3<S>& x) { f(x.x), f(x.y), f(x.z); };
  const auto matrix = [&](Mat3<S>& x) {
    for (S& entry : x.m) f(entry);
  };
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const int block = system.bodies[i].block;
    const bool moves = block >= 0;
    if (moves && system.blocks[static_cast<std::size_t>(block)].kind == Block::Kind::rigid)
      continue;
    BodyKinematics<S>& body = w.body[i + 1];
    if (!moves) vector(body.p_W), vector(body.v_W);
    f(body.q_WB.w), f(body.q_WB.x), f(body.q_WB.y), f(body.q_WB.z);
    matrix(body.R_WB);
    vector(body.w_B), vector(body.w_W);
  }
  for (auto& drive : w.drive) f(drive.value), f(drive.rate), f(drive.second);
  for (auto& turned : w.turned)
    for (std::size_t k = 0; k < 3; ++k)
      vector(turned.axis[k]), vector(turned.rate[k]), vector(turned.second[k]);
  for (auto& motion : w.prescribed) {
    matrix(motion.R_WA);
    for (auto* x : {&motion.offset_W, &motion.a_W, &motion.alpha_W, &motion.alpha_B}) vector(*x);
  }
  for (auto& angle : w.angle) f(angle.value), f(angle.rate);
  for (auto& turn : w.bushing) vector(turn.theta.value), vector(turn.theta.rate), f(turn.far);
}

}  // namespace tumble
