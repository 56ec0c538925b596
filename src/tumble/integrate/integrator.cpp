#include "tumble/integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {

namespace {
std::size_t size(int n) { return static_cast<std::size_t>(n); }
}  // namespace

Integrator::Integrator(const Plan& plan, const std::vector<double>& constants)
    : plan_(plan),
      system_(*plan.system),
      c_(constants),
      alpha_(GeneralizedAlpha::with_spectral_radius(system_.nominal.simulation.spectral_radius)),
      tolerance_(system_.nominal.simulation.newton_tolerance),
      max_iterations_(system_.nominal.simulation.max_iterations),
      w_(system_),
      kkt_(system_, plan.elimination) {
  const std::size_t nq = size(system_.nq), nv = size(system_.nv), nc = size(system_.nc);
  for (auto* x : {&now_.q, &q_next_}) x->assign(nq, 0.0);
  for (auto* x : {&now_.v, &now_.vdot, &a_, &vdot_before_, &v_base_, &u_base_, &u_, &v_next_,
                  &vdot_next_, &jerk_})
    x->assign(nv, 0.0);
  for (auto* x : {&now_.lambda, &lambda_before_, &lambda_next_, &time_rate_, &bias_})
    x->assign(nc, 0.0);
  residual_.assign(nv + nc, 0.0);
  delta_.assign(nv + nc, 0.0);
}

void Integrator::update_kinematics(double time, double inside, const std::vector<double>& q,
                                   const std::vector<double>& v) {
  update_drives(system_, c_.data(), time, inside, w_);
  update_bodies(system_, q.data(), v.data(), w_);
}

Workspace<double>& Integrator::observe() {
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  return w_;
}

double Integrator::constraint_residual() {
  observe();
  residual(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_, residual_.data());
  double largest = 0;
  for (int i = 0; i < system_.nc; ++i)
    largest = std::max(largest, std::fabs(residual_[size(system_.nv + i)]));
  return largest;
}

double Integrator::weighted_norm(const double* x) const {
  const double* weight = c_.data() + system_.weight_constants;
  double largest = 0;
  for (int i = 0; i < system_.nv; ++i) {
    const double value = weight[i] * std::fabs(x[i]);
    if (std::isnan(value)) return value;  // a comparison with the next number would lose it
    largest = std::max(largest, value);
  }
  return largest;
}

void Integrator::start(const InitialState& initial, double time, double inside) {
  now_.time = time;
  inside_ = inside;
  now_.q = initial.q;
  now_.v = initial.v;
  std::fill(now_.vdot.begin(), now_.vdot.end(), 0.0);
  std::fill(now_.lambda.begin(), now_.lambda.end(), 0.0);
  length_scale_ = 0;
  for (const auto& block : system_.blocks)
    for (int k = 0; k < std::min(3, block.nq); ++k)
      length_scale_ = std::max(length_scale_, std::fabs(now_.q[size(block.q + k)]));
  const double* weight = c_.data() + system_.weight_constants;
  for (int i = 0; i < system_.nv; ++i) length_scale_ = std::max(length_scale_, weight[i]);
  assemble_positions();
}

// Gauss-Newton in the mass metric: of all motions that satisfy the linearised constraints, the one
// with the least  δᵀ M δ:  [M Gᵀ; G 0] [δ; μ] = [0; -φ].
void Integrator::assemble_positions() {
  if (system_.nc == 0) return;
  constexpr int limit = 50;
  double before = std::numeric_limits<double>::infinity();
  const double floor = 4 * std::numeric_limits<double>::epsilon() * length_scale_;
  for (int iteration = 0; iteration < limit; ++iteration) {
    update_kinematics(now_.time, inside_, now_.q, now_.v);
    residual(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_, residual_.data());
    std::fill_n(residual_.begin(), system_.nv, 0.0);
    double violation = 0;
    for (int i = 0; i < system_.nc; ++i) {
      double& r = residual_[size(system_.nv + i)];
      violation = std::max(violation, std::fabs(r));
      if (violation == std::fabs(r)) worst_ = system_.nv + i;
      r = -r;
    }
    // Stop at rounding, or when already small and no longer improving.
    if (violation <= floor || (violation <= 1e3 * floor && violation >= 0.5 * before)) return;
    before = violation;
    tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
    kkt_.factor(w_, 0, 0, nullptr, now_.time);
    kkt_.solve(residual_.data(), delta_.data());
    // A body never turns by more than about a third of a turn in one iteration.
    double largest = 0;
    for (const auto& block : system_.blocks)
      if (block.kind == Block::Kind::rigid)
        for (int k = 3; k < 6; ++k)
          largest = std::max(largest, std::fabs(delta_[size(block.v + k)]));
    const double damping = largest > 1 ? 1 / largest : 1;
    for (int i = 0; i < system_.nv; ++i) delta_[size(i)] *= damping;
    compose(system_, now_.q.data(), delta_.data(), q_next_.data());
    now_.q = q_next_;
  }
  throw SimulationError(
      fmt::format("the mechanism cannot be assembled at t = {} s: {} is off by {:.3g} after {} "
                  "iterations",
                  now_.time, system_.describe_row(worst_), before, limit),
      now_.time);
}

