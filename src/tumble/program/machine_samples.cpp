#include "tumble/program/machine_samples.hpp"

#include <algorithm>
#include <map>

#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

namespace {

class SampledRun {
 public:
  SampledRun(const Plan& plan, const Schedule& schedule)
      : plan_(plan),
        constants_(prepare(*plan.system, plan.system->nominal)),
        schedule_(schedule),
        integrator_(plan, constants_) {
    long steps = 0;
    for (const Segment& segment : schedule.segments) steps += segment.steps;
    stride_ = std::max(1L, std::min(steps, most_steps) / wanted);
  }

  std::vector<MachineSample> run() {
    const double h = h_ = schedule_.segments.front().step_size;
    try {
      integrator_.start(start_state(plan_, plan_.system->nominal, constants_, 0.5 * h), 0.0,
                        0.5 * h);
      integrator_.restart(h);
      take();
      follow_schedule(schedule_, *this);
    } catch (const std::runtime_error&) {
      // The states before it failed will do.
    }
    return std::move(samples_);
  }

  // What follow_schedule() asks for.
  void set_step(double h) { integrator_.restart(h_ = h); }
  bool step(double /*before*/, double after) {
    if (++steps_ > most_steps || !integrator_.step(after)) return false;
    if (steps_ % stride_ == 0) take();
    return true;
  }
  bool reach(std::size_t /*segment*/, const Segment&) { return true; }
  void leave_break(double /*time*/, double next_step) { integrator_.restart(h_ = next_step); }

 private:
  static constexpr long wanted = 16, most_steps = 20000;

  void take() {
    const MotionState& now = integrator_.state();
    MachineSample sample{
        constants_, now.q, now.v,    now.vdot,
        now.lambda, now.v, now.time, now.time + (samples_.empty() ? 0.5 : -0.5) * h_};
    for (double& u : sample.u) u *= h_;
    samples_.push_back(std::move(sample));
  }

  const Plan& plan_;
  const std::vector<double> constants_;
  const Schedule& schedule_;
  Integrator integrator_;
  std::vector<MachineSample> samples_;
  double h_ = 0;
  long steps_ = 0, stride_ = 1;
};

}  // namespace

std::vector<MachineSample> sample_nominal_run(const Plan& plan, const Schedule& schedule) {
  if (schedule.segments.empty()) return {};
  return SampledRun(plan, schedule).run();
}

StepNumbers step_numbers(const System& system, double h) {
  const auto alpha =
      GeneralizedAlpha::with_spectral_radius(system.nominal.simulation.spectral_radius);
  const double c2 = alpha.position_factor(h);
  return {h, alpha.velocity_factor(h), c2, 1 / c2};
}

StepNumbers most_frequent_step(const System& system, const Schedule& schedule) {
  std::map<double, long> steps;
  double h = 0;
  for (const Segment& segment : schedule.segments) {
    // As runs follow a schedule, which keep a step over what rounding changes.
    if (h == 0 || is_other_step(segment.step_size, h)) h = segment.step_size;
    steps[h] += segment.steps;
    if (segment.is_break) h = 0;
  }
  const auto most = std::max_element(
      steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return step_numbers(system, most == steps.end() ? 0 : most->first);
}

}  // namespace tumble
