// Starts and restarts of BasicIntegrator: positions onto the constraints, consistent velocities,
// accelerations and multipliers, and the method's own starting values. Included by
// integrator_impl.hpp.
#pragma once
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/watch/redundancy.hpp"

namespace tumble {

template <class S>
void BasicIntegrator<S>::start(const BasicInitialState<S>& initial, double time, double inside) {
  now_.time = time;
  inside_ = inside;
  now_.q = initial.q;
  now_.v = initial.v;
  failed_ = S(1.0) < S(0.0);
  w_.user.unanswered = 0;
  w_.user.wanted = ~0u;
  statistics_ = {};
  kkt_.forget_counts();
  turned_.start();
  work_.begin(time);
  dissipated_.begin(time);
  steps_sampled_ = 0;
  for (auto& motion : w_.prescribed) motion.placed = false;
  for (S& x : now_.vdot) x = S(0.0);
  for (S& x : now_.lambda) x = S(0.0);
  forget_turns(system_, w_);
  if (!initial.turns.empty()) take_turns(initial.turns.data(), w_);
  watch_.start();
  length_scale_ = S(0.0);
  update_kinematics(time, inside, now_.q, now_.v);
  for (const auto& body : w_.body)
    for (int k = 0; k < 3; ++k) length_scale_ = max(length_scale_, abs(body.p_W[k]));
  for (const auto& beam : system_.beams)
    for (int node = 0; node < beam.nodes; ++node)
      for (int k = 0; k < beam.dimension; ++k)
        length_scale_ =
            max(length_scale_, abs(w_.node_q[static_cast<std::size_t>(beam.node(node) + k)]));
  const S* weight = c_.data() + system_.weight_constants;
  for (int i = 0; i < system_.nv; ++i) length_scale_ = max(length_scale_, weight[i]);
  assemble_positions();
}

// Gauss-Newton in the mass metric: of all motions that satisfy the linearised constraints, the one
// with the least  δᵀ M δ:  [M Gᵀ; G 0] [δ; μ] = [0; -φ].
template <class S>
void BasicIntegrator<S>::assemble_positions() {
  if (system_.nc == 0) return;
  constexpr int limit = 50;
  constexpr double epsilon = 2.220446049250313e-16;
  const S floor = S(4 * epsilon) * length_scale_;
  S before(1e300);
  Mask<S> active = S(0.0) < S(1.0);
  S* phi = residual_.data() + system_.nv;
  for (int iteration = 0; iteration < limit; ++iteration) {
    update_kinematics(now_.time, inside_, now_.q, now_.v);
    residual(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_, residual_.data());
    for (int i = 0; i < system_.nv; ++i) residual_[static_cast<std::size_t>(i)] = S(0.0);
    S violation(0.0);
    for (int i = 0; i < system_.nc; ++i) {
      const S size = abs(phi[i]);
      if constexpr (std::is_same_v<S, double>) {
        if (size > violation) worst_ = system_.nv + i;
      }
      violation = select(size <= violation, violation, size);  // keeps NaN
      phi[i] = -phi[i];
    }
    // Stop at rounding, or when already small and no longer improving.
    const Mask<S> done =
        (violation <= floor) | ((violation <= S(1e3) * floor) & (violation >= S(0.5) * before));
    active = active & !done;
    if (!any(active)) return;
    before = violation;
    tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
    // Away from where they hold, conditions that are redundant there are not, and nearly contradict
    // each other: softer ones the farther away converge as fast as independent ones do (Levenberg
    // and Marquardt; Yamashita and Fukushima 2001).
    const S softness = S(1.0) + violation / (S(condition_softness) * length_scale_);
    failed_ = failed_ | kkt_.factor_softened(w_, softness, now_.time, S(0.0) < S(1.0));
    kkt_.solve(residual_.data(), delta_.data());
    // A body never turns by more than about a third of a turn in one iteration.
    S largest(1.0);
    for (const auto& block : system_.blocks)
      if (block.kind == Block::Kind::rigid)
        for (int k = 3; k < 6; ++k)
          largest = max(largest, abs(delta_[static_cast<std::size_t>(block.v + k)]));
    const S damping = select(active, S(1.0) / largest, S(0.0));
    for (int i = 0; i < system_.nv; ++i) {
      S& d = delta_[static_cast<std::size_t>(i)];
      d = select(active, damping * d, S(0.0));
    }
    compose(system_, now_.q.data(), delta_.data(), q_next_.data());
    // A lane that is done keeps its bits: even a zero increment may round the quaternion anew.
    for (std::size_t i = 0; i < now_.q.size(); ++i)
      now_.q[i] = select(active, q_next_[i], now_.q[i]);
  }
  if constexpr (std::is_same_v<S, double>)
    throw_not_assembled(system_, worst_, before, now_.time);
  else
    failed_ = failed_ | active;
}

// v⁺ = v⁻ + M⁻¹ impulse with G v⁺ + ∂φ/∂t = 0: the impulse that consistent joints transmit.
template <class S>
void BasicIntegrator<S>::project_velocity() {
  for (S& r : residual_) r = S(0.0);
  S* rhs = residual_.data() + system_.nv;
  multiply_gradient(system_, w_, now_.v.data(), rhs);
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  for (int i = 0; i < system_.nc; ++i) rhs[i] = -(rhs[i] + time_rate_[static_cast<std::size_t>(i)]);
  kkt_.solve_hard(residual_.data(), delta_.data());
  for (std::size_t i = 0; i < now_.v.size(); ++i) now_.v[i] = now_.v[i] + delta_[i];
  // With M Δv = -Gᵀ Λ the kinetic energy grows by ½ (v⁻ + v⁺)ᵀ M Δv = Λᵀ (∂φ/∂t + ½ rhs).
  impulse_work_ = S(0.0);
  const S half(0.5);
  for (std::size_t i = 0; i < time_rate_.size(); ++i)
    impulse_work_ = fma(delta_[now_.v.size() + i], fma(half, rhs[i], time_rate_[i]), impulse_work_);
  if constexpr (knows_all_methods<S>) {
    impulse_excess_ = S(0.0);
    for (std::size_t i = 0; i < time_rate_.size(); ++i)
      impulse_excess_ = fnma(delta_[now_.v.size() + i], half * rhs[i], impulse_excess_);
  }
}

// [M Gᵀ; G 0] [v̇; λ] = [-r(v̇=0, λ=0); -bias] with the factor of A(0, 0).
template <class S>
void BasicIntegrator<S>::solve_accelerations(std::vector<S>& vdot, std::vector<S>& lambda) {
  for (S& x : vdot) x = S(0.0);
  for (S& x : lambda) x = S(0.0);
  update_bodies(system_, now_.q.data(), now_.v.data(), w_);
  residual(system_, c_.data(), vdot.data(), lambda.data(), w_, residual_.data());
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  const std::size_t nv = vdot.size();
  for (std::size_t i = 0; i < nv; ++i) residual_[i] = -residual_[i];
  if constexpr (knows_all_methods<S>) {
    // Positions may be off, velocities have just been made to fit: see require_accelerations().
    if (method_ == IntegrationMethod::baumgarte)
      for (std::size_t i = 0; i < lambda.size(); ++i)
        bias_[i] = fma(S(beta_rate_ * beta_rate_), residual_[nv + i], bias_[i]);
  }
  for (std::size_t i = 0; i < lambda.size(); ++i) residual_[nv + i] = -bias_[i];
  kkt_.solve_hard(residual_.data(), delta_.data());
  for (std::size_t i = 0; i < nv; ++i) vdot[i] = delta_[i];
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = delta_[nv + i];
  if (!system_.friction_slots.empty()) settle_friction(vdot, lambda);
}

// Friction follows from the multipliers it changes: F(λ) is put in anew until both agree. The
// mistake shrinks by about the coefficient of friction each time; the count is fixed so that lanes
// do what they would alone.
template <class S>
void BasicIntegrator<S>::settle_friction(std::vector<S>& vdot, std::vector<S>& lambda) {
  constexpr int iterations = 40;
  const std::size_t nv = vdot.size();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    update_bodies(system_, now_.q.data(), now_.v.data(), w_);
    residual(system_, c_.data(), vdot.data(), lambda.data(), w_, residual_.data());
    for (std::size_t i = 0; i < nv; ++i) residual_[i] = -residual_[i];
    for (std::size_t i = 0; i < lambda.size(); ++i) residual_[nv + i] = S(0.0);
    kkt_.solve_hard(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) vdot[i] = vdot[i] + delta_[i];
    for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = lambda[i] + delta_[nv + i];
  }
}

