// How the programs of a machine are recorded: kernels run over numbers that write down what is done
// to them. For sources that are compiled for nothing else.
#pragma once
// Every operation of a recording is a call that writes; inlining all of them takes minutes.
#define TUMBLE_INLINE inline
#define TUMBLE_FLATTEN
#include "tumble/dynamics/context.hpp"
#include "tumble/dynamics/turns.hpp"
#include "tumble/integrate/step/generalized_alpha.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/program/machine_programs.hpp"
#include "tumble/program/recorder.hpp"

namespace tumble::recording {

using S = Recorded;

/// The numbers of one region as inputs of the program that is being recorded.
class Inputs {
 public:
  explicit Inputs(Recorder& recorder, const std::vector<MachineSample>& samples)
      : recorder_(recorder), samples_(samples) {}

  std::vector<S> of(const char* name, std::vector<double> MachineSample::*member) {
    return make(name, (samples_[0].*member).size(),
                [&](std::size_t k, std::size_t i) { return (samples_[k].*member)[i]; });
  }
  template <class Value>
  std::vector<S> make(const char* name, std::size_t size, Value&& value) {
    const int region = recorder_.add_input(name, static_cast<int>(size));
    std::vector<S> numbers(size);
    std::vector<double> values(samples_.size());
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(k, i);
      numbers[i] = recorder_.input(region, static_cast<int>(i), values);
    }
    return numbers;
  }

 private:
  Recorder& recorder_;
  const std::vector<MachineSample>& samples_;
};

