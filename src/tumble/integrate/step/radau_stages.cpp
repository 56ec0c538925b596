#include "tumble/integrate/step/radau_stages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tumble/dynamics/equations.hpp"
#include "tumble/integrate/step/constraint_velocity.hpp"
#include "tumble/model/user_element.hpp"

namespace tumble {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// T(u)⁻¹ ω = ω + ½ u × ω + c(|u|²) u × (u × ω).
Vec3d rotation_rate(const Vec3d& u, const Vec3d& omega) {
  const double c = inverse_tangent_coefficients(dot(u, u)).c;
  const Vec3d once = cross(u, omega);
  return omega + 0.5 * once + c * cross(u, once);
}

/// Of the increments of all stages: squares of lengths, as accelerations are measured. None of
/// multipliers, which have units of their own, and of states.
std::vector<double> weights_of(const System& system, const std::vector<double>& constants) {
  const auto n = static_cast<std::size_t>(system.nv + system.nc);
  std::vector<double> weights(Radau::stages * n, 0.0);
  for (std::size_t i = 0; i < Radau::stages; ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(system.nv); ++k) {
      const double length = constants[static_cast<std::size_t>(system.weight_constants) + k];
      weights[i * n + k] = length * length;
    }
  return weights;
}

/// Until an increment is that many times smaller, if each iteration leaves `ratio` of it.
double iterations_left(double times, double ratio) {
  return ratio < 1 ? std::log(times) / -std::log(ratio) : infinite;
}

}  // namespace

// Errors of the stages add up over a run as those of the method do, which are far smaller here than
// where the tolerance of the iteration was chosen: a thousandth of it is asked for, down to what a
// stage can be known to.
RadauStages::RadauStages(const Plan& plan, const std::vector<double>& constants)
    : system_(*plan.system),
      c_(constants),
      tolerance_(std::max(1e-13, 1e-3 * system_.nominal.simulation.newton_tolerance)),
      max_iterations_(system_.nominal.simulation.max_iterations),
      real_(plan),
      complex_(plan),
      mixing_(weights_of(system_, constants)) {
  const auto nq = static_cast<std::size_t>(system_.nq), nv = static_cast<std::size_t>(system_.nv),
             nc = static_cast<std::size_t>(system_.nc);
  for (RadauStage& s : stage_) {
    for (auto* x : {&s.vdot, &s.v, &s.u}) x->assign(nv, 0.0);
    s.q.assign(nq, 0.0);
    s.lambda.assign(nc, 0.0);
  }
  residual_.assign(Radau::stages * (nv + nc), 0.0);
  real_part_.assign(nv + nc, 0.0);
  complex_part_.assign(nv + nc, ComplexNumber());
  bias_.assign(nc, 0.0);
}

void RadauStages::forget() {
  h_before_ = 0;
  wants_factor_ = true;
}

void RadauStages::predict(const StepBegin& begin) {
  h_ = begin.h;
  if (!has_history()) {
    for (RadauStage& s : stage_) s.vdot = begin.vdot, s.lambda = begin.lambda;
    for (RadauStage& s : stage_) std::fill(s.u.begin(), s.u.end(), 0.0);
    return;
  }
  const auto l = radau_.extrapolation(begin.h / h_before_);
  const auto extrapolate = [&](std::vector<double> RadauStage::*list) {
    for (std::size_t k = 0; k < (stage_[0].*list).size(); ++k) {
      const Radau::Three<double> x = {(stage_[0].*list)[k], (stage_[1].*list)[k],
                                      (stage_[2].*list)[k]};
      for (std::size_t i = 0; i < Radau::stages; ++i)
        (stage_[i].*list)[k] = l[i][0] * x[0] + l[i][1] * x[1] + l[i][2] * x[2];
    }
  };
  extrapolate(&RadauStage::vdot);
  extrapolate(&RadauStage::lambda);
  for (RadauStage& s : stage_) std::fill(s.u.begin(), s.u.end(), 0.0);
}

