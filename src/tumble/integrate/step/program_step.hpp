// Calls the compiled programs of a machine for the integrator of a batch, where there are any and
// they fit; the integrator calls its kernels otherwise. Whatever is called, the bits are the same.
#pragma once
#include <algorithm>

#include "tumble/dynamics/context.hpp"
#include "tumble/integrate/step/step_programs.hpp"

namespace tumble {

/// The numbers of a step that programs and the integrator share.
template <class S>
struct StepArrays {
  std::vector<S>&q, &v, &vdot, &lambda, &u, &residual;
};

template <class S>
class ProgramStep {
 public:
  /// From the next step on; null: kernels. What it points at outlives its use.
  void use(const StepPrograms* programs, const System& system, Workspace<S>& w) {
    programs_ = programs;
    if (programs == nullptr) return;
    sources_.clear();
    std::size_t size = 0, next = 0;
    visit_context(system, w, [&](S& x) {
      if (next < programs->context.size() &&
          static_cast<std::size_t>(programs->context[next]) == size) {
        sources_.push_back(&x);
        ++next;
      }
      ++size;
    });
    context_.resize(size, S(0.0));
    if (scratch_.size() < static_cast<std::size_t>(programs->scratch))
      scratch_.resize(static_cast<std::size_t>(programs->scratch), S(0.0));
    step_.resize(step_numbers, S(0.0));
    const auto nv = static_cast<std::size_t>(system.nv), nc = static_cast<std::size_t>(system.nc);
    for (auto* x : {&vdot_, &v_, &u_}) x->resize(nv, S(0.0));
    lambda_.resize(nc, S(0.0));
    solution_.resize(nv + nc, S(0.0));
    h_ = 0;
    kinematics_fresh_ = true;
  }

  /// After update_drives(): what programs read of the workspace.
  void begin_step(double h, double c1, double c2, double row_scale, const Workspace<S>& w) {
    if (programs_ == nullptr) return;
    fits_ = h == programs_->step_size;
    followed_ = w.bushings_followed;
    if (h != h_) {
      h_ = h;
      step_ = {S(h), S(h * h), S(c1), S(c2), S(row_scale)};
    }
  }
  void take_context() {
    if (programs_ == nullptr) return;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      context_[static_cast<std::size_t>(programs_->context[i])] = *sources_[i];
  }

  /// update_bodies() and residual(); false: to be called.
  bool residual(const S* c, const StepArrays<S>& next, Workspace<S>& w) {
    kinematics_fresh_ = true;
    if (programs_ == nullptr || followed_ || (programs_->residual_needs_step_size && !fits_))
      return false;
    const double* in[] = {numbers(c),         numbers(next.q),      numbers(next.v),
                          numbers(next.vdot), numbers(next.lambda), numbers(context_)};
    double* out[] = {numbers(next.residual), numbers(rest_)};
    auto* function =
        w.power.with_dissipation ? programs_->residual : programs_->residual_without_dissipation;
    if (function(in, out, numbers(scratch_)) != 0) return false;
    w.lambda = next.lambda.data();
    w.power.work = rest_[0];
    w.power.dissipation = w.power.with_dissipation ? rest_[1] : S(0.0);
    w.bushing_reach = rest_[2];
    kinematics_fresh_ = false;
    return true;
  }
  /// Does the workspace hold the kinematics of the iterate, and what its forces left?
  bool kinematics_fresh() const { return kinematics_fresh_; }

  /// tangent(), assemble_kkt() and factorize() into `factor`; `degraded` gets 1 or 0.
  bool factor(const S* c, const StepArrays<S>& next, S* factor, S* degraded) {
    if (programs_ == nullptr || followed_ || !fits_) return false;
    const double* in[] = {numbers(c),         numbers(next.q),      numbers(next.v),
                          numbers(next.vdot), numbers(next.lambda), numbers(context_),
                          numbers(next.u)};
    double* out[] = {numbers(factor), numbers(degraded)};
    return programs_->factor(in, out, numbers(scratch_)) == 0;
  }

  /// From the residual to the next iterate, which takes the place of the one before; the solution
  /// takes that of the residual. `sizes`: change, acceleration, nonfinite.
  bool correct(const S* c, const S* factor, const S& active, const std::vector<S>& q_now,
               const StepArrays<S>& next, S (&sizes)[3]) {
    if (programs_ == nullptr) return false;
    const double* in[] = {numbers(c),      numbers(next.residual), numbers(next.lambda),
                          numbers(factor), numbers(&active),       numbers(next.vdot),
                          numbers(next.v), numbers(next.u),        numbers(q_now),
                          numbers(step_)};
    double* out[] = {numbers(solution_), numbers(vdot_),  numbers(v_),   numbers(u_),
                     numbers(lambda_),   numbers(next.q), numbers(sizes)};
    if (programs_->correction(in, out, numbers(scratch_)) != 0) return false;
    next.residual.swap(solution_);
    next.vdot.swap(vdot_);
    next.v.swap(v_);
    next.u.swap(u_);
    next.lambda.swap(lambda_);
    return true;
  }

  /// What a step with a history starts from; `a` moves on by a step.
  bool predict(const StepArrays<S>& now, const std::vector<S>& vdot_before,
               const std::vector<S>& lambda_before, std::vector<S>& a, const StepArrays<S>& next) {
    if (programs_ == nullptr) return false;
    const double* in[] = {numbers(now.q),      numbers(now.v),       numbers(now.vdot),
                          numbers(now.lambda), numbers(vdot_before), numbers(lambda_before),
                          numbers(a),          numbers(step_)};
    double* out[] = {numbers(next.vdot),   numbers(next.v), numbers(next.u),
                     numbers(next.lambda), numbers(next.q), numbers(v_)};
    if (programs_->prediction(in, out, numbers(scratch_)) != 0) return false;
    a.swap(v_);
    return true;
  }

 private:
  static constexpr std::size_t step_numbers = 5;

  static const double* numbers(const S* x) { return reinterpret_cast<const double*>(x); }
  static double* numbers(S* x) { return reinterpret_cast<double*>(x); }
  static const double* numbers(const std::vector<S>& x) { return numbers(x.data()); }
  static double* numbers(std::vector<S>& x) { return numbers(x.data()); }

  const StepPrograms* programs_ = nullptr;
  std::vector<const S*> sources_;  ///< of the context, in the workspace
  std::vector<S> context_, scratch_, step_;
  std::vector<S> vdot_, v_, u_, lambda_, solution_;  ///< changed places with the integrator's
  S rest_[3]{};
  double h_ = 0;
  bool fits_ = false, followed_ = false, kinematics_fresh_ = true;
};

}  // namespace tumble
