// The definitions of BasicIntegrator, instantiated once per kind of scalar: for double in
// integrator.cpp, for lanes in the sources compiled for their instruction sets. Here is what one
// step is made of; how steps begin, converge and pass singular positions is in files of their own.
#pragma once
#include <algorithm>
#include <cmath>

#include "tumble/dynamics/joint_pose.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/step/integrator_newton_impl.hpp"
#include "tumble/integrate/step/integrator_start_impl.hpp"
#include "tumble/integrate/step/other_methods_impl.hpp"
#include "tumble/integrate/step/radau_impl.hpp"
#include "tumble/integrate/step/singular_crossing_impl.hpp"
#include "tumble/integrate/watch/redundancy.hpp"

namespace tumble {

inline constexpr double infinity = __builtin_huge_val();

template <class S>
BasicIntegrator<S>::BasicIntegrator(const Plan& plan, const std::vector<S>& constants)
    : plan_(plan),
      system_(*plan.system),
      c_(constants),
      method_(system_.nominal.simulation.integrator),
      alpha_(GeneralizedAlpha::with_spectral_radius(system_.nominal.simulation.spectral_radius)),
      tolerance_(system_.nominal.simulation.newton_tolerance),
      max_iterations_(system_.nominal.simulation.max_iterations),
      exchanges_power_(exchanges_power(system_)),
      w_(system_),
      kkt_(plan),
      turned_(system_),
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
  if (!system_.events.empty()) look_q_ = now_.q, look_u_ = u_, look_v_ = now_.v;
  const Simulation& simulation = system_.nominal.simulation;
  if (steps_over_breaks())
    for (auto* x : {&v_before_, &u_before_}) x->assign(nv, S(0.0));
  if constexpr (std::is_same_v<S, double>) {
    if (by_radau()) radau_.emplace(plan, constants);
  }
  if (method_ == IntegrationMethod::baumgarte) {
    alpha_rate_ = simulation.baumgarte_alpha.value_or(simulation.default_baumgarte_rate());
    beta_rate_ = simulation.baumgarte_beta.value_or(simulation.default_baumgarte_rate());
  }
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
Mask<S> BasicIntegrator<S>::step(double time_after) {
  const double inside_before = inside_;
  inside_ = 0.5 * (now_.time + time_after);
  if constexpr (std::is_same_v<S, double>) {
    if (keeps_waypoint_) {
      waypoint_.work = work_, waypoint_.dissipated = dissipated_;
      waypoint_.angle = w_.angle, waypoint_.euler = w_.euler, waypoint_.bushing = w_.bushing;
      waypoint_.bushings_followed = w_.bushings_followed;
    }
  }
  // What dampers take never changes its sign, so every other step tells enough of it.
  w_.power.with_dissipation = by_radau() || steps_sampled_ % 2 == 1;
  w_.ahead = h_;
  w_.lost_turn = -1;
  Mask<S> stuck;
  if constexpr (std::is_same_v<S, double>) {
    try {
      stuck = !converge(time_after);
    } catch (...) {  // the caller may try a shorter step
      w_.ahead = 0;
      inside_ = inside_before;
      factor_.valid = false;
      turned_.stop();
      throw;
    }
  } else {
    predict();
    stuck = newton(time_after);
  }
  if (!all(stuck)) {
    if (turns_to_follow(system_, h_, v_next_.data(), w_)) {
      update_bodies(system_, q_next_.data(), v_next_.data(), w_);
      stuck = stuck | follow_turns(system_, c_.data(), w_);
    }
  }
  w_.ahead = 0;
  if constexpr (std::is_same_v<S, double>) {
    if (stuck) {
      inside_ = inside_before;
      factor_.valid = false;
      turned_.stop();
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
  if (steps_over_breaks()) {
    if (!has_history_) v_next_ = v_start_;
    v_before_.swap(v_next_);
    u_before_.swap(u_);
    h_before_ = h_;
  }
  time_before_ = now_.time;
  now_.time = time_after;
  has_history_ = true;
  ++statistics_.steps;
  ++steps_sampled_;
  if constexpr (std::is_same_v<S, double>) {
    if (by_radau()) {
      radau_->accept(h_);
      // Where drives move joints work follows from multipliers, which stages know to second order.
      if (system_.nc > 0 && system_.drives.size() > 0)
        work_.add(time_after, work_rate_);
      else
        work_.add_integral(time_after, radau_->work(), radau_->work_doubt());
      dissipated_.add_integral(time_after, radau_->dissipated(), radau_->dissipated_doubt());
      return true;
    }
  }
  if (exchanges_power_) {
    work_.add(time_after, work_rate_);
    if (w_.power.with_dissipation) dissipated_.add(time_after, dissipation_rate_);
  }
  return !stuck;
}

// Between the ends of a step of length h increments of position and velocities are cubics of time,
// x = (t - t_n)/h (Hermite):
//   u(x) = x²(3 - 2x) u + h x (1 - x)² v_n + h x²(x - 1) u'_{n+1}/h,
// and likewise v(x) from v and v̇. A rotation vector turns with the rate
//   θ' = ω + ½ θ × ω + 1/12 θ × (θ × ω) + O(θ⁴),  ω in body axes.
// After a step q_next_ and v_next_ hold what q and v were before it.
template <class S>
Workspace<S>& BasicIntegrator<S>::look_back(double time) {
  const double h = now_.time - time_before_, x = (time - time_before_) / h;
  const S one(x * x * (3 - 2 * x)), from(h * x * (1 - x) * (1 - x)), to(h * x * x * (x - 1));
  for (std::size_t i = 0; i < look_u_.size(); ++i) {
    const S &before = v_next_[i], &after = now_.v[i];
    look_u_[i] = fma(one, u_[i], fma(from, before, to * after));
    look_v_[i] =
        fma(one, after - before, fma(from, vdot_before_[i], fma(to, now_.vdot[i], before)));
  }
  for (const auto& block : system_.blocks) {
    if (block.kind != Block::Kind::rigid) continue;
    const auto rotation = static_cast<std::size_t>(block.v + 3);
    const Vec3<S> turn = load3(&u_[rotation]), omega = load3(&now_.v[rotation]);
    const Vec3<S> once = cross(turn, omega);
    const Vec3<S> more = S(0.5) * once + S(1.0 / 12) * cross(turn, once);
    for (int k = 0; k < 3; ++k) {
      S& u = look_u_[rotation + static_cast<std::size_t>(k)];
      u = fma(to, more[k], u);
    }
  }
  compose(system_, q_next_.data(), look_u_.data(), look_q_.data());
  update_kinematics(time, inside_, look_q_, look_v_);
  return w_;
}

template <class S>
void BasicIntegrator<S>::undo_step() requires std::is_same_v<S, double> {
  now_.q.swap(q_next_);
  now_.v.swap(v_next_);
  now_.vdot = vdot_before_;
  now_.lambda = lambda_before_;
  now_.time = time_before_;
  work_ = waypoint_.work, dissipated_ = waypoint_.dissipated;
  w_.angle = waypoint_.angle, w_.euler = waypoint_.euler, w_.bushing = waypoint_.bushing;
  w_.bushings_followed = waypoint_.bushings_followed;
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

template <class S>
std::string BasicIntegrator<S>::lost_turn() const {
  return system_.describe_turn(w_.lost_turn);
}

template <class S>
std::string BasicIntegrator<S>::worst_row() const {
  return system_.describe_row(worst_);
}

}  // namespace tumble