inline void write(Recorder& recorder, const char* name, const std::vector<S>& values) {
  const int region = recorder.add_output(name, static_cast<int>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    recorder.output(region, static_cast<int>(i), values[i]);
}

class MachineRecording {
 public:
  MachineRecording(const Plan& plan, const StepNumbers& step,
                   const std::vector<MachineSample>& samples)
      : plan_(plan), system_(*plan.system), step_(step), samples_(samples) {
    for (const MachineSample& sample : samples) {
      Workspace<double> w(system_);
      forget_turns(system_, w);
      update_drives(system_, sample.constants.data(), sample.time, sample.inside, w);
      std::vector<double> numbers;
      visit_context(system_, w, [&](double x) { numbers.push_back(x); });
      contexts_.push_back(std::move(numbers));
      // What an iteration computes before: right-hand sides and factors as programs meet them.
      update_bodies(system_, sample.q.data(), sample.v.data(), w);
      std::vector<double> residual(size());
      tumble::residual(system_, sample.constants.data(), sample.vdot.data(), sample.lambda.data(),
                       w, residual.data());
      residuals_.push_back(std::move(residual));
      tangent(system_, sample.constants.data(), sample.vdot.data(), sample.lambda.data(), w);
      std::vector<double> matrix = assembled(w, sample.u.data());
      std::vector<double> factor(static_cast<std::size_t>(plan_.elimination->factor_size));
      factorize(*plan_.elimination, matrix.data(), factor.data());
      factors_.push_back(std::move(factor));
    }
  }

  Program residual() {
    Recorder recorder("tumble_residual", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto q = inputs.of("q", &MachineSample::q), v = inputs.of("v", &MachineSample::v),
               vdot = inputs.of("vdot", &MachineSample::vdot),
               lambda = inputs.of("lambda", &MachineSample::lambda);
    Workspace<S> w = workspace(inputs);
    update_bodies(system_, q.data(), v.data(), w);
    std::vector<S> out(size());
    tumble::residual(system_, c.data(), vdot.data(), lambda.data(), w, out.data());
    write(recorder, "residual", out);
    write(recorder, "rest", {w.power.work, w.power.dissipation, w.bushing_reach});
    return recorder.finish();
  }

  /// `of_any_step`: sizes of steps are an input, or they are those of the recording.
  Program factor(bool of_any_step = false) {
    Recorder recorder("tumble_factor", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    const auto q = inputs.of("q", &MachineSample::q), v = inputs.of("v", &MachineSample::v),
               vdot = inputs.of("vdot", &MachineSample::vdot),
               lambda = inputs.of("lambda", &MachineSample::lambda);
    Workspace<S> w = workspace(inputs);
    const auto u = inputs.of("u", &MachineSample::u);
    update_bodies(system_, q.data(), v.data(), w);
    // Tangents may read what forces left in the workspace.
    std::vector<S> unused(size());
    tumble::residual(system_, c.data(), vdot.data(), lambda.data(), w, unused.data());
    tangent(system_, c.data(), vdot.data(), lambda.data(), w);
    std::vector<S> matrix;
    if (of_any_step) {
      const auto step = step_inputs(inputs);
      matrix = assembled(w, u.data(), step[StepRegion::c1], step[StepRegion::c2]);
    } else {
      matrix = assembled(w, u.data());
    }
    std::vector<S> factor(static_cast<std::size_t>(plan_.elimination->factor_size));
    const RecordedMask degraded = factorize(*plan_.elimination, matrix.data(), factor.data());
    write(recorder, "factor", factor);
    write(recorder, "degraded", {select(degraded, S(1.0), S(0.0))});
    return recorder.finish();
  }

  // As BasicIntegrator::solve_increment() and apply_increment().
  Program correction() {
    Recorder recorder("tumble_correction", samples_.size());
    Inputs inputs(recorder, samples_);
    const auto c = inputs.of("constants", &MachineSample::constants);
    auto r = inputs.make("residual", size(), [&](auto k, auto i) { return residuals_[k][i]; });
    const auto lambda = inputs.of("lambda", &MachineSample::lambda);
    const auto factor =
        inputs.make("factor", factors_[0].size(), [&](auto k, auto i) { return factors_[k][i]; });
    const auto taking_part = inputs.make("active", 1, [](auto, auto) { return 1.0; });
    auto vdot = inputs.of("vdot", &MachineSample::vdot), v = inputs.of("v", &MachineSample::v),
         u = inputs.of("u", &MachineSample::u);
    const auto q = inputs.of("q", &MachineSample::q);
    const auto step = step_inputs(inputs);

    const RecordedMask active = taking_part[0] > S(0.5);
    const std::size_t nv = vdot.size();
    const S scale = step[StepRegion::row_scale], c1 = step[StepRegion::c1],
            c2 = step[StepRegion::c2], zero(0.0);
    for (std::size_t i = nv; i < r.size(); ++i) r[i] = scale * r[i];
    if (const auto* soft = plan_.compliance())
      for (std::size_t i = 0; i < soft->size(); ++i)
        r[nv + i] = fnma(S((*soft)[i]), lambda[i], r[nv + i]);
    std::vector<S> solution(size()), scratch(size());
    solve(*plan_.elimination, factor.data(), r.data(), solution.data(), scratch.data());

    const S* weight = c.data() + system_.weight_constants;
    S change = zero, acceleration = zero, nonfinite = zero;
    for (std::size_t i = 0; i < nv; ++i) {
      const S delta = select(active, solution[i], zero);
      const S next = vdot[i] - delta;
      vdot[i] = next;
      v[i] = fnma(c1, delta, v[i]);
      u[i] = fnma(c2, delta, u[i]);
      change = max(weight[i] * abs(delta), change);
      acceleration = max(weight[i] * abs(next), acceleration);
      nonfinite = fma(delta, zero, nonfinite);
    }
    std::vector<S> next_lambda(lambda.size()), next_q(q.size());
    for (std::size_t i = 0; i < lambda.size(); ++i)
      next_lambda[i] = select(active, lambda[i] - solution[nv + i], lambda[i]);
    compose(system_, q.data(), u.data(), next_q.data());
    write(recorder, "solution", solution);
    write(recorder, "next_vdot", vdot);
    write(recorder, "next_v", v);
    write(recorder, "next_u", u);
    write(recorder, "next_lambda", next_lambda);
    write(recorder, "next_q", next_q);
    write(recorder, "sizes", {change, acceleration, nonfinite});
    return recorder.finish();
  }

  // As BasicIntegrator::predict(): with a history, or just after a restart, when the auxiliary
  // acceleration is there already and the method has velocities of its own to start from.
  Program prediction(bool with_history = true) {
    Recorder recorder(with_history ? "tumble_prediction" : "tumble_first_prediction",
                      samples_.size());
    Inputs inputs(recorder, samples_);
    const auto q = inputs.of("q", &MachineSample::q), v = inputs.of("v", &MachineSample::v),
               vdot = inputs.of("vdot", &MachineSample::vdot),
               lambda = inputs.of("lambda", &MachineSample::lambda),
               vdot_before = inputs.of("vdot_before", &MachineSample::vdot),
               lambda_before = inputs.of("lambda_before", &MachineSample::lambda),
               a_before = inputs.of("a", &MachineSample::vdot);
    const auto step = step_inputs(inputs);
    const auto alpha =
        GeneralizedAlpha::with_spectral_radius(system_.nominal.simulation.spectral_radius);
    const S h = step[StepRegion::h], h2 = step[StepRegion::h2];
    const S gamma(alpha.gamma), rest_gamma(1 - alpha.gamma), beta(alpha.beta),
        rest_beta(0.5 - alpha.beta);
    const S alpha_m(alpha.alpha_m), alpha_f(alpha.alpha_f), rest_f(1 - alpha.alpha_f),
        keep(1 / (1 - alpha.alpha_m));
    const S c1 = step[StepRegion::c1], c2 = step[StepRegion::c2], two(2.0);
    const std::size_t nv = vdot.size();
    std::vector<S> next_a(nv), next_vdot(nv), next_v(nv), next_u(nv);
    std::vector<S> next_lambda(lambda.size()), next_q(q.size());
    for (std::size_t i = 0; i < nv; ++i) {
      S a = a_before[i], predicted = vdot[i];
      if (with_history) {
        a = keep * (fma(rest_f, vdot[i], alpha_f * vdot_before[i]) - alpha_m * a);
        predicted = fma(two, vdot[i], -vdot_before[i]);
      }
      next_a[i] = a;
      const S a_base = keep * (alpha_f * vdot[i] - alpha_m * a);
      next_vdot[i] = predicted;
      next_v[i] = fma(c1, predicted, fma(h, fma(rest_gamma, a, gamma * a_base), v[i]));
      next_u[i] = fma(c2, predicted, fma(h2, fma(rest_beta, a, beta * a_base), h * v[i]));
    }
    for (std::size_t i = 0; i < lambda.size(); ++i)
      next_lambda[i] = with_history ? fma(two, lambda[i], -lambda_before[i]) : lambda[i];
    compose(system_, q.data(), next_u.data(), next_q.data());
    write(recorder, "next_vdot", next_vdot);
    write(recorder, "next_v", next_v);
    write(recorder, "next_u", next_u);
    write(recorder, "next_lambda", next_lambda);
    write(recorder, "next_q", next_q);
    write(recorder, "next_a", next_a);
    return recorder.finish();
  }

 protected:
  std::size_t size() const { return static_cast<std::size_t>(system_.nv + system_.nc); }

  std::vector<S> step_inputs(Inputs& inputs) const {
    const std::vector<double> numbers = StepRegion::numbers(step_);
    return inputs.make("step", numbers.size(), [&](auto, auto i) { return numbers[i]; });
  }

  Workspace<S> workspace(Inputs& inputs) {
    Workspace<S> w(system_);
    forget_turns(system_, w);
    const auto context = inputs.make("context", contexts_[0].size(),
                                     [&](auto k, auto i) { return contexts_[k][i]; });
    const S* next = context.data();
    visit_context(system_, w, [&](S& x) { x = *next++; });
    w.time = std::numeric_limits<double>::quiet_NaN();
    w.ahead = step_.h;
    w.power.with_dissipation = true;
    return w;
  }

  template <class T>
  std::vector<T> assembled(Workspace<T>& w, const T* u) const {
    return assembled(w, u, step_.c1, step_.c2);
  }
  template <class T, class Factor>
  std::vector<T> assembled(Workspace<T>& w, const T* u, const Factor& c1, const Factor& c2) const {
    const auto* soft = plan_.compliance();
    const auto slots = static_cast<std::size_t>(system_.pattern.nonzeros());
    std::vector<T> matrix(slots + (soft != nullptr ? soft->size() : 0));
    assemble_kkt(system_, w, c1, c2, u, matrix.data());
    if (soft != nullptr)
      for (std::size_t i = 0; i < soft->size(); ++i) matrix[slots + i] = T(-(*soft)[i]) * T(1.0);
    return matrix;
  }

  const Plan& plan_;
  const System& system_;
  const StepNumbers step_;
  const std::vector<MachineSample>& samples_;
  std::vector<std::vector<double>> contexts_, residuals_, factors_;  ///< by sample
};

}  // namespace tumble::recording
