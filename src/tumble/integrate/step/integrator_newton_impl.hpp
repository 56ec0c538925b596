// Newton's iteration of a step of BasicIntegrator, from what it predicts to convergence. Included
// by integrator_impl.hpp.
#pragma once
#include <algorithm>

#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

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
  const S c1(c1_), c2(c2_), two(2.0);
  const auto start_from = [&](std::size_t i, const S& vdot, const S& predicted, const S& a,
                              const S& v) {
    // a_{n+1} without its share of v̇_{n+1}
    const S a_base = keep * (alpha_f * vdot - alpha_m * a);
    vdot_next_[i] = predicted;
    v_next_[i] = fma(c1, predicted, fma(h, fma(rest_gamma, a, gamma * a_base), v));
    u_[i] = fma(c2, predicted, fma(h2, fma(rest_beta, a, beta * a_base), h * v));
  };
  const std::size_t nv = a_.size(), nc = lambda_next_.size();
  if (has_history_) {
    for (std::size_t i = 0; i < nv; ++i) {
      const S vdot = now_.vdot[i], before = vdot_before_[i];
      const S a = keep * (fma(rest_f, vdot, alpha_f * before) - alpha_m * a_[i]);
      a_[i] = a;
      start_from(i, vdot, fma(two, vdot, -before), a, now_.v[i]);
    }
    for (std::size_t i = 0; i < nc; ++i)
      lambda_next_[i] = fma(two, now_.lambda[i], -lambda_before_[i]);
  } else {
    for (std::size_t i = 0; i < nv; ++i)
      start_from(i, now_.vdot[i], now_.vdot[i], a_[i], v_start_[i]);
    for (std::size_t i = 0; i < nc; ++i) lambda_next_[i] = now_.lambda[i];
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

// Newton with a factor kept over iterations and steps while it converges fast. The error left
// after an increment δ is about δ ρ/(1 - ρ), ρ the contraction; it must be below the tolerance
// times the largest acceleration, or below what rounding of the positions does to accelerations.
// A rate is remembered only if it was measured in a later step than the factor's own, where Newton
// is quadratic, and is taken to grow with the age of the factor: in a body that spins fast an
// exact factor is poor after one step. Returns the lanes that did not converge.
template <class S>
Mask<S> BasicIntegrator<S>::newton(double time_after) {
  const double c1 = c1_, c2 = c2_;
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
  const S one(1.0), zero(0.0), huge(1e300), scale(1 / c2);
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
    S rate = expected;
    Mask<S> telling = none;
    if (any(repeated)) {
      const S known = select(repeated, before, one);
      rate = select(repeated, min(one, change / known), expected);
      // Once at the rounding floor the ratio says nothing about the factor. Of a step's ratios the
      // largest counts: where rotations are right after one iteration and the positions that follow
      // from them after two, the last ratio is next to nothing, and steps that relied on it would
      // stop before their positions are right.
      telling = active & (before > S(10.0) * floor);
      const Mask<S> remembered = telling & (factor_age_ > zero);
      // A change that vanished in rounding shows no rate below floor / before; it then does not
      // contradict what was known before, so the smaller bound holds.
      const S seen = select(change > S(2.0) * floor, rate, min(expected, max(rate, floor / known)));
      contraction_ =
          select(remembered, select(has_ratio, max(contraction_, seen), seen), contraction_);
      has_ratio = has_ratio | remembered;
      measured_age_ = select(remembered, factor_age_, measured_age_);
    }
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

}  // namespace tumble
