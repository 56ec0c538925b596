// Where the other methods of a single realisation differ from generalized-alpha
// (docs/theory/other-integrators.md). Included by integrator_impl.hpp.
#pragma once
#include "tumble/integrate/step/integrator.hpp"

namespace tumble {

// Joints as accelerations (Batou & Soize 2012, Eq. 13) with the terms of Baumgarte (1972):
//   G v̇ + bias + 2 α (G v + ∂φ/∂t) + β² φ = 0
// in place of φ = 0. By v̇ this changes by G (1 + 2 α c1 + β² c2), but for what the motion in a step
// does to G: so the matrix of the positions serves, with row_scale_.
template <class S>
void BasicIntegrator<S>::require_accelerations() {
  tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  const std::size_t nv = vdot_next_.size(), nc = lambda_next_.size();
  const S twice_alpha(2 * alpha_rate_), beta2(beta_rate_ * beta_rate_);
  S* const rows = delta_.data();
  multiply_gradient(system_, w_, v_next_.data(), rows);
  for (std::size_t i = 0; i < nc; ++i)
    residual_[nv + i] =
        fma(beta2, residual_[nv + i], fma(twice_alpha, rows[i] + time_rate_[i], bias_[i]));
  multiply_gradient(system_, w_, vdot_next_.data(), rows);
  for (std::size_t i = 0; i < nc; ++i) residual_[nv + i] = residual_[nv + i] + rows[i];
}

// Velocities from accelerations and increments of position from velocities by the same formula.
// With u_n = x_n - x_{n-1} that is u_n = -β u_{n-1} + p (b0 v_n + b1 v_{n-1} + b2 v_{n-2}), where
// rotations are increments in body axes: what that leaves out, [v, v̇]/12 h³, is of the order of the
// method's own error.
template <class S>
void BasicIntegrator<S>::predict_multistep() {
  const Multistep m =
      Multistep::with_spectral_radius(system_.nominal.simulation.spectral_radius, h_ / h_before_);
  const double c1 = h_before_ * m.b0;
  if (c1 != c1_) {
    c1_ = c1;
    c2_ = c1 * c1;
    row_scale_ = 1 / c2_;
    factor_.valid = S(1.0) < S(0.0);
  }
  const S beta(m.beta), rest(1 - m.beta), p0(c1_), p1(h_before_ * m.b1), p2(h_before_ * m.b2);
  const S ahead(has_history_ ? h_ / h_before_ : 0.0);  // linear extrapolation
  const std::vector<S>& v = has_history_ ? now_.v : v_start_;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const S vdot = now_.vdot[i], before = vdot_before_[i];
    vdot_next_[i] = fma(ahead, vdot - before, vdot);
    v_next_[i] = fma(p0, vdot_next_[i],
                     fma(p1, vdot, fma(p2, before, fma(rest, v[i], beta * v_before_[i]))));
    u_[i] = fma(p0, v_next_[i], fma(p1, v[i], fnma(beta, u_before_[i], p2 * v_before_[i])));
  }
  for (std::size_t i = 0; i < lambda_next_.size(); ++i)
    lambda_next_[i] = fma(ahead, now_.lambda[i] - lambda_before_[i], now_.lambda[i]);
  compose(system_, now_.q.data(), u_.data(), q_next_.data());
}

// A step that never was, of the same size, ends where the run begins: with it the first step is one
// like all others. By Taylor's series with the jerk that restart_consistently() has estimated.
template <class S>
void BasicIntegrator<S>::imagine_history() {
  const S h(h_), half_h2(0.5 * h_ * h_), sixth_h3(h_ * h_ * h_ / 6);
  for (std::size_t i = 0; i < u_before_.size(); ++i) {
    vdot_before_[i] = fnma(h, jerk_[i], now_.vdot[i]);
    v_before_[i] = fma(half_h2, jerk_[i], fnma(h, now_.vdot[i], v_start_[i]));
    u_before_[i] = fma(sixth_h3, jerk_[i], fnma(half_h2, now_.vdot[i], h * now_.v[i]));
  }
  h_before_ = h_;
}

/// d in the velocities v + h² d of perturb_velocity(), as a multiple of v̈.
template <class S>
double BasicIntegrator<S>::velocity_offset() const {
  if (method_ == IntegrationMethod::multistep)
    return Multistep::with_spectral_radius(system_.nominal.simulation.spectral_radius)
        .velocity_offset();
  return (1 - 6 * alpha_.beta - 3 * alpha_.shift()) / 6;
}

template <class S>
void BasicIntegrator<S>::change_step(double h) {
  // Coefficients of a step much longer than the one before magnify errors of the latter.
  constexpr double longest = 4;
  if constexpr (std::is_same_v<S, double>) {
    // Nothing of the steps before but where the stages are looked for.
    if (by_radau() && radau_->has_history()) {
      h_ = h;
      w_.fast_turning = 0.5 / h;
      return;
    }
  }
  if (!steps_over_breaks() || !has_history_ || h > longest * h_before_) return restart(h);
  h_ = h;
  w_.fast_turning = 0.5 / h;
}

}  // namespace tumble