// v⁺ = v⁻ + M⁻¹ impulse with G v⁺ + ∂φ/∂t = 0: the impulse that consistent joints transmit.
void Integrator::project_velocity() {
  std::fill(residual_.begin(), residual_.end(), 0.0);
  multiply_gradient(system_, w_, now_.v.data(), residual_.data() + system_.nv);
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  for (int i = 0; i < system_.nc; ++i) {
    double& r = residual_[size(system_.nv + i)];
    r = -(r + time_rate_[size(i)]);
  }
  kkt_.solve(residual_.data(), delta_.data());
  for (int i = 0; i < system_.nv; ++i) now_.v[size(i)] += delta_[size(i)];
}

// [M Gᵀ; G 0] [v̇; λ] = [-r(v̇=0, λ=0); -bias] with the factor of A(0, 0).
void Integrator::solve_accelerations(std::vector<double>& vdot, std::vector<double>& lambda) {
  std::fill(vdot.begin(), vdot.end(), 0.0);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  update_bodies(system_, now_.q.data(), now_.v.data(), w_);
  residual(system_, c_.data(), vdot.data(), lambda.data(), w_, residual_.data());
  constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
  for (int i = 0; i < system_.nv; ++i) residual_[size(i)] = -residual_[size(i)];
  for (int i = 0; i < system_.nc; ++i) residual_[size(system_.nv + i)] = -bias_[size(i)];
  kkt_.solve(residual_.data(), delta_.data());
  std::copy_n(delta_.begin(), system_.nv, vdot.begin());
  std::copy_n(delta_.begin() + system_.nv, system_.nc, lambda.begin());
}

// h v̈ from the accelerations one step ahead, found by an implicit Euler step of the index-1
// equations: first-order accurate where the motion is resolved, and bounded by v̇ itself where a
// stiff damper makes v̈ meaningless on the scale of h.
void Integrator::estimate_jerk() {
  constexpr int iterations = 3;
  vdot_next_ = now_.vdot;
  lambda_next_ = now_.lambda;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (std::size_t i = 0; i < vdot_next_.size(); ++i) {
      v_next_[i] = now_.v[i] + h_ * vdot_next_[i];
      u_[i] = h_ * now_.v[i] + 0.5 * h_ * h_ * vdot_next_[i];
    }
    compose(system_, now_.q.data(), u_.data(), q_next_.data());
    update_kinematics(now_.time + h_, inside_, q_next_, v_next_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    constraint_rates(system_, c_.data(), w_, time_rate_.data(), bias_.data());
    if (iteration == 0) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      kkt_.factor(w_, h_, 0.5 * h_ * h_, nullptr, now_.time);
    } else {
      // The gradient is needed at the new positions; the factor may stay.
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
    }
    multiply_gradient(system_, w_, vdot_next_.data(), residual_.data() + system_.nv);
    for (int i = 0; i < system_.nc; ++i) residual_[size(system_.nv + i)] += bias_[size(i)];
    for (double& r : residual_) r = -r;
    kkt_.solve(residual_.data(), delta_.data());
    for (int i = 0; i < system_.nv; ++i) vdot_next_[size(i)] += delta_[size(i)];
    for (int i = 0; i < system_.nc; ++i) lambda_next_[size(i)] += delta_[size(system_.nv + i)];
  }
  for (std::size_t i = 0; i < jerk_.size(); ++i) jerk_[i] = (vdot_next_[i] - now_.vdot[i]) / h_;
}

// The position update of the method has the local error h³ l,
//   l = (1 - 6β - 3Δ)/6 v̈ + [v, v̇]/12,
// which the constraints would turn into an error of order h in the multipliers for the first
// steps. Starting from v + h² P l, P the projection onto the constrained directions, removes it
// (Arnold, Brüls & Cardona 2015).
void Integrator::perturb_velocity() {
  if (system_.nc == 0) return;
  const double factor = (1 - 6 * alpha_.beta - 3 * alpha_.shift()) / 6;
  for (std::size_t i = 0; i < jerk_.size(); ++i) u_[i] = factor * jerk_[i];
  for (const auto& block : system_.blocks) {
    if (block.kind != Block::Kind::rigid) continue;
    const Vec3d bracket =
        cross(load3(&now_.v[size(block.v + 3)]), load3(&now_.vdot[size(block.v + 3)]));
    add3(&u_[size(block.v + 3)], (1.0 / 12) * bracket);
  }
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
  kkt_.factor(w_, 0, 0, nullptr, now_.time);
  std::fill(residual_.begin(), residual_.end(), 0.0);
  multiply_gradient(system_, w_, u_.data(), residual_.data() + system_.nv);
  kkt_.solve(residual_.data(), delta_.data());
  for (int i = 0; i < system_.nv; ++i)
    v_next_[size(i)] = now_.v[size(i)] + h_ * h_ * delta_[size(i)];
}