double RadauStages::integrate(const StepBegin& begin) {
  constexpr int sweeps = 3;
  const std::size_t nv = begin.v.size();
  const double h = begin.h;
  for (std::size_t i = 0; i < Radau::stages; ++i) {
    const auto& a = radau_.a[i];
    for (std::size_t k = 0; k < nv; ++k)
      stage_[i].v[k] = begin.v[k] + h * (a[0] * stage_[0].vdot[k] + a[1] * stage_[1].vdot[k] +
                                         a[2] * stage_[2].vdot[k]);
  }
  const auto sum = [&](std::size_t i, const double* x0, const double* x1, const double* x2) {
    const auto& a = radau_.a[i];
    return h * (a[0] * *x0 + a[1] * *x1 + a[2] * *x2);
  };
  double change = 0;
  const double* weight = c_.data() + system_.weight_constants;
  for (const Block& block : system_.blocks) {
    const auto first = static_cast<std::size_t>(block.v);
    const bool turns = block.kind != Block::Kind::linear;
    const std::size_t straight = turns ? 3 : static_cast<std::size_t>(block.nv);
    for (std::size_t k = first; k < first + straight; ++k)
      for (std::size_t i = 0; i < Radau::stages; ++i)
        stage_[i].u[k] = sum(i, &stage_[0].v[k], &stage_[1].v[k], &stage_[2].v[k]);
    if (!turns) continue;
    const std::size_t r = first + 3;
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      Radau::Three<Vec3d> rate;
      for (std::size_t i = 0; i < Radau::stages; ++i)
        rate[i] = rotation_rate(load3(&stage_[i].u[r]), load3(&stage_[i].v[r]));
      for (std::size_t i = 0; i < Radau::stages; ++i) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
          double& u = stage_[i].u[r + static_cast<std::size_t>(k)];
          const double next = sum(i, &rate[0][k], &rate[1][k], &rate[2][k]);
          if (sweep + 1 == sweeps) change = std::max(change, weight[r] * std::fabs(next - u));
          u = next;
          square += u * u;
        }
        // Beyond, rotation vectors come near to a whole turn, where they are not determined.
        if (!(square < std::numbers::pi * std::numbers::pi)) change = infinite;
      }
    }
  }
  for (RadauStage& s : stage_) compose(system_, begin.q.data(), s.u.data(), s.q.data());
  return change;
}

void RadauStages::at_stage(std::size_t i, const StepBegin& begin, Workspace<double>& w) {
  const double after = radau_.c[i] * begin.h;
  w.ahead = after;
  update_drives(system_, c_.data(), begin.time + after, begin.inside, w);
  update_bodies(system_, stage_[i].q.data(), stage_[i].v.data(), w);
}

void RadauStages::evaluate_stage(std::size_t i, const StepBegin& begin, Workspace<double>& w) {
  RadauStage& s = stage_[i];
  double* const out = residual_.data() + i * real_part_.size();
  at_stage(i, begin, w);
  residual(system_, c_.data(), s.vdot.data(), s.lambda.data(), w, out);
  s.work_rate = w.power.work;
  s.dissipation_rate = w.power.dissipation;
  if (system_.nc > 0)
    constraint_velocity(system_, c_.data(), s.v.data(), s.lambda.data(), w, out + system_.nv,
                        bias_.data());
}

void RadauStages::evaluate(const StepBegin& begin, Workspace<double>& w) {
  for (std::size_t i = 0; i < Radau::stages; ++i) evaluate_stage(i, begin, w);
}

/// One tangent for all stages: that of the middle one.
bool RadauStages::factor(const StepBegin& begin, Workspace<double>& w) {
  constexpr std::size_t middle = 1;
  const RadauStage& s = stage_[middle];
  at_stage(middle, begin, w);
  tangent(system_, c_.data(), s.vdot.data(), s.lambda.data(), w);
  const double l = begin.h * radau_.eigenvalue;
  const ComplexNumber l2 = begin.h * radau_.eigenvalue2;
  try {
    real_.factor(w, l, l * l, nullptr, begin.time, true);
  } catch (const UserElementFailure&) {
    throw;
  } catch (const SimulationError&) {  // a shorter step may have pivots
    return false;
  }
  factored_for_ = begin.h;
  wants_factor_ = false;
  return complex_.factor(w, l2, l2 * l2);
}

/// From residuals of the stages to the increments that Newton's equations give.
void RadauStages::find_increments(double h) {
  const std::size_t n = real_part_.size(), nv = stage_[0].vdot.size();
  double *const r0 = residual_.data(), *const r1 = r0 + n, *const r2 = r1 + n;
  const auto& s = radau_.left;
  const auto& z = radau_.left2;
  for (std::size_t k = 0; k < n; ++k) {
    real_part_[k] = s[0] * r0[k] + s[1] * r1[k] + s[2] * r2[k];
    complex_part_[k] = r0[k] * z[0] + r1[k] * z[1] + r2[k] * z[2];
  }
  const double scale = 1 / (h * radau_.eigenvalue);
  const ComplexNumber scale2 = ComplexNumber(1) / (h * radau_.eigenvalue2);
  for (std::size_t k = nv; k < n; ++k) {
    real_part_[k] *= scale;
    complex_part_[k] = complex_part_[k] * scale2;
  }
  if (const auto* soft = real_.compliance())
    for (std::size_t k = 0; k < soft->size(); ++k) {
      const double l0 = stage_[0].lambda[k], l1 = stage_[1].lambda[k], l2 = stage_[2].lambda[k];
      const double give = (*soft)[k];
      real_part_[nv + k] -= give * (s[0] * l0 + s[1] * l1 + s[2] * l2);
      complex_part_[nv + k] = complex_part_[nv + k] - give * (l0 * z[0] + l1 * z[1] + l2 * z[2]);
    }
  real_.solve(real_part_.data(), real_part_.data());
  complex_.solve(complex_part_.data(), complex_part_.data());
  for (std::size_t i = 0; i < Radau::stages; ++i) {
    const double t = radau_.right[i], re = 2 * radau_.right2[i].re, im = 2 * radau_.right2[i].im;
    for (std::size_t k = 0; k < n; ++k)
      residual_[i * n + k] =
          t * real_part_[k] + re * complex_part_[k].re - im * complex_part_[k].im;
  }
}

