// Newton's iteration of a step of BasicIntegrator, from what it predicts to convergence. Included
// by integrator_impl.hpp.
#pragma once
#include <algorithm>

#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/step/integrator_program_impl.hpp"

namespace tumble {

// What a step starts from, in one pass over the velocities: the auxiliary acceleration that the
// last step left to be computed, the accelerations extrapolated, and the velocities and increments
// of position that they give. `again` is for lanes that have left this start without success.
template <class S>
template <bool again>
void BasicIntegrator<S>::predict_in(const Mask<S>& lanes) {
  if constexpr (knows_all_methods<S>) {
    if (method_ == IntegrationMethod::multistep) return predict_multistep();
  }
  if constexpr (!again) {
    if (predict_by_program()) return;
  }
  const S h(h_), h2(h_ * h_);
  const S gamma(alpha_.gamma), rest_gamma(1 - alpha_.gamma), beta(alpha_.beta),
      rest_beta(0.5 - alpha_.beta);
  const S alpha_m(alpha_.alpha_m), alpha_f(alpha_.alpha_f), rest_f(1 - alpha_.alpha_f),
      keep(1 / (1 - alpha_.alpha_m));
  const S c1(c1_), c2(c2_), two(2.0);
  const auto put = [&](S& x, const S& value) {
    if constexpr (again)
      x = select(lanes, value, x);
    else
      x = value;
  };
  const auto start_from = [&](std::size_t i, const S& vdot, const S& predicted, const S& a,
                              const S& v) {
    // a_{n+1} without its share of v̇_{n+1}
    const S a_base = keep * (alpha_f * vdot - alpha_m * a);
    put(vdot_next_[i], predicted);
    put(v_next_[i], fma(c1, predicted, fma(h, fma(rest_gamma, a, gamma * a_base), v)));
    put(u_[i], fma(c2, predicted, fma(h2, fma(rest_beta, a, beta * a_base), h * v)));
  };
  const std::size_t nv = a_.size(), nc = lambda_next_.size();
  if (has_history_) {
    for (std::size_t i = 0; i < nv; ++i) {
      const S vdot = now_.vdot[i], before = vdot_before_[i];
      S a = a_[i];
      if constexpr (!again) {
        a = keep * (fma(rest_f, vdot, alpha_f * before) - alpha_m * a);
        a_[i] = a;
      }
      start_from(i, vdot, fma(two, vdot, -before), a, now_.v[i]);
    }
    for (std::size_t i = 0; i < nc; ++i)
      put(lambda_next_[i], fma(two, now_.lambda[i], -lambda_before_[i]));
  } else {
    for (std::size_t i = 0; i < nv; ++i)
      start_from(i, now_.vdot[i], now_.vdot[i], a_[i], v_start_[i]);
    for (std::size_t i = 0; i < nc; ++i) put(lambda_next_[i], now_.lambda[i]);
  }
  compose(system_, now_.q.data(), u_.data(), q_next_.data());
}

// One iterate to the next, in the active lanes: accelerations and multipliers less the solved
// increment, and the velocities and positions that belong to them.
template <class S>
typename BasicIntegrator<S>::IncrementSize BasicIntegrator<S>::apply_increment(
    const Mask<S>& active) {
  const S c1(c1_), c2(c2_), zero(0.0);
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

// The largest increment of a state variable relative to its value. The floor is for states that
// rest at zero: what is below a millionth, whatever its unit, need not be known to more than 14
// digits behind that.
template <class S>
S BasicIntegrator<S>::state_change(const Mask<S>& active) const {
  const S c1(c1_), floor(1e-6), zero(0.0);
  S largest(0.0);
  for (const StateIndex& state : system_.states) {
    const auto i = static_cast<std::size_t>(state.v);
    const S size = fma(c1, abs(vdot_next_[i]), abs(v_next_[i])) + floor;
    largest = max(c1 * abs(select(active, residual_[i], zero)) / size, largest);
  }
  return largest;
}

// From what a step predicts to its end. Returns the lanes that did not converge.
template <class S>
Mask<S> BasicIntegrator<S>::newton(double time_after) {
  S acceleration_next = acceleration_size_;
  update_drives(system_, c_.data(), time_after, inside_, w_);
  const Mask<S> stuck = turned_.none() ? iterate(time_after, !failed_, false, acceleration_next)
                                       : converge_turned(time_after, acceleration_next);
  acceleration_size_ = acceleration_next;
  if constexpr (carries_slopes<S>) {
    if (!stuck) return !settle_slopes();
  }
  if constexpr (std::is_same_v<S, double>) {
    if (stuck) find_worst_row();
  }
  return stuck;
}

// Where the factor turns with beams and the iteration fails, it starts again with one that does
// not, made from what the step predicts: a turned factor never costs a step. A lane without pivots
// is left to the scalar engine, which finds others and may not have to start again.
template <class S>
Mask<S> BasicIntegrator<S>::converge_turned(double time_after, S& acceleration) {
  degraded_ = S(1.0) < S(0.0);
  turned_.stay(S(0.0) < S(1.0));
  Mask<S> stuck;
  if constexpr (std::is_same_v<S, double>) {
    try {
      stuck = iterate(time_after, !failed_, true, acceleration);
    } catch (const UserElementFailure&) {
      throw;
    } catch (const SimulationError&) {  // no pivots at some iterate
      stuck = turned_.followed();
      if (!stuck) throw;
    }
  } else {
    stuck = iterate(time_after, !failed_, true, acceleration);
  }
  const Mask<S> again = stuck & turned_.followed() & !degraded_;
  if (!any(again)) return stuck;
  predict_in<true>(again);
  turned_.stay(again);
  factor_.valid = factor_.valid & !again;
  return (stuck & !again) | iterate(time_after, again, false, acceleration);
}

// The largest acceleration that may be of the motion: a small part of the largest where that
// changed by more than half in the step before. Stiff parts that steps are too large for swing from
// one side to the other in each of them, and tell nothing of how large the others are.
template <class S>
S BasicIntegrator<S>::resolved_acceleration() const {
  if (!has_history_) return S(0.0);
  constexpr double least_share = 1e-4;
  const S* weight = c_.data() + system_.weight_constants;
  S change(0.0);
  for (std::size_t i = 0; i < now_.vdot.size(); ++i)
    change = max(weight[i] * abs(now_.vdot[i] - vdot_before_[i]), change);
  return select(change < S(0.5) * acceleration_size_, S(1.0), S(least_share)) * acceleration_size_;
}

// Newton's iteration in some lanes, with a factor that is kept while it serves; NewtonJudge says
// how long. Returns those that did not converge.
template <class S>
Mask<S> BasicIntegrator<S>::iterate(double time_after, const Mask<S>& lanes, bool turning,
                                    S& acceleration_next) {
  constexpr double epsilon = 2.220446049250313e-16;
  const S rounding = S(2 * epsilon / c2_) * length_scale_;
  NewtonJudge<S> judge(factor_, newton_agenda(statistics_.steps, max_iterations_), tolerance_,
                       rounding, lanes);
  if constexpr (!knows_all_methods<S>) programs_.take_context();
  for (int iteration = 1; iteration <= max_iterations_; ++iteration) {
    if (!evaluate_by_program()) {
      update_bodies(system_, q_next_.data(), v_next_.data(), w_);
      if (iteration == 1 && !turned_.none()) {
        if (turning)
          factor_.valid =
              factor_.valid & !turned_.follow(w_, u_.data(), now_.v.data(), h_, rounding,
                                              resolved_acceleration(),
                                              turned_factors_are_due(statistics_.steps));
        judge.turn_factors(turned_.followed());
      }
      ask_users_for(judge.active());
      residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
      ask_users_for(!failed_);
    }
    // Lanes that are done have moved on by their last increment, as they would not alone.
    work_rate_ = select(judge.active(), w_.power.work, work_rate_);
    dissipation_rate_ = select(judge.active(), w_.power.dissipation, dissipation_rate_);
    if constexpr (knows_all_methods<S>) {
      if (method_ == IntegrationMethod::baumgarte) require_accelerations();
    }
    if (const Mask<S> wanting = judge.without_factor(); any(wanting))
      if (!renew_factor(wanting, time_after, judge)) break;
    IncrementSize size = solve_increment(judge.active());
    // States have units of their own: each is compared with itself, as accelerations are with the
    // largest of them.
    if (!system_.states.empty())
      size.change = max(size.change, max(S(1 / tolerance_) * rounding,
                                         max(size.acceleration, acceleration_size_)) *
                                         state_change(judge.active()));
    acceleration_next = size.acceleration;
    judge.give_up(judge.active() &
                  !((size.change < S(beyond_numbers)) & (size.nonfinite == S(0.0))));
    judge.look(iteration, size.change, max(size.acceleration, acceleration_size_));
    if (!any(judge.active())) break;
  }
  return judge.stuck() | judge.active();
}

// Factors the tangent at the iterate in the lanes that want it. An iterate beyond all numbers has
// no tangent worth factoring; false if there is no other.
template <class S>
bool BasicIntegrator<S>::renew_factor(const Mask<S>& lanes, double time_after,
                                      NewtonJudge<S>& judge) {
  const Mask<S> overflow = lanes & !(weighted_norm(residual_.data()) < S(beyond_numbers));
  if (any(overflow)) {
    judge.give_up(overflow);
    if (!any(judge.active())) return false;
  }
  Mask<S> degraded;
  if (!factor_by_program(lanes, degraded)) {
    catch_up_with_program();
    ask_users_for(lanes);
    tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
    ask_users_for(!failed_);
    degraded = kkt_.factor(w_, c1_, c2_, u_.data(), time_after, lanes);
  }
  count_factors();
  if (!turned_.none()) turned_.factored(w_, kkt_.matrix(), lanes);
  judge.factored(lanes);
  judge.give_up(degraded);
  degraded_ = degraded_ | degraded;
  return true;
}

template <class S>
void BasicIntegrator<S>::count_factors() {
  statistics_.factorizations = kkt_.factorizations();
  statistics_.pivot_searches = kkt_.pivot_searches();
  if constexpr (std::is_same_v<S, double>) {
    if (!radau_) return;
    statistics_.factorizations += radau_->factorizations();
    statistics_.pivot_searches += radau_->pivot_searches();
  }
}

// From the residual at an iterate to the next iterate.
template <class S>
typename BasicIntegrator<S>::IncrementSize BasicIntegrator<S>::solve_increment(
    const Mask<S>& active) {
  if (IncrementSize size; correct_by_program(active, size)) return size;
  const S scale(row_scale_);
  const std::size_t nv = vdot_next_.size();
  for (std::size_t i = nv; i < residual_.size(); ++i) residual_[i] = scale * residual_[i];
  if (const auto* soft = kkt_.compliance())
    for (std::size_t i = 0; i < soft->size(); ++i)
      residual_[nv + i] = fnma(S((*soft)[i]), lambda_next_[i], residual_[nv + i]);
  solve_turned(residual_);
  ++statistics_.iterations;
  return apply_increment(active);
}

/// Solves with the factor, which turns with the nodes.
template <class S>
void BasicIntegrator<S>::solve_turned(std::vector<S>& x) {
  turned_.turn_back(x.data());
  kkt_.solve(x.data(), x.data());
  turned_.turn(x.data());
}

// The largest increment names the equation, or, if the iterate is beyond all numbers, the largest
// acceleration before it.
template <class S>
void BasicIntegrator<S>::find_worst_row() {
  const S* weight = c_.data() + system_.weight_constants;
  const bool finite = all(weighted_norm(residual_.data()) < S(beyond_numbers));
  const std::vector<S>& blamed = finite ? residual_ : now_.vdot;
  double largest = -1;
  worst_ = 0;
  for (int i = 0; i < system_.nv; ++i) {
    const double size = first_lane(weight[i] * abs(blamed[static_cast<std::size_t>(i)]));
    if (size > largest) largest = size, worst_ = i;
  }
}

}  // namespace tumble
