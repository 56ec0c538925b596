// Steps and restarts of a single realisation beside positions where the constraints lose their rank
// (docs/theory/integration.md, Singular positions). Included by integrator_impl.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>

#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/watch/redundancy.hpp"

namespace tumble {

// Beside a singular position the ordinary iteration fails to come to rest or finds no pivots. Other
// failures look the same, so the regularised matrix is asked whether the constraints have nearly
// lost their rank. Once it is needed it serves until they have it back: the ordinary iteration
// would waver between failing and passing with multipliers that are mostly noise.
template <class S>
bool BasicIntegrator<S>::converge(double time_after) requires std::is_same_v<S, double> {
  if (by_radau()) return converge_by_radau(time_after);
  if (regularized_steps_ > 0) {
    --regularized_steps_;
    predict();
    if (cross_singular_position(time_after)) return true;
    regularized_steps_ = 0;
    predict_again();
  } else {
    predict();
  }
  std::exception_ptr failure;  // as it is: a user element's is told from others
  try {
    if (!newton(time_after)) return true;
  } catch (const UserElementFailure&) {
    throw;  // no singular position
  } catch (const SimulationError&) {
    failure = std::current_exception();
  }
  factor_.valid = false;
  const int blamed = worst_;
  // With joints as accelerations there is nothing that keeps them together there.
  if (system_.nc > 0 && method_ != IntegrationMethod::baumgarte) {
    predict_again();
    if (cross_singular_position(time_after)) return true;
  }
  worst_ = blamed;
  if (failure) std::rethrow_exception(failure);
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
  const double c1 = c1_, c2 = c2_;
  const double floor = 2 * epsilon / c2 * length_scale_;
  const std::size_t nv = vdot_next_.size();
  RegularizedKkt& regularized = regularized_matrix();
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
    if (!(weighted_norm(residual_.data()) < beyond_numbers)) return false;
    work_rate_ = w_.power.work;
    dissipation_rate_ = w_.power.dissipation;
    double violation = 0;
    for (std::size_t i = nv; i < residual_.size(); ++i)
      violation = std::max(violation, std::fabs(residual_[i]));
    if (iteration <= 2) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      kkt_.assemble(w_, c1, c2, u_.data());
      if (!regularized.factor(matrix, w_.M)) return false;
      if (iteration == 1) {
        const double eigenvalue = regularized.smallest_eigenvalue();
        if (eigenvalue > nearly_singular) return false;
        if (eigenvalue < singular) regularized_steps_ = steps_without_trying;
      }
    }
    for (std::size_t i = nv; i < residual_.size(); ++i) residual_[i] /= c2;
    regularized.solve(residual_.data(), residual_.data());
    const IncrementSize size = apply_increment(!failed_);
    ++statistics_.iterations;
    const double change = size.change;
    if (!(change < beyond_numbers) || size.nonfinite != 0) return false;
    const double acceleration = std::max(size.acceleration, acceleration_size_);
    // Where the constraints hold and increments are small but hardly decrease, all that still moves
    // is what they no longer determine.
    const bool determined = change <= std::max(floor, tolerance_ * acceleration);
    const bool wavering = change > 0.5 * before &&
                          (change <= 1e-3 * acceleration || violation <= rounded * length_scale_);
    if (iteration > 1 && (determined || wavering) && violation <= holds * length_scale_) {
      if (determined) lambda_determined_ = lambda_next_;
      acceleration_size_ = size.acceleration;
      factor_.valid = false;
      if (++statistics_.regularized_steps == 1) singular_time_ = time_after;
      return true;
    }
    before = change;
  }
  return false;
}

template <class S>
RegularizedKkt& BasicIntegrator<S>::regularized_matrix() requires std::is_same_v<S, double> {
  if (!regularized_) regularized_.emplace(system_, plan_.redundancy ? plan_.redundancy->count : 0);
  return *regularized_;
}

// Restarts are asked for at break points and where the step size changes, and one may fall on a
// singular position: a motor that stops a parallelogram where it lies flat. As in steps, what the
// constraints do not determine there keeps the value it had: velocities, accelerations and
// multipliers are those of the last step, corrected until the equations hold in all other
// combinations. Where an imposed velocity jumps as well, the impulse that would say which way the
// mechanism goes on is one of those that are not determined: the run ends. An estimate of the jerk
// would divide by the distance to the position; without it the first steps are of first order in
// the multipliers.
template <class S>
bool BasicIntegrator<S>::restart_in_singular_position() requires std::is_same_v<S, double> {
  constexpr double singular = 1e-6;
  constexpr int corrections = 4;  // each leaves δ/μ of what was wrong
  if (statistics_.steps == 0) return false;
  kkt_.assemble(w_, 0, 0, nullptr);
  RegularizedKkt& regularized = regularized_matrix();
  if (!regularized.factor(kkt_.matrix(), w_.M) || regularized.smallest_eigenvalue() > singular)
    return false;
  const std::size_t nv = now_.v.size(), nc = now_.lambda.size();
  double* const rhs = residual_.data() + nv;
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  // Without a jump, velocities fit the imposed ones up to the error of a step.
  constexpr double jump = 1e-2;
  double violated = 0, speed = 0;
  multiply_gradient(system_, w_, now_.v.data(), rhs);
  for (std::size_t i = 0; i < nc; ++i) {
    const double off = std::fabs(rhs[i] + time_rate_[i]);
    if (off > violated) violated = off, worst_ = system_.nv + static_cast<int>(i);
    speed = std::max(speed, std::fabs(time_rate_[i]));
  }
  if (speed > 0 && violated > jump * speed)
    throw_jump_in_singular_position(system_, worst_, now_.time);
  impulse_work_ = 0;
  for (int repeat = 0; repeat < corrections; ++repeat) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    multiply_gradient(system_, w_, now_.v.data(), rhs);
    for (std::size_t i = 0; i < nc; ++i) rhs[i] = -(rhs[i] + time_rate_[i]);
    regularized.solve(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) now_.v[i] += delta_[i];
    for (std::size_t i = 0; i < nc; ++i)
      impulse_work_ += delta_[nv + i] * (time_rate_[i] + 0.5 * rhs[i]);
  }
  update_bodies(system_, now_.q.data(), now_.v.data(), w_);
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  for (int repeat = 0; repeat < corrections; ++repeat) {
    residual(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_, residual_.data());
    multiply_gradient(system_, w_, now_.vdot.data(), rhs);
    for (std::size_t i = 0; i < nc; ++i) rhs[i] += bias_[i];
    regularized.solve(residual_.data(), delta_.data());
    for (std::size_t i = 0; i < nv; ++i) now_.vdot[i] -= delta_[i];
    for (std::size_t i = 0; i < nc; ++i) now_.lambda[i] -= delta_[nv + i];
  }
  a_ = now_.vdot;
  v_start_ = now_.v;
  std::fill(jerk_.begin(), jerk_.end(), 0.0);
  return true;
}

// Pivots that fade announce a singular position. False if it is one, from which the run was
// restarted already.
template <class S>
bool BasicIntegrator<S>::find_restart_factor() requires std::is_same_v<S, double> {
  const long searches = kkt_.pivot_searches();
  std::optional<SimulationError> singular;
  try {
    factor_all(0, 0);
  } catch (const SimulationError& error) {
    singular = error;
  }
  const bool suspicious = singular || regularized_steps_ > 0 || kkt_.pivot_searches() > searches;
  if (suspicious && restart_in_singular_position()) return false;
  if (singular) throw *singular;
  return true;
}

}  // namespace tumble
