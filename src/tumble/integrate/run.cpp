#include "tumble/integrate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/integrator.hpp"
#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

namespace {

class Runner {
 public:
  Runner(const Plan& plan, const Model& model, const RunOptions& options)
      : system_(*plan.system),
        options_(options),
        constants_(prepare(system_, model)),
        schedule_(options.schedule != nullptr ? *options.schedule : make_schedule(system_, model)),
        offsets_(probe_offsets(system_, model)),
        recorder_(system_, offsets_.data(), constants_.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        integrator_(plan, constants_),
        start_(initial_state(system_, model)) {
    trajectory_.series = make_series(system_.nominal);
  }

  RunOutcome run() {
    RunOutcome outcome;
    try {
      cover_all();
    } catch (const SimulationError& error) {
      outcome.failure = RunFailure{error.time(), error.what()};
    }
    const double drift = trajectory_.statistics.constraint_drift;
    trajectory_.statistics = integrator_.statistics();
    trajectory_.statistics.constraint_drift = drift;
    trajectory_.statistics.halvings = halvings_;
    outcome.trajectory = std::move(trajectory_);
    return outcome;
  }

 private:
  void cover_all() {
    const double h = schedule_.segments.front().step_size;
    integrator_.start(start_, 0.0, 0.5 * h);
    restart(h);
    record(0.0);
    for (std::size_t i = 0; i < schedule_.segments.size(); ++i) {
      const Segment& segment = schedule_.segments[i];
      cover(segment);
      if (segment.output) record(segment.to);
      if (segment.is_break) leave_break(segment.to, schedule_.segments[i + 1].step_size);
    }
    if (options_.progress) options_.progress(1);
  }

  void restart(double h) {
    integrator_.restart(h);
    h_ = h;
  }

  void cover(const Segment& segment) {
    double before = segment.from;
    for (long k = 1; k <= segment.steps; ++k) {
      const double after = segment.time_after(k);
      if (std::fabs(h_ - segment.step_size) > 1e-9 * h_) restart(segment.step_size);
      advance(before, after, 0);
      before = after;
      if (options_.progress && ++steps_covered_ % 1024 == 0)
        options_.progress(after / schedule_.outputs.back());
    }
  }

  /// One step, or two halves of it if it fails.
  void advance(double before, double after, int depth) {
    if (integrator_.step(after)) return;
    if (depth == system_.nominal.simulation.max_halvings)
      throw SimulationError(
          fmt::format("no convergence at t = {} s with a step of {:.3g} s: {} moves most", before,
                      after - before, integrator_.worst_row()),
          before);
    ++halvings_;
    const double half = 0.5 * (after - before), middle = before + half;
    restart(half);
    advance(before, middle, depth + 1);
    if (std::fabs(h_ - half) > 1e-9 * half) restart(half);
    advance(middle, after, depth + 1);
  }

  void record(double time) {
    trajectory_.times.push_back(time);
    append(&ProbeSeries::values);
    auto& drift = trajectory_.statistics.constraint_drift;
    drift = std::max(drift, integrator_.constraint_residual());
  }

  void leave_break(double time, double next_step) {
    restart(next_step);
    trajectory_.breaks.push_back(time);
    append(&ProbeSeries::right_values);
  }

  void append(std::vector<double> ProbeSeries::*target) {
    recorder_.measure(integrator_, measured_.data());
    const double* next = measured_.data();
    for (auto& series : trajectory_.series) {
      (series.*target).insert((series.*target).end(), next, next + series.size);
      next += series.size;
    }
  }

  const System& system_;
  const RunOptions& options_;
  const std::vector<double> constants_;
  const Schedule schedule_;
  const std::vector<double> offsets_;
  ProbeRecorder recorder_;
  std::vector<double> measured_;
  Integrator integrator_;
  const InitialState start_;
  Trajectory trajectory_;
  double h_ = 0;
  long halvings_ = 0;
  long steps_covered_ = 0;
};

}  // namespace

RunOutcome run_recorded(const Plan& plan, const Model& model, const RunOptions& options) {
  return Runner(plan, model, options).run();
}

Trajectory run(const Plan& plan, const Model& model, const RunOptions& options) {
  RunOutcome outcome = run_recorded(plan, model, options);
  if (outcome.failure) throw SimulationError(outcome.failure->reason, outcome.failure->time);
  return std::move(outcome.trajectory);
}

Trajectory simulate(const Model& model, const RunOptions& options) {
  return run(make_plan(compile(model)), model, options);
}

}  // namespace tumble
