// Steps of BasicIntegrator by the Radau IIA method (docs/theory/radau.md). The stages hold joints
// as velocities, so that positions are off by what a step is wrong by. At the end of each they are
// put back onto the constraints, velocities and accelerations too: what the state holds fits
// together as after a restart. Included by integrator_impl.hpp.
#pragma once
#include <algorithm>
#include <cmath>

#include "tumble/integrate/step/constraint_velocity.hpp"
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

template <class S>
bool BasicIntegrator<S>::converge_by_radau(double time_after) requires std::is_same_v<S, double> {
  RadauStages& stages = *radau_;
  const bool solved =
      stages.solve({now_.time, inside_, h_, now_.q, now_.v, now_.vdot, now_.lambda, length_scale_},
                   w_, statistics_);
  w_.ahead = h_;
  if (solved) {
    q_next_ = stages.end().q;
    v_next_ = stages.end().v;
    vdot_next_ = stages.end().vdot;
    lambda_next_ = stages.end().lambda;
    u_ = stages.end().u;
  }
  const bool landed = solved && land(time_after);
  work_rate_ = w_.power.work;  // with the multipliers of the end
  count_factors();
  if (landed) return true;
  stages.forget();
  worst_ = stages.worst();
  return false;
}

template <class S>
bool BasicIntegrator<S>::land(double time_after) requires std::is_same_v<S, double> {
  if (system_.nc == 0) {  // the last stage solves the equations there
    update_kinematics(time_after, inside_, q_next_, v_next_);
    return true;
  }
  if (!land_positions(time_after)) return false;
  land_velocities();
  land_accelerations();
  return true;
}

// As assemble_positions(): least motion in the mass metric, with one factor, of the matrix where
// the stages ended. They are wrong by so little that this converges at once.
template <class S>
bool BasicIntegrator<S>::land_positions(double time_after) requires std::is_same_v<S, double> {
  constexpr int most = 10;
  constexpr double epsilon = 2.220446049250313e-16;
  const double floor = 4 * epsilon * length_scale_;
  const std::size_t nv = v_next_.size();
  double before = 1e300;
  for (int iteration = 0; iteration < most; ++iteration) {
    update_kinematics(time_after, inside_, q_next_, v_next_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    if (iteration == 0) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      factor_all(0, 0);
    }
    double violation = 0;
    for (std::size_t i = nv; i < residual_.size(); ++i)
      if (const double size = std::fabs(residual_[i]); !(size <= violation)) violation = size;
    if (violation <= floor || (violation <= 1e3 * floor && violation >= 0.5 * before)) return true;
    if (!(violation < before)) return false;
    before = violation;
    std::fill_n(residual_.begin(), nv, 0.0);
    kkt_.solve_hard(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) delta_[i] = -delta_[i], u_[i] += delta_[i];
    compose(system_, q_next_.data(), delta_.data(), q_next_.data());
  }
  return false;
}

// v + Δ with M Δ = -Gᵀ Λ and G (v + Δ) + ∂φ/∂t = 0. The factor is that of the place before
// positions were corrected; what that leaves is the product of two corrections.
template <class S>
void BasicIntegrator<S>::land_velocities() requires std::is_same_v<S, double> {
  const std::size_t nv = v_next_.size();
  constraint_velocity(system_, c_.data(), v_next_.data(), lambda_next_.data(), w_,
                      residual_.data() + nv, bias_.data());
  std::fill_n(residual_.begin(), nv, 0.0);
  kkt_.solve_hard(residual_.data(), delta_.data());
  for (std::size_t i = 0; i < nv; ++i) v_next_[i] -= delta_[i];
  update_bodies(system_, q_next_.data(), v_next_.data(), w_);
}

// Accelerations and multipliers of the last stage, corrected until r = 0 and G v̇ + bias = 0.
// Friction follows from the multipliers: then each correction leaves about its coefficient.
template <class S>
void BasicIntegrator<S>::land_accelerations() requires std::is_same_v<S, double> {
  constexpr double enough = 1e-15;
  const int most = system_.friction_slots.empty() ? 3 : 40;
  const std::size_t nv = v_next_.size(), nc = lambda_next_.size();
  constraint_velocity(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_,
                      time_rate_.data(), bias_.data());
  double before = 1e300;
  for (int iteration = 0; iteration < most; ++iteration) {
    if (iteration > 0) update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    multiply_gradient(system_, w_, vdot_next_.data(), residual_.data() + nv);
    for (std::size_t i = 0; i < nc; ++i) residual_[nv + i] += bias_[i];
    kkt_.solve_hard(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) vdot_next_[i] -= delta_[i];
    for (std::size_t i = 0; i < nc; ++i) lambda_next_[i] -= delta_[nv + i];
    const double change = weighted_norm(delta_.data());
    if (change <= enough * weighted_norm(vdot_next_.data()) || change > 0.5 * before) return;
    before = change;
  }
}

}  // namespace tumble
