// Where Newton's iteration of lanes calls compiled programs in place of kernels (program_step.hpp):
// the same numbers in, the same bits out. Included by integrator_newton_impl.hpp.
#pragma once
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

template <class S>
bool BasicIntegrator<S>::predict_by_program() {
  if constexpr (knows_all_methods<S>) {
    return false;
  } else {
    programs_.begin_step(h_, c1_, c2_, row_scale_, w_);
    if (!has_history_) return false;
    const StepArrays<S> now{now_.q, now_.v, now_.vdot, now_.lambda, u_, residual_};
    return programs_.predict(now, vdot_before_, lambda_before_, a_, step_arrays());
  }
}

template <class S>
bool BasicIntegrator<S>::evaluate_by_program() {
  if constexpr (knows_all_methods<S>)
    return false;
  else
    return programs_.residual(c_.data(), step_arrays(), w_);
}

template <class S>
bool BasicIntegrator<S>::factor_by_program(const Mask<S>& lanes, Mask<S>& degraded) {
  if constexpr (knows_all_methods<S>)
    return false;
  else
    return kkt_.factor_by(
        [&](S* factor, S* bad) { return programs_.factor(c_.data(), step_arrays(), factor, bad); },
        lanes, degraded);
}

template <class S>
bool BasicIntegrator<S>::correct_by_program(const Mask<S>& active, IncrementSize& size) {
  if constexpr (knows_all_methods<S>) {
    return false;
  } else {
    S sizes[3];
    const S taking_part = select(active, S(1.0), S(0.0));
    if (!programs_.correct(c_.data(), kkt_.last_factor(), taking_part, now_.q, step_arrays(),
                           sizes))
      return false;
    ++statistics_.iterations;
    size = {sizes[0], sizes[1], sizes[2]};
    return true;
  }
}

// A program that computed the residual left nothing in the workspace; tangents read kinematics
// there, and what forces noted.
template <class S>
void BasicIntegrator<S>::catch_up_with_program() {
  if constexpr (!knows_all_methods<S>) {
    if (programs_.kinematics_fresh()) return;
    update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, delta_.data());
  }
}

}  // namespace tumble