/// Accelerations and multipliers less the increments. The size is that of the increments before
/// they are mixed: they tell the error of the iterate.
RadauStages::Change RadauStages::apply_increments() {
  const std::size_t n = real_part_.size(), nv = stage_[0].vdot.size();
  const double* weight = c_.data() + system_.weight_constants;
  Change change;
  for (std::size_t i = 0; i < Radau::stages; ++i)
    for (std::size_t k = 0; k < nv; ++k)
      if (const double size = weight[k] * std::fabs(residual_[i * n + k]); !(size <= change.size))
        change.size = size, worst_ = static_cast<int>(k);
  mixing_.mix(residual_);
  for (std::size_t i = 0; i < Radau::stages; ++i) {
    RadauStage& stage = stage_[i];
    const double* const increment = residual_.data() + i * n;
    for (std::size_t k = 0; k < nv; ++k) {
      stage.vdot[k] -= increment[k];
      change.acceleration = std::max(change.acceleration, weight[k] * std::fabs(stage.vdot[k]));
    }
    for (std::size_t k = nv; k < n; ++k) stage.lambda[k - nv] -= increment[k];
  }
  return change;
}

/// As BasicIntegrator::state_change(): states have units of their own.
double RadauStages::state_change(double h) const {
  double largest = 0;
  for (const StateIndex& state : system_.states) {
    const auto k = static_cast<std::size_t>(state.v);
    for (std::size_t i = 0; i < Radau::stages; ++i) {
      const RadauStage& s = stage_[i];
      const double size = h * std::fabs(s.vdot[k]) + std::fabs(s.v[k]) + 1e-6;
      largest = std::max(largest, h * std::fabs(residual_[i * real_part_.size() + k]) / size);
    }
  }
  return largest;
}

bool RadauStages::solve(const StepBegin& begin, Workspace<double>& w, RunStatistics& statistics) {
  const double h = begin.h;
  predict(begin);
  double turned = integrate(begin);
  h_before_ = 0;  // until the step is accepted
  // The factor serves until steps take two iterations more with it than when it was new.
  if (factored_for_ != h || iterations_ >= fresh_ + 2) wants_factor_ = true;
  bool is_new = false;
  mixing_.forget();
  double before = 0, rate = 0;
  for (int iteration = 1; iteration <= max_iterations_; ++iteration) {
    if (turned == infinite) break;
    evaluate(begin, w);
    if (wants_factor_) {
      if (!factor(begin, w)) break;
      is_new = true;
      mixing_.forget();
      before = rate = 0;
    }
    find_increments(h);
    Change change = apply_increments();
    statistics.iterations += static_cast<long>(Radau::stages);
    turned = integrate(begin);
    if (!(change.size < 1e300)) break;
    change.size = std::max(change.size, turned / (h * h));
    const double rounding = rounding_of_accelerations(begin, change.acceleration);
    // States are compared with themselves, also where no body accelerates.
    if (!system_.states.empty())
      change.size = std::max(
          change.size, std::max(rounding / tolerance_, change.acceleration) * state_change(h));
    const double ratio = before > 0 ? change.size / before : 1;
    rate = before > 0 ? std::max(ratio, 0.3 * rate) : 1;
    const double wanted = std::max(tolerance_ * change.acceleration, rounding);
    const bool converged = rate < 1 && change.size * rate <= (1 - rate) * wanted;
    const bool rests = ratio > 0.5 && before > 0 && change.size <= 100 * rounding;
    if (converged || rests || change.size <= rounding) {
      iterations_ = iteration;
      if (is_new) fresh_ = iteration;
      return true;
    }
    const bool diverges = ratio > 1 && before > 0;
    if (diverges && is_new && ratio > 2 && iteration > 3) break;
    wants_factor_ =
        diverges || (!is_new && before > 0 && iterations_left(change.size / wanted, ratio) > 3);
    before = change.size;
  }
  wants_factor_ = true;
  return false;
}

/// What rounding of velocities and positions does to accelerations [m/s²].
double RadauStages::rounding_of_accelerations(const StepBegin& begin, double acceleration) const {
  const double* weight = c_.data() + system_.weight_constants;
  double speed = 0;
  for (std::size_t k = 0; k < begin.v.size(); ++k)
    speed = std::max(speed, weight[k] * std::fabs(begin.v[k]));
  const double h = begin.h;
  return epsilon * (10 * acceleration + 10 * speed / h + begin.length_scale / (h * h));
}

double RadauStages::integral(double RadauStage::*rate) const {
  const auto& b = radau_.weights();
  return h_ * (b[0] * stage_[0].*rate + b[1] * stage_[1].*rate + b[2] * stage_[2].*rate);
}

// Exact for straight lines: weights w of c₁ and 1 with w c₁ + (1 - w) = ½.
double RadauStages::doubt(double RadauStage::*rate) const {
  const double weight = 0.5 / (1 - radau_.c[0]);
  return h_ * (weight * stage_[0].*rate + (1 - weight) * stage_[2].*rate) - integral(rate);
}

}  // namespace tumble