// v̈ from the accelerations one step ahead, found by an implicit Euler step of the index-1
// equations: first-order accurate where the motion is resolved, and bounded by v̇/h where a stiff
// damper makes v̈ meaningless on the scale of h.
template <class S>
void BasicIntegrator<S>::estimate_jerk() {
  constexpr int iterations = 3;
  w_.ahead = h_;
  const S h(h_), half_h2(0.5 * h_ * h_);
  const std::size_t nv = vdot_next_.size();
  vdot_next_ = now_.vdot;
  lambda_next_ = now_.lambda;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (std::size_t i = 0; i < nv; ++i) {
      v_next_[i] = now_.v[i] + h * vdot_next_[i];
      u_[i] = h * now_.v[i] + half_h2 * vdot_next_[i];
    }
    compose(system_, now_.q.data(), u_.data(), q_next_.data());
    update_kinematics(now_.time + h_, inside_, q_next_, v_next_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
    // Later iterations move the positions by h² times a change of accelerations: that is nothing to
    // gradients which a first-order estimate needs.
    if (iteration == 0) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      factor_all(h_, 0.5 * h_ * h_);
    }
    multiply_gradient(system_, w_, vdot_next_.data(), residual_.data() + nv);
    for (std::size_t i = 0; i < bias_.size(); ++i) residual_[nv + i] = residual_[nv + i] + bias_[i];
    for (S& r : residual_) r = -r;
    kkt_.solve(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) vdot_next_[i] = vdot_next_[i] + delta_[i];
    for (std::size_t i = 0; i < lambda_next_.size(); ++i)
      lambda_next_[i] = lambda_next_[i] + delta_[nv + i];
  }
  w_.ahead = 0;
  for (std::size_t i = 0; i < nv; ++i) jerk_[i] = (vdot_next_[i] - now_.vdot[i]) / h;
}

