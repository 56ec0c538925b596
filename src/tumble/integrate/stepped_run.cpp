#include "tumble/integrate/stepped_run.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/dynamics/equations.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/step_retry.hpp"
#include "tumble/integrate/step/steps_between.hpp"
#include "tumble/integrate/watch/energy_audit.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/integrate/watch/rotation_watch.hpp"
#include "tumble/integrate/watch/run_warnings.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

struct SteppedRun::Fixed {
  Fixed(const Plan& p, const Model& m)
      : plan(p),
        model(m),
        system(*plan.system),
        constants(prepare(system, model)),
        offsets(probe_offsets(system, model)),
        recorder(system, offsets.data(), constants.data()),
        inputs(system.drives.inputs()),
        scratch(static_cast<std::size_t>(system.nv + system.nc)) {
    const double margin = same_instant(model.simulation);
    for (const double time : system.drives.break_points(model.drives))
      if (time > margin) breaks.push_back(time);
    // As many looks at the account of energy as a run of the model's own duration takes.
    constexpr double looks = 8, most_steps = 512;
    looks_apart = static_cast<long>(
        std::clamp(model.simulation.duration / *model.simulation.step / looks, 1.0, most_steps));
  }
  double* drive_constants() { return constants.data() + system.drive_constants; }

  const Plan plan;
  const Model model;
  const System& system;
  /// Read by all that is below; inputs among them change.
  std::vector<double> constants;
  const std::vector<double> offsets;
  const ProbeRecorder recorder;
  const std::vector<int> inputs;
  std::vector<double> breaks;
  std::vector<double> scratch;  ///< of residuals
  long looks_apart = 1;
};

struct SteppedRun::State {
  explicit State(Fixed& fixed)
      : constants(fixed.constants),
        integrator(fixed.plan, fixed.constants),
        steps(fixed.system),
        audit(fixed.system, fixed.constants),
        contacts(fixed.system) {
    for (const int drive : fixed.inputs)
      wanted.push_back(fixed.system.drives.input(fixed.drive_constants(), drive));
  }

  std::vector<double> constants;  ///< in a saved state; else those in use are Fixed's
  Integrator integrator;
  StepRetry steps;
  EnergyAudit audit;
  RotationWatch rotation;
  ContactWatch contacts;
  std::vector<double> wanted;  ///< of each input: from the current time on
  double step = 0;             ///< as laid out; those taken may be parts of it [s]
  bool stepped = false;        ///< since start()
  bool at_break = false;       ///< of a drive, at the current time
  long since_look = 0;         ///< steps
  std::vector<std::string> warnings;
};

namespace {

/// The power [W] of drives and loads at the integrator's state.
double power_now(const System& system, const std::vector<double>& constants, Integrator& integrator,
                 std::vector<double>& scratch) {
  Workspace<double>& w = integrator.observe();
  const MotionState& state = integrator.state();
  residual(system, constants.data(), state.vdot.data(), state.lambda.data(), w, scratch.data());
  return w.power.work;
}

}  // namespace

namespace {

void refuse_events(const Model& model) {
  if (model.events.empty()) return;
  Diagnostic d;
  d.element = "event '" + model.events.front().name + "'";
  d.where = locate(model, "events." + model.events.front().name);
  d.expectation =
      "must be left out of a machine that is stepped from outside: between its inputs nobody "
      "watches "
      "events; let whoever steps it look for them";
  throw InputError({d});
}

}  // namespace

SteppedRun::SteppedRun(const Plan& plan, const Model& model)
    : fixed_([&] {
        refuse_events(model);
        if (!model.simulation.step) throw std::logic_error("a stepped run needs simulation.step");
        return std::make_unique<Fixed>(plan, model);
      }()),
      state_(std::make_unique<State>(*fixed_)) {}

SteppedRun::~SteppedRun() = default;

double SteppedRun::time() const { return state_->integrator.state().time; }

const std::vector<int>& SteppedRun::inputs() const { return fixed_->inputs; }

void SteppedRun::set_input(int drive, double value) {
  const auto found = std::ranges::find(fixed_->inputs, drive);
  if (found == fixed_->inputs.end()) throw std::logic_error("this drive is no input");
  state_->wanted[static_cast<std::size_t>(found - fixed_->inputs.begin())] = value;
}

double SteppedRun::input(int drive) const {
  const auto found = std::ranges::find(fixed_->inputs, drive);
  if (found == fixed_->inputs.end()) throw std::logic_error("this drive is no input");
  return state_->wanted[static_cast<std::size_t>(found - fixed_->inputs.begin())];
}

void SteppedRun::begin(double h) {
  Fixed& fixed = *fixed_;
  state_ = std::make_unique<State>(fixed);
  State& s = *state_;
  s.step = h;
  s.integrator.start(start_state(fixed.plan, fixed.model, fixed.constants, 0.5 * h, &s.warnings),
                     0.0, 0.5 * h);
  s.steps.restart(s.integrator, h);
  s.audit.account().begin(s.integrator);
}