void Integrator::restart(double h) {
  h_ = h;
  inside_ = now_.time + 0.5 * h;
  ++statistics_.restarts;
  update_kinematics(now_.time, inside_, now_.q, now_.v);
  track_angles();
  tangent(system_, c_.data(), now_.vdot.data(), now_.lambda.data(), w_);
  kkt_.factor(w_, 0, 0, nullptr, now_.time);
  project_velocity();
  solve_accelerations(now_.vdot, now_.lambda);
  estimate_jerk();
  const double shift = alpha_.shift() * h;
  for (std::size_t i = 0; i < a_.size(); ++i) a_[i] = now_.vdot[i] + shift * jerk_[i];
  v_next_ = now_.v;
  perturb_velocity();
  v_base_ = v_next_;  // where the first step starts from; state() keeps the consistent velocity
  has_history_ = false;
  factor_valid_ = false;
  statistics_.factorizations = kkt_.factorizations();
  statistics_.pivot_searches = kkt_.pivot_searches();
}

void Integrator::track_angles() {
  for (std::size_t i = 0; i < system_.tracked_angles.size(); ++i)
    w_.angle_reference[i] = tracked_angle(system_, static_cast<int>(i), c_.data(), w_);
}

// Positions and velocities that belong to an acceleration at the end of the step.
void Integrator::move_to(const std::vector<double>& vdot) {
  const double c1 = alpha_.velocity_factor(h_), c2 = alpha_.position_factor(h_);
  for (std::size_t i = 0; i < vdot.size(); ++i) {
    v_next_[i] = v_base_[i] + c1 * vdot[i];
    u_[i] = u_base_[i] + c2 * vdot[i];
  }
  compose(system_, now_.q.data(), u_.data(), q_next_.data());
}

bool Integrator::step(double time_after) {
  const double inside_before = inside_;
  inside_ = 0.5 * (now_.time + time_after);
  if (has_history_) v_base_ = now_.v;
  const std::vector<double>& v_start = v_base_;  // perturbed right after a restart
  const double h = h_, gamma = alpha_.gamma, beta = alpha_.beta;
  const double keep = 1 / (1 - alpha_.alpha_m);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    // a_{n+1} without its share of v̇_{n+1}
    const double a_base = keep * (alpha_.alpha_f * now_.vdot[i] - alpha_.alpha_m * a_[i]);
    const double v = v_start[i];
    u_base_[i] = h * v + h * h * ((0.5 - beta) * a_[i] + beta * a_base);
    v_next_[i] = v + h * ((1 - gamma) * a_[i] + gamma * a_base);
  }
  v_base_.swap(v_next_);
  for (std::size_t i = 0; i < vdot_next_.size(); ++i)
    vdot_next_[i] = has_history_ ? 2 * now_.vdot[i] - vdot_before_[i] : now_.vdot[i];
  for (std::size_t i = 0; i < lambda_next_.size(); ++i)
    lambda_next_[i] = has_history_ ? 2 * now_.lambda[i] - lambda_before_[i] : now_.lambda[i];

  if (!newton(time_after)) {
    inside_ = inside_before;
    factor_valid_ = false;
    return false;
  }
  for (std::size_t i = 0; i < a_.size(); ++i)
    a_[i] = keep * ((1 - alpha_.alpha_f) * vdot_next_[i] + alpha_.alpha_f * now_.vdot[i] -
                    alpha_.alpha_m * a_[i]);
  vdot_before_.swap(now_.vdot);
  lambda_before_.swap(now_.lambda);
  now_.vdot.swap(vdot_next_);
  now_.lambda.swap(lambda_next_);
  now_.q.swap(q_next_);
  now_.v.swap(v_next_);
  now_.time = time_after;
  has_history_ = true;
  ++statistics_.steps;
  if (!system_.tracked_angles.empty()) {
    update_bodies(system_, now_.q.data(), now_.v.data(), w_);
    track_angles();
  }
  return true;
}