// The position update of the method has the local error h³ l,
//   l = (1 - 6β - 3Δ)/6 v̈ + [v, v̇]/12,
// which the constraints would turn into an error of order h in the multipliers for the first
// steps. Starting from v + h² P l, P the projection onto the constrained directions, removes it
// (Arnold, Brüls & Cardona 2015).
template <class S>
void BasicIntegrator<S>::perturb_velocity() {
  v_start_ = now_.v;
  if (system_.nc == 0 || method_ == IntegrationMethod::baumgarte) return;
  const S factor(velocity_offset());
  for (std::size_t i = 0; i < jerk_.size(); ++i) u_[i] = factor * jerk_[i];
  for (const auto& block : system_.blocks) {
    if (block.kind != Block::Kind::rigid) continue;
    const auto rotation = static_cast<std::size_t>(block.v + 3);
    const Vec3<S> bracket = cross(load3(&now_.v[rotation]), load3(&now_.vdot[rotation]));
    add3(&u_[rotation], S(1.0 / 12) * bracket);
  }
  // A(0, 0) consists of masses and gradients, which the velocities found since have not changed.
  if (kkt_.take_back()) {
    w_.K.swap(gradients_);
  } else {
    update_kinematics(now_.time, inside_, now_.q, now_.v);
    tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
    factor_all(0, 0);
  }
  for (S& r : residual_) r = S(0.0);
  multiply_gradient(system_, w_, u_.data(), residual_.data() + system_.nv);
  kkt_.solve_hard(residual_.data(), delta_.data());
  const S h2(h_ * h_);
  for (std::size_t i = 0; i < v_start_.size(); ++i) v_start_[i] = now_.v[i] + h2 * delta_[i];
}

// Consistent values with the factor of A(0, 0), and what the method itself starts from.
template <class S>
void BasicIntegrator<S>::restart_consistently() {
  project_velocity();
  solve_accelerations(now_.vdot, now_.lambda);
  follow_turns(system_, c_.data(), w_);
  if (by_radau()) {  // begins with the state and nothing else
    v_start_ = now_.v;
    return;
  }
  kkt_.put_aside();
  gradients_ = w_.K;
  estimate_jerk();
  const S shift(alpha_.shift() * h_);
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = now_.vdot[i] + shift * jerk_[i];
  perturb_velocity();  // the first step starts from v_start_; state() keeps the consistent velocity
}

template <class S>
void BasicIntegrator<S>::restart(double h) {
  h_ = h;
  c1_ = alpha_.velocity_factor(h);
  c2_ = alpha_.position_factor(h);
  row_scale_ = method_ == IntegrationMethod::baumgarte
                   ? 1 / (1 + 2 * alpha_rate_ * c1_ + beta_rate_ * beta_rate_ * c2_)
                   : 1 / c2_;
  w_.fast_turning = 0.5 / h;
  inside_ = now_.time + 0.5 * h;
  ++statistics_.restarts;
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
  if constexpr (std::is_same_v<S, double>) {
    if (find_restart_factor())
      restart_consistently();
    else
      follow_turns(system_, c_.data(), w_);
  } else {
    factor_all(0, 0);
    restart_consistently();
  }
  if constexpr (knows_all_methods<S>) {
    if (steps_over_breaks()) imagine_history();
  }
  if constexpr (std::is_same_v<S, double>) {
    if (by_radau()) radau_->forget();
  }
  regularized_steps_ = 0;
  acceleration_size_ = weighted_norm(now_.vdot.data());
  has_history_ = false;
  factor_.valid = S(1.0) < S(0.0);
  count_factors();
}

}  // namespace tumble