void SteppedRun::start() {
  const Simulation& simulation = fixed_->model.simulation;
  begin(simulation.first_step());
  State& s = *state_;
  if (simulation.start == StartPose::described) {
    const auto changes =
        start_changes(fixed_->plan, fixed_->model, fixed_->constants, 0.5 * s.step, s.integrator);
    refuse_changed_start(fixed_->model, changes);
    for (std::string& sentence : describe(changes)) s.warnings.push_back(std::move(sentence));
  }
  if (fixed_->plan.redundancy) s.warnings.push_back(fixed_->plan.redundancy->note());
  look(false);
}

void SteppedRun::advance(double to) {
  Fixed& fixed = *fixed_;
  bool broken = state_->at_break, changed = false;
  for (std::size_t i = 0; i < fixed.inputs.size(); ++i) {
    const DriveProgram& drives = fixed.system.drives;
    const double wanted = state_->wanted[i];
    if (wanted == drives.input(fixed.drive_constants(), fixed.inputs[i])) continue;
    drives.set_input(fixed.drive_constants(), fixed.inputs[i], wanted, time());
    changed = true;
  }
  Schedule schedule;
  schedule.segments = steps_between(fixed.model.simulation, fixed.breaks, time(), to);
  const double h = schedule.segments.front().step_size;
  if (!state_->stepped && !changed && is_other_step(h, state_->step)) {
    // Nothing has moved yet: the first restart is to be for the steps that come.
    std::vector<std::string> told = std::move(state_->warnings);
    begin(h);
    state_->warnings = std::move(told);
    look(false);
  }
  State& s = *state_;
  if (broken || changed) {
    s.step = h;
    s.steps.restart(s.integrator, h);
    s.audit.account().cross_break(s.integrator);
  } else if (is_other_step(h, s.step)) {
    s.step = h;
  }
  s.stepped = true;
  s.at_break = schedule.segments.back().is_break;
  schedule.segments.back().is_break = false;

  // After a jump the account takes the power at the end of the first step for all of it: an error
  // of second order, and of first order in all if an input changes at every step. Here the power
  // just after the jump is known, and the trapezoidal rule takes its place.
  struct Walk {
    Fixed& fixed;
    State& s;
    bool jumped = false;   ///< just now
    double jumped_to = 0;  ///< power after it [W]
    double power() { return power_now(fixed.system, fixed.constants, s.integrator, fixed.scratch); }
    void set_step(double size) { s.step = size; }
    bool step(double before, double after) {
      const long halvings = s.steps.halvings();
      s.steps.advance(s.integrator, before, after, s.step);
      if (jumped && s.steps.halvings() == halvings)
        s.audit.account().step_over_break(0.5 * (after - before) * (power() - jumped_to));
      jumped = false;
      if (s.contacts.needed())
        s.contacts.look(fixed.system, fixed.constants.data(), s.integrator.observe(),
                        after - before);
      ++s.since_look;
      return true;
    }
    bool reach(std::size_t /*segment*/, const Segment& /*segment*/) { return true; }
    void leave_break(double /*time*/, double next_step) {
      s.step = next_step;
      s.steps.restart(s.integrator, next_step);
      s.audit.account().cross_break(s.integrator);
    }
  } walk{fixed, s};
  if (changed) {
    walk.jumped = true;
    walk.jumped_to = walk.power();
  }
  follow_schedule(schedule, walk);
  look(s.since_look >= fixed.looks_apart);
}

void SteppedRun::look(bool due) {
  Fixed& fixed = *fixed_;
  State& s = *state_;
  Workspace<double>& w = s.integrator.observe();
  if (!(s.integrator.alignment() > 0)) throw_turned_over(fixed.system, fixed.constants, w, time());
  s.rotation.look(fixed.system, w, s.step);
  s.audit.look(s.integrator, w, due, s.step);
  if (due) s.since_look = 0;
}

std::size_t SteppedRun::size() const { return static_cast<std::size_t>(fixed_->recorder.size()); }

void SteppedRun::measure(std::span<double> out) {
  if (out.size() != size()) throw std::logic_error("not as many numbers as probes have");
  fixed_->recorder.measure(state_->integrator, out.data());
}

void SteppedRun::close() {
  State& s = *state_;
  if (s.since_look > 0) look(true);
  RunStatistics statistics = s.integrator.statistics();
  statistics.halvings = s.steps.halvings();
  for (std::string& sentence : run_warnings(fixed_->system, s.integrator, statistics,
                                            s.audit.violation(), s.rotation, s.contacts))
    s.warnings.push_back(std::move(sentence));
  s.audit.close(s.integrator.observe());
}

std::vector<std::string> SteppedRun::take_warnings() { return std::exchange(state_->warnings, {}); }

std::shared_ptr<const SteppedRun::State> SteppedRun::save() const {
  auto saved = std::make_shared<State>(*state_);
  saved->constants = fixed_->constants;
  return saved;
}

void SteppedRun::restore(const State& state) {
  // Objects of the state refer to constants by their place, so the numbers alone go back.
  std::ranges::copy(state.constants, fixed_->constants.begin());
  state_ = std::make_unique<State>(state);
}

}  // namespace tumble