// Newton with a factor kept over iterations and steps while it converges fast. The error left
// after an increment δ is about δ ρ/(1 - ρ), ρ the contraction; it must be below the tolerance
// times the largest acceleration, or below what rounding of the positions does to accelerations.
// A rate is remembered only if it was measured in a later step than the factor's own, where Newton
// is quadratic, and is taken to grow with the age of the factor: in a body that spins fast an
// exact factor is poor after one step.
bool Integrator::newton(double time_after) {
  const double c1 = alpha_.velocity_factor(h_), c2 = alpha_.position_factor(h_);
  const double floor = 2 * std::numeric_limits<double>::epsilon() * length_scale_ / c2;
  // What Newton leaves has the same sign in many steps and adds up, where rounding does not: who
  // asks for more than the default gets iterations down to where they stop gaining.
  constexpr double default_tolerance = 1e-8;
  const double target = std::min(1.0, tolerance_ / default_tolerance) * floor;
  constexpr double slow = 0.25;     // refactor when an iteration gains less than this
  constexpr int measure_every = 8;  // steps that may pass on an old measurement
  // Iterations an old factor is given: many slow ones cost more than a new factor, and running
  // out of iterations must mean that the step is too large, never that the factor is old.
  constexpr int patience = 4;
  update_drives(system_, c_.data(), time_after, inside_, w_);
  double before = 0;
  bool fresh = false, has_ratio = false;
  for (int iteration = 1; iteration <= max_iterations_; ++iteration) {
    move_to(vdot_next_);
    update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    if (!std::isfinite(weighted_norm(residual_.data()))) {
      blame(now_.vdot);  // the iterate itself is beyond all numbers
      return false;
    }
    if (!factor_valid_) {
      tangent(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_);
      kkt_.factor(w_, c1, c2, u_.data(), time_after);
      statistics_.factorizations = kkt_.factorizations();
      statistics_.pivot_searches = kkt_.pivot_searches();
      factor_valid_ = fresh = true;
      contraction_ = 1;
      factor_age_ = measured_age_ = 0;
      before = 0;
      has_ratio = false;
    }
    for (int i = 0; i < system_.nv; ++i) residual_[size(i)] = -residual_[size(i)];
    const double scale = -1 / c2;
    for (int i = 0; i < system_.nc; ++i) residual_[size(system_.nv + i)] *= scale;
    kkt_.solve(residual_.data(), delta_.data());
    for (int i = 0; i < system_.nv; ++i) vdot_next_[size(i)] += delta_[size(i)];
    for (int i = 0; i < system_.nc; ++i) lambda_next_[size(i)] += delta_[size(system_.nv + i)];
    ++statistics_.iterations;

    const double change = weighted_norm(delta_.data());
    if (!std::isfinite(change)) {
      blame(now_.vdot);
      return false;
    }
    const double allowed = std::max(target, tolerance_ * std::max(weighted_norm(vdot_next_.data()),
                                                                  weighted_norm(now_.vdot.data())));
    double rate = measured_age_ > 0 ? std::min(1.0, contraction_ * factor_age_ / measured_age_) : 1;
    if (before > 0) {
      rate = std::min(1.0, change / before);
      // Once at the rounding floor the ratio says nothing about the factor. Of a step's ratios the
      // largest counts: where rotations are right after one iteration and the positions that
      // follow from them after two, the last ratio is next to nothing, and steps that relied on it
      // would stop before their positions are right.
      if (before > 10 * floor && factor_age_ > 0) {
        // A change that vanished in rounding shows no rate below floor / before.
        const double seen = std::max(rate, floor / before);
        contraction_ = has_ratio ? std::max(contraction_, seen) : seen;
        has_ratio = true;
        measured_age_ = factor_age_;
        steps_unmeasured_ = 0;
      }
    }
    const bool measured = before > 0 || steps_unmeasured_ < measure_every;
    const double left = rate < 1 ? change * rate / (1 - rate) : change;
    if (change <= allowed || (measured && left <= allowed) ||
        (before > 0 && rate > 0.5 && change <= 50 * floor)) {
      move_to(vdot_next_);
      if (before == 0) ++steps_unmeasured_;
      ++factor_age_;
      if (contraction_ > slow && contraction_ < 1 && !fresh) factor_valid_ = false;
      return true;
    }
    if (before > 10 * floor && rate > slow) {
      if (fresh && rate >= 1 && iteration > 3) break;  // diverging with its own Jacobian
      factor_valid_ = fresh && rate < 0.5;
    }
    if (iteration >= patience && !fresh) factor_valid_ = false;
    before = change;
  }
  blame(delta_);
  return false;
}

void Integrator::blame(const std::vector<double>& accelerations) {
  worst_ = 0;
  const double* weight = c_.data() + system_.weight_constants;
  double largest = -1;
  for (int i = 0; i < system_.nv; ++i)
    if (const double x = weight[i] * std::fabs(accelerations[size(i)]); x > largest)
      largest = x, worst_ = i;
}

std::string Integrator::worst_row() const { return system_.describe_row(worst_); }

}  // namespace tumble
