// The definitions of BasicIntegrator, instantiated once per kind of scalar: for double in
// integrator.cpp, for lanes in the sources compiled for their instruction sets.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

#include "tumble/dynamics/joint_pose.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/integrator.hpp"

namespace tumble {

inline constexpr double infinity = __builtin_huge_val();

template <class S>
BasicIntegrator<S>::BasicIntegrator(const Plan& plan, const std::vector<S>& constants)
    : plan_(plan),
      system_(*plan.system),
      c_(constants),
      alpha_(GeneralizedAlpha::with_spectral_radius(system_.nominal.simulation.spectral_radius)),
      tolerance_(system_.nominal.simulation.newton_tolerance),
      max_iterations_(system_.nominal.simulation.max_iterations),
      exchanges_power_(exchanges_power(system_)),
      w_(system_),
      kkt_(plan),
      watch_(plan) {
  const auto nq = static_cast<std::size_t>(system_.nq), nv = static_cast<std::size_t>(system_.nv),
             nc = static_cast<std::size_t>(system_.nc);
  for (auto* x : {&now_.q, &q_next_}) x->assign(nq, S(0.0));
  for (auto* x :
       {&now_.v, &now_.vdot, &a_, &vdot_before_, &v_start_, &u_, &v_next_, &vdot_next_, &jerk_})
    x->assign(nv, S(0.0));
  for (auto* x : {&now_.lambda, &lambda_before_, &lambda_next_, &time_rate_, &bias_})
    x->assign(nc, S(0.0));
  residual_.assign(nv + nc, S(0.0));
  delta_.assign(nv + nc, S(0.0));
  gradients_ = w_.K;
}

template <class S>
void BasicIntegrator<S>::update_kinematics(double time, double inside, const std::vector<S>& q,
                                           const std::vector<S>& v) {
  update_drives(system_, c_.data(), time, inside, w_);
  update_bodies(system_, q.data(), v.data(), w_);
}

template <class S>
Workspace<S>& BasicIntegrator<S>::observe() {
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  return w_;
}

template <class S>
const BasicMotionState<S>& BasicIntegrator<S>::reported() {
  if (!watch_.needed()) return now_;
  const Mask<S> contradicting =
      watch_.update(c_.data(), observe(), now_.time, now_.vdot.data(), now_.lambda.data());
  if constexpr (std::is_same_v<S, double>) {
    if (contradicting) throw_contradiction(*plan_.redundancy, now_.time);
  } else {
    failed_ = failed_ | contradicting;
  }
  reported_ = now_;
  reported_.lambda = watch_.least_norm();
  return reported_;
}

template <class S>
S BasicIntegrator<S>::constraint_residual() {
  observe();
  residual(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_, residual_.data());
  S largest(0.0);
  const S* phi = residual_.data() + system_.nv;
  for (int i = 0; i < system_.nc; ++i) largest = max(largest, abs(phi[i]));
  return largest;
}

template <class S>
S BasicIntegrator<S>::alignment() const {
  return least_alignment(system_, c_.data(), w_);
}

// The largest weighted entry; anything but a number anywhere makes it infinite.
template <class S>
S BasicIntegrator<S>::weighted_norm(const S* x) const {
  const S* weight = c_.data() + system_.weight_constants;
  S largest(0.0);
  for (int i = 0; i < system_.nv; ++i) {
    const S value = weight[i] * abs(x[i]);
    // A comparison with NaN is false: it takes the infinity, which nothing displaces again.
    largest = select(value <= largest, largest, select(value < S(infinity), value, S(infinity)));
  }
  return largest;
}

/// Factors A(c1, c2) at the workspace's kinematics in all lanes; a lane whose pivots fade fails.
template <class S>
void BasicIntegrator<S>::factor_all(double c1, double c2) {
  failed_ = failed_ | kkt_.factor(w_, c1, c2, nullptr, now_.time, S(0.0) < S(1.0));
}

template <class S>
void BasicIntegrator<S>::start(const BasicInitialState<S>& initial, double time, double inside) {
  now_.time = time;
  inside_ = inside;
  now_.q = initial.q;
  now_.v = initial.v;
  failed_ = S(1.0) < S(0.0);
  statistics_ = {};
  kkt_.forget_counts();
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
  for (std::size_t i = 0; i < lambda.size(); ++i) residual_[nv + i] = -bias_[i];
  kkt_.solve_hard(residual_.data(), delta_.data());
  for (std::size_t i = 0; i < nv; ++i) vdot[i] = delta_[i];
  for (std::size_t i = 0; i < lambda.size(); ++i) lambda[i] = delta_[nv + i];
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
  if (system_.nc == 0) return;
  const S factor((1 - 6 * alpha_.beta - 3 * alpha_.shift()) / 6);
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

template <class S>
void BasicIntegrator<S>::restart(double h) {
  h_ = h;
  regularized_steps_ = 0;
  inside_ = now_.time + 0.5 * h;
  ++statistics_.restarts;
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
  factor_all(0, 0);
  project_velocity();
  solve_accelerations(now_.vdot, now_.lambda);
  follow_turns(system_, c_.data(), h_, w_);
  kkt_.put_aside();
  gradients_ = w_.K;
  estimate_jerk();
  const S shift(alpha_.shift() * h);
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = now_.vdot[i] + shift * jerk_[i];
  perturb_velocity();  // the first step starts from v_start_; state() keeps the consistent velocity
  acceleration_size_ = weighted_norm(now_.vdot.data());
  has_history_ = false;
  factor_valid_ = S(1.0) < S(0.0);
  statistics_.factorizations = kkt_.factorizations();
  statistics_.pivot_searches = kkt_.pivot_searches();
}

// What a step starts from, in one pass over the velocities: the auxiliary acceleration that the
// last step left to be computed, the accelerations extrapolated, and the velocities and increments
// of position that they give.
template <class S>
void BasicIntegrator<S>::predict() {
  const S h(h_), h2(h_ * h_);
  const S gamma(alpha_.gamma), rest_gamma(1 - alpha_.gamma), beta(alpha_.beta),
      rest_beta(0.5 - alpha_.beta);
  const S alpha_m(alpha_.alpha_m), alpha_f(alpha_.alpha_f), rest_f(1 - alpha_.alpha_f),
      keep(1 / (1 - alpha_.alpha_m));
  const S c1(alpha_.velocity_factor(h_)), c2(alpha_.position_factor(h_)), two(2.0);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    const S vdot = now_.vdot[i], before = vdot_before_[i];
    S a = a_[i], v, predicted = vdot;
    if (has_history_) {
      a = keep * (fma(rest_f, vdot, alpha_f * before) - alpha_m * a);
      a_[i] = a;
      v = now_.v[i];
      predicted = fma(two, vdot, -before);
    } else {
      v = v_start_[i];
    }
    // a_{n+1} without its share of v̇_{n+1}
    const S a_base = keep * (alpha_f * vdot - alpha_m * a);
    vdot_next_[i] = predicted;
    v_next_[i] = fma(c1, predicted, fma(h, fma(rest_gamma, a, gamma * a_base), v));
    u_[i] = fma(c2, predicted, fma(h2, fma(rest_beta, a, beta * a_base), h * v));
  }
  for (std::size_t i = 0; i < lambda_next_.size(); ++i)
    lambda_next_[i] = has_history_ ? fma(two, now_.lambda[i], -lambda_before_[i]) : now_.lambda[i];
  compose(system_, now_.q.data(), u_.data(), q_next_.data());
}

// One iterate to the next, in the active lanes: accelerations and multipliers less the solved
// increment, and the velocities and positions that belong to them.
template <class S>
typename BasicIntegrator<S>::IncrementSize BasicIntegrator<S>::apply_increment(
    const Mask<S>& active) {
  const S c1(alpha_.velocity_factor(h_)), c2(alpha_.position_factor(h_)), zero(0.0);
  const S* weight = c_.data() + system_.weight_constants;
  const std::size_t nv = vdot_next_.size(), nc = lambda_next_.size();
  IncrementSize size{zero, zero, zero};
  for (std::size_t i = 0; i < nv; ++i) {
    const S delta = select(active, residual_[i], zero);
    const S vdot = vdot_next_[i] - delta;
    vdot_next_[i] = vdot;
    v_next_[i] = fnma(c1, delta, v_next_[i]);
    u_[i] = fnma(c2, delta, u_[i]);
    size.change = max(weight[i] * abs(delta), size.change);
    size.acceleration = max(weight[i] * abs(vdot), size.acceleration);
    size.nonfinite = fma(delta, zero, size.nonfinite);
  }
  for (std::size_t i = 0; i < nc; ++i)
    lambda_next_[i] = select(active, lambda_next_[i] - residual_[nv + i], lambda_next_[i]);
  compose(system_, now_.q.data(), u_.data(), q_next_.data());
  return size;
}

template <class S>
Mask<S> BasicIntegrator<S>::step(double time_after) {
  const double inside_before = inside_;
  inside_ = 0.5 * (now_.time + time_after);
  // What dampers take never changes its sign, so every other step tells enough of it.
  w_.power.with_dissipation = steps_sampled_ % 2 == 1;
  w_.ahead = h_;
  w_.lost_turn = -1;
  Mask<S> stuck;
  if constexpr (std::is_same_v<S, double>) {
    stuck = !converge(time_after);
  } else {
    predict();
    stuck = newton(time_after);
  }
  if (!all(stuck)) {
    if (turns_to_follow(system_, h_, v_next_.data(), w_)) {
      update_bodies(system_, q_next_.data(), v_next_.data(), w_);
      stuck = stuck | follow_turns(system_, c_.data(), h_, w_);
    } else {
      pass_turns(w_);
    }
  }
  w_.ahead = 0;
  if constexpr (std::is_same_v<S, double>) {
    if (stuck) {
      inside_ = inside_before;
      factor_valid_ = false;
      return false;
    }
  } else {
    failed_ = failed_ | stuck;
    if (any(failed_)) freeze_unmoved(failed_);
  }
  vdot_before_.swap(now_.vdot);
  lambda_before_.swap(now_.lambda);
  now_.vdot.swap(vdot_next_);
  now_.lambda.swap(lambda_next_);
  now_.q.swap(q_next_);
  now_.v.swap(v_next_);
  now_.time = time_after;
  has_history_ = true;
  ++statistics_.steps;
  ++steps_sampled_;
  if (exchanges_power_) {
    work_.add(time_after, work_rate_);
    if (w_.power.with_dissipation) dissipated_.add(time_after, dissipation_rate_);
  }
  return !stuck;
}

// Beside a singular position the ordinary iteration fails to come to rest or finds no pivots. Other
// failures look the same, so the regularised matrix is asked whether the constraints have nearly
// lost their rank. Once it is needed it serves until they have it back: the ordinary iteration
// would waver between failing and passing with multipliers that are mostly noise.
template <class S>
bool BasicIntegrator<S>::converge(double time_after) requires std::is_same_v<S, double> {
  if (regularized_steps_ > 0) {
    --regularized_steps_;
    predict();
    if (cross_singular_position(time_after)) return true;
    regularized_steps_ = 0;
  }
  predict();
  std::optional<SimulationError> singular;
  try {
    if (!newton(time_after)) return true;
  } catch (const SimulationError& error) {
    singular = error;
  }
  factor_valid_ = false;
  const int blamed = worst_;
  if (system_.nc > 0) {
    predict();
    if (cross_singular_position(time_after)) return true;
  }
  worst_ = blamed;
  if (singular) throw *singular;
  return false;
}

template <class S>
bool BasicIntegrator<S>::cross_singular_position(
    double time_after) requires std::is_same_v<S, double> {
  // The eigenvalue of independent constraints is about 1, less in long chains. Below the second
  // value the ordinary iteration is not tried again for some steps.
  constexpr double nearly_singular = 1e-2, singular = 1e-3;
  constexpr int steps_without_trying = 16;
  constexpr double holds = 1e-10, rounded = 1e-13;  // constraints, relative to the machine's size
  constexpr double epsilon = 2.220446049250313e-16;
  const double c1 = alpha_.velocity_factor(h_), c2 = alpha_.position_factor(h_);
  const double floor = 2 * epsilon / c2 * length_scale_;
  const std::size_t nv = vdot_next_.size();
  if (!regularized_) regularized_.emplace(system_);
  // What the constraints do not determine keeps the value it had when they last did. Starting from
  // the step before instead would add up what soft constraints leave, step by step, and swing.
  if (regularized_steps_ == 0) lambda_determined_ = now_.lambda;
  lambda_next_ = lambda_determined_;
  update_drives(system_, c_.data(), time_after, inside_, w_);
  const std::vector<double>& matrix = kkt_.matrix();
  double before = 0;
  for (int iteration = 1; iteration <= max_iterations_; ++iteration) {
    update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    if (!(weighted_norm(residual_.data()) < 1e300)) return false;
    work_rate_ = w_.power.work;
    dissipation_rate_ = w_.power.dissipation;
    double violation = 0;
    for (std::size_t i = nv; i < residual_.size(); ++i)
      violation = std::max(violation, std::fabs(residual_[i]));
    if (iteration <= 2) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      kkt_.assemble(w_, c1, c2, u_.data());
      if (!regularized_->factor(matrix, w_.M)) return false;
      if (iteration == 1) {
        const double eigenvalue = regularized_->smallest_eigenvalue();
        if (eigenvalue > nearly_singular) return false;
        if (eigenvalue < singular) regularized_steps_ = steps_without_trying;
      }
    }
    for (std::size_t i = nv; i < residual_.size(); ++i) residual_[i] /= c2;
    regularized_->solve(residual_.data(), residual_.data());
    const IncrementSize size = apply_increment(!failed_);
    ++statistics_.iterations;
    const double change = size.change;
    if (!(change < 1e300) || size.nonfinite != 0) return false;
    const double acceleration = std::max(size.acceleration, acceleration_size_);
    // Where the constraints hold and increments are small but hardly decrease, all that still moves
    // is what they no longer determine.
    const bool determined = change <= std::max(floor, tolerance_ * acceleration);
    const bool wavering = change > 0.5 * before &&
                          (change <= 1e-3 * acceleration || violation <= rounded * length_scale_);
    if (iteration > 1 && (determined || wavering) && violation <= holds * length_scale_) {
      if (determined) lambda_determined_ = lambda_next_;
      acceleration_size_ = size.acceleration;
      factor_valid_ = false;
      ++statistics_.regularized_steps;
      return true;
    }
    before = change;
  }
  return false;
}

