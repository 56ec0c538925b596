#include "tumble/integrate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/integrator.hpp"
#include "tumble/integrate/probe_recorder.hpp"

namespace tumble {

std::vector<Landmark> landmarks(const System& system, const Model& model) {
  const Simulation& simulation = model.simulation;
  const double every = simulation.output_step.value_or(simulation.step);
  const double together = 1e-9 * simulation.step;  // closer than this is the same instant
  std::vector<Landmark> marks;
  const auto outputs = static_cast<long>(std::llround(simulation.duration / every));
  for (long k = 0; k <= outputs; ++k)
    marks.push_back({static_cast<double>(k) * every, true, false, 1});
  // The landmark at time t, made if there is none.
  const auto mark_at = [&](double t) -> Landmark& {
    const auto next =
        std::lower_bound(marks.begin(), marks.end(), t - together,
                         [](const Landmark& mark, double time) { return mark.time < time; });
    if (next != marks.end() && std::fabs(next->time - t) <= together) return *next;
    return *marks.insert(next, {t, false, false, 1});
  };
  std::vector<double> breaks;
  for (const double t : system.drives.break_points(model.drives))
    if (t > together && t < simulation.duration - together) breaks.push_back(t);
  for (const double t : breaks) mark_at(t).is_break = true;
  if (simulation.break_substeps > 1 && simulation.break_steps > 0) {
    for (std::size_t i = 0; i < breaks.size(); ++i) {
      const double limit = i + 1 < breaks.size() ? breaks[i + 1] : simulation.duration;
      const double end = std::min(limit, breaks[i] + simulation.break_steps * simulation.step);
      mark_at(end);
      for (auto& mark : marks)
        if (mark.time > breaks[i] - together && mark.time < end - together)
          mark.substeps = simulation.break_substeps;
    }
  }
  return marks;
}

namespace {

class Runner {
 public:
  Runner(const Plan& plan, const Model& model, const RunOptions& options)
      : system_(*plan.system),
        options_(options),
        constants_(prepare(system_, model)),
        marks_(landmarks(system_, model)),
        offsets_(probe_offsets(system_, model)),
        recorder_(system_, offsets_.data(), constants_.data()),
        integrator_(plan, constants_),
        start_(initial_state(system_, model)) {}

  Trajectory run() {
    trajectory_.series = make_series(system_.nominal);
    measured_.resize(static_cast<std::size_t>(recorder_.size()));
    const double h0 = interval_step(0).size;
    integrator_.start(start_.q, start_.v, 0.0, 0.5 * h0);
    restart(h0);
    record(marks_.front());
    for (std::size_t i = 0; i + 1 < marks_.size(); ++i) {
      cover(i);
      record(marks_[i + 1]);
      if (marks_[i + 1].is_break) leave_break(i + 1);
    }
    if (options_.progress) options_.progress(1);
    const double drift = trajectory_.statistics.constraint_drift;
    trajectory_.statistics = integrator_.statistics();
    trajectory_.statistics.constraint_drift = drift;
    trajectory_.statistics.halvings = halvings_;
    return std::move(trajectory_);
  }

 private:
  struct IntervalStep {
    long count;
    double size;
  };
  /// Equal steps, none larger than asked for, from one landmark to the next.
  IntervalStep interval_step(std::size_t i) const {
    const double length = marks_[i + 1].time - marks_[i].time;
    const double step = system_.nominal.simulation.step / marks_[i].substeps;
    const long count = std::max(1L, static_cast<long>(std::ceil(length / step * (1 - 1e-9))));
    const double size = length / static_cast<double>(count);
    // Rounding of landmark times must not look like a change of step size.
    return {count, std::fabs(size - step) <= 1e-9 * step ? step : size};
  }

  void restart(double h) {
    integrator_.restart(h);
    h_ = h;
  }

  void cover(std::size_t i) {
    const IntervalStep steps = interval_step(i);
    const double from = marks_[i].time, to = marks_[i + 1].time;
    double before = from;
    for (long k = 1; k <= steps.count; ++k) {
      const double after = k == steps.count ? to : from + static_cast<double>(k) * steps.size;
      if (std::fabs(h_ - steps.size) > 1e-9 * steps.size) restart(steps.size);
      advance(before, after, 0);
      before = after;
      if (options_.progress && ++steps_covered_ % 1024 == 0)
        options_.progress(after / marks_.back().time);
    }
  }

  /// One step, or two halves of it if it fails.
  void advance(double before, double after, int depth) {
    if (!integrator_.step(after)) return;
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

  void record(const Landmark& mark) {
    if (!mark.output) return;
    trajectory_.times.push_back(mark.time);
    append(&ProbeSeries::values);
    auto& drift = trajectory_.statistics.constraint_drift;
    drift = std::max(drift, integrator_.constraint_residual());
  }

  void leave_break(std::size_t i) {
    restart(interval_step(i).size);
    trajectory_.breaks.push_back(marks_[i].time);
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
  const std::vector<Landmark> marks_;
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

Trajectory run(const Plan& plan, const Model& model, const RunOptions& options) {
  return Runner(plan, model, options).run();
}

Trajectory simulate(const Model& model, const RunOptions& options) {
  return run(make_plan(compile(model)), model, options);
}

}  // namespace tumble