// A failed lane stays at rest where it was, so that it neither overflows nor costs iterations.
template <class S>
void BasicIntegrator<S>::freeze_unmoved(const Mask<S>& stuck) {
  for (std::size_t i = 0; i < q_next_.size(); ++i)
    q_next_[i] = select(stuck, now_.q[i], q_next_[i]);
  for (std::size_t i = 0; i < v_next_.size(); ++i) {
    v_next_[i] = select(stuck, S(0.0), v_next_[i]);
    vdot_next_[i] = select(stuck, S(0.0), vdot_next_[i]);
    now_.vdot[i] = select(stuck, S(0.0), now_.vdot[i]);
    a_[i] = select(stuck, S(0.0), a_[i]);
  }
  for (std::size_t i = 0; i < lambda_next_.size(); ++i) {
    lambda_next_[i] = select(stuck, S(0.0), lambda_next_[i]);
    now_.lambda[i] = select(stuck, S(0.0), now_.lambda[i]);
  }
}

// Newton with a factor kept over iterations and steps while it converges fast. The error left
// after an increment δ is about δ ρ/(1 - ρ), ρ the contraction; it must be below the tolerance
// times the largest acceleration, or below what rounding of the positions does to accelerations.
// A rate is remembered only if it was measured in a later step than the factor's own, where Newton
// is quadratic, and is taken to grow with the age of the factor: in a body that spins fast an
// exact factor is poor after one step. Returns the lanes that did not converge.
template <class S>
Mask<S> BasicIntegrator<S>::newton(double time_after) {
  const double c1 = alpha_.velocity_factor(h_), c2 = alpha_.position_factor(h_);
  constexpr double epsilon = 2.220446049250313e-16;
  const S floor = S(2 * epsilon / c2) * length_scale_;
  // What Newton leaves has the same sign in many steps and adds up, where rounding does not: who
  // asks for more than the default gets iterations down to where they stop gaining.
  constexpr double default_tolerance = 1e-8;
  const S target = min(S(1.0), S(tolerance_ / default_tolerance)) * floor;
  const S slow(0.25);  // refactor when an iteration gains less than this
  // A factor that still converges well but gets old is given up in every 12th step only: lanes age
  // together, and a new factor costs as much for one lane as for all.
  constexpr long renew_every = 12;
  const bool renewing = statistics_.steps % renew_every == renew_every - 1;
  const S outdated(renewing ? 0.01 : 0.25);
  // Every so many steps the rate is measured anew; by the step's number, so that lanes spend the
  // extra iteration in the same step. Where what is left would be far below what is allowed, only
  // every fourth time.
  constexpr long measure_every = 8, measure_all_every = 32;
  const bool measuring = statistics_.steps % measure_every == 0;
  const S margin(statistics_.steps % measure_all_every == 0 ? 0.0 : 0.1);
  // Iterations an old factor is given: many slow ones cost more than a new factor, and running
  // out of iterations must mean that the step is too large, never that the factor is old.
  constexpr int patience = 4;
  const S one(1.0), zero(0.0), huge(1e300);
  const std::size_t nv = vdot_next_.size();
  S acceleration_next = acceleration_size_;
  update_drives(system_, c_.data(), time_after, inside_, w_);
  S before(0.0);  // size of the previous increment, zero if there is none with this factor
  const Mask<S> none = one < zero;
  Mask<S> active = !failed_, stuck = none, fresh = none, has_ratio = none;
  for (int iteration = 1; iteration <= max_iterations_; ++iteration) {
    update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    // Lanes that are done have moved on by their last increment, as they would not alone.
    work_rate_ = select(active, w_.power.work, work_rate_);
    dissipation_rate_ = select(active, w_.power.dissipation, dissipation_rate_);
    const Mask<S> refactor = active & !factor_valid_;
    if (any(refactor)) {
      // An iterate beyond all numbers has no tangent worth factoring.
      const Mask<S> overflow = refactor & !(weighted_norm(residual_.data()) < huge);
      if (any(overflow)) {
        stuck = stuck | overflow;
        active = active & !overflow;
        if (!any(active)) break;
      }
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      const Mask<S> degraded = kkt_.factor(w_, c1, c2, u_.data(), time_after, refactor);
      statistics_.factorizations = kkt_.factorizations();
      statistics_.pivot_searches = kkt_.pivot_searches();
      factor_valid_ = factor_valid_ | refactor;
      fresh = fresh | refactor;
      has_ratio = has_ratio & !refactor;
      contraction_ = select(refactor, one, contraction_);
      factor_age_ = select(refactor, zero, factor_age_);
      measured_age_ = select(refactor, zero, measured_age_);
      before = select(refactor, zero, before);
      stuck = stuck | degraded;
      active = active & !degraded;
    }
    const S scale(1 / c2);
    for (std::size_t i = nv; i < residual_.size(); ++i) residual_[i] = scale * residual_[i];
    if (const auto* soft = kkt_.compliance())
      for (std::size_t i = 0; i < soft->size(); ++i)
        residual_[nv + i] = fnma(S((*soft)[i]), lambda_next_[i], residual_[nv + i]);
    kkt_.solve(residual_.data(), residual_.data());  // from here on the increment
    const IncrementSize size = apply_increment(active);
    ++statistics_.iterations;

    const S change = size.change;
    const Mask<S> overflow = active & !((change < huge) & (size.nonfinite == zero));
    stuck = stuck | overflow;
    active = active & !overflow;
    const S allowed = max(target, S(tolerance_) * max(size.acceleration, acceleration_size_));
    acceleration_next = size.acceleration;
    const Mask<S> repeated = before > zero;
    const Mask<S> has_age = measured_age_ > zero;
    const S expected = select(
        has_age, min(one, contraction_ * factor_age_ / select(has_age, measured_age_, one)), one);
    const S rate = select(repeated, min(one, change / select(repeated, before, one)), expected);
    // Once at the rounding floor the ratio says nothing about the factor. Of a step's ratios the
    // largest counts: where rotations are right after one iteration and the positions that follow
    // from them after two, the last ratio is next to nothing, and steps that relied on it would
    // stop before their positions are right.
    const Mask<S> telling = active & (before > S(10.0) * floor);
    const Mask<S> remembered = telling & (factor_age_ > zero);
    // A change that vanished in rounding shows no rate below floor / before; it then does not
    // contradict what was known before, so the smaller bound holds.
    const S seen = select(change > S(2.0) * floor, rate,
                          min(expected, max(rate, floor / select(repeated, before, one))));
    contraction_ =
        select(remembered, select(has_ratio, max(contraction_, seen), seen), contraction_);
    has_ratio = has_ratio | remembered;
    measured_age_ = select(remembered, factor_age_, measured_age_);
    const Mask<S> converging = rate < one;
    const S left = select(converging, change * rate / select(converging, one - rate, one), change);
    const Mask<S> measured = measuring ? repeated | (left <= margin * allowed) : !none;
    const Mask<S> done = active & ((change <= allowed) | (measured & (left <= allowed)) |
                                   (repeated & (rate > S(0.5)) & (change <= S(50.0) * floor)));
    factor_age_ = select(done, factor_age_ + one, factor_age_);
    factor_valid_ =
        factor_valid_ & !(done & (contraction_ > outdated) & (contraction_ < one) & !fresh);
    active = active & !done;
    if (!any(active)) break;
    const Mask<S> slowly = active & telling & (rate > slow);
    if (iteration > 3) {  // diverging with its own Jacobian
      const Mask<S> diverging = slowly & fresh & (rate >= one);
      stuck = stuck | diverging;
      active = active & !diverging;
      if (!any(active)) break;
    }
    factor_valid_ = (factor_valid_ & !slowly) | (slowly & fresh & (rate < S(0.5)));
    if (iteration >= patience) factor_valid_ = factor_valid_ & (fresh | !active);
    before = change;
  }
  stuck = stuck | active;
  acceleration_size_ = acceleration_next;
  if constexpr (std::is_same_v<S, double>) {
    if (stuck) find_worst_row();
  }
  return stuck;
}

// The largest increment names the equation, or, if the iterate is beyond all numbers, the largest
// acceleration before it.
template <class S>
void BasicIntegrator<S>::find_worst_row() {
  const S* weight = c_.data() + system_.weight_constants;
  const bool finite = all(weighted_norm(residual_.data()) < S(1e300));
  const std::vector<S>& blamed = finite ? residual_ : now_.vdot;
  double largest = -1;
  worst_ = 0;
  for (int i = 0; i < system_.nv; ++i) {
    const double size = first_lane(weight[i] * abs(blamed[static_cast<std::size_t>(i)]));
    if (size > largest) largest = size, worst_ = i;
  }
}

template <class S>
std::string BasicIntegrator<S>::lost_turn() const {
  return system_.describe_turn(w_.lost_turn);
}

template <class S>
std::string BasicIntegrator<S>::worst_row() const {
  return system_.describe_row(worst_);
}

}  // namespace tumble
