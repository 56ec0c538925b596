#include "tumble/integrate/accuracy/step_demand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/excitation/spectrum.hpp"

namespace tumble {
namespace {

/// Of anything that turns or oscillates by itself, at most.
double radians_a_step(const Simulation& simulation) { return simulation.order() > 2 ? 1.0 : 0.3; }

constexpr int block_steps = 8;
constexpr double growth = 4;            ///< of steps from one block to the next, at most
constexpr double first_part = 0x1p-12;  ///< of the time between outputs: the first step
constexpr double failing = std::numeric_limits<double>::infinity();
constexpr double smallest_part = 0x1p-30;  ///< of it: steps below are given up

double fastest_turn(Integrator& integrator) {
  double fastest = 0;
  for (const auto& body : integrator.observe().body)
    fastest = std::max(fastest, std::sqrt(dot(body.w_W, body.w_W)));
  return fastest;
}

/// What drives ask for: a part of a period, the spacing of a table's rows.
double drive_step(const Model& model) {
  const double radians = radians_a_step(model.simulation);
  double step = std::numeric_limits<double>::infinity();
  for (const Drive& drive : model.drives) {
    if (const auto* harmonic = std::get_if<HarmonicDrive>(&drive.kind);
        harmonic != nullptr && harmonic->frequency > 0)
      step = std::min(step, radians / (2 * std::numbers::pi * harmonic->frequency));
    if (const double highest = band_of(drive.kind).to; highest > 0)
      step = std::min(step, radians / (2 * std::numbers::pi * highest));
    if (const auto* table = std::get_if<TableDrive>(&drive.kind); table != nullptr)
      for (std::size_t i = 1; i < table->table.x.size(); ++i)
        step = std::min(step, table->table.x[i] - table->table.x[i - 1]);
    if (const auto* smooth = std::get_if<SmoothStepDrive>(&drive.kind); smooth != nullptr)
      step = std::min(step, radians / std::numbers::pi * (smooth->end - smooth->start));
  }
  return step;
}

/// Positions of size ℓ are rounded by ε ℓ, which puts an error of some 10 ε ℓ/h² into accelerations
/// and what follows from them. Steps below this one make probed quantities worse, not better. Not
/// by radau, which makes accelerations fit positions at the end of each step.
double rounding_step(const Model& model, const std::vector<ProbeSeries>& series,
                     const std::vector<double>& allowed) {
  if (model.simulation.integrator == IntegrationMethod::radau) return 0;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  double length = 1e-3, mass = 0, step = 0;
  for (const Body& body : model.bodies) {
    for (int i = 0; i < 3; ++i) length = std::max(length, std::fabs(body.position[i]));
    mass += body.mass;
  }
  for (std::size_t q = 0; q < series.size(); ++q) {
    const std::string_view unit = info(series[q].quantity).unit;
    const double size = unit == "m/s^2"     ? length
                        : unit == "rad/s^2" ? 1.0
                        : unit == "N"       ? mass * length
                        : unit == "N m"     ? mass * length * length
                                            : 0.0;
    step = std::max(step, std::sqrt(500 * epsilon * size / allowed[q]));
  }
  return step;
}

/// One realisation on its way.
class Scout {
 public:
  Scout(const Plan& plan, const Model& model, const std::vector<double>& allowed,
        const std::function<void()>& check_interrupt)
      : model_(model),
        allowed_(allowed),
        check_interrupt_(check_interrupt),
        constants_(prepare(*plan.system, model)),
        offsets_(probe_offsets(*plan.system, model)),
        recorder_(*plan.system, offsets_.data(), constants_.data()),
        series_(make_series(model)),
        breaks_(make_schedule(*plan.system, model).breaks),
        every_(model.simulation.output_interval()),
        largest_(std::min(every_, drive_step(model))),
        first_(std::min(largest_,
                        std::max(first_part * every_, rounding_step(model, series_, allowed)))) {
    demand_.peaks.assign(series_.size(), 0.0);
    now_ = std::make_unique<Integrator>(plan, constants_);
    now_->start(start_state(plan, model, constants_, 0.5 * first_), 0.0, 0.5 * first_);
    now_->restart(first_);
  }

  StepDemand run() {
    for (std::size_t event = 0; event <= breaks_.size(); ++event) {
      const double from = event == 0 ? 0.0 : breaks_[event - 1];
      const double to = event < breaks_.size() ? breaks_[event] : model_.simulation.duration;
      demand_.events.emplace_back();
      cover(from, to);
    }
    return std::move(demand_);
  }

 private:
  void cover(double event, double end) {
    double t = event, step = first_;
    while (end - t > 1e-9 * every_) {
      if (check_interrupt_) check_interrupt_();
      const double turning = fastest_turn(*now_);
      const double radians = radians_a_step(model_.simulation);
      const double limit = turning > 0 ? std::min(largest_, radians / turning) : largest_;
      step = std::min(step, limit);
      const double rest = end - t;
      const bool last = rest <= block_steps * step * (1 + 1e-9);
      const int steps =
          last ? std::max(1, static_cast<int>(std::ceil(rest / step - 1e-9))) : block_steps;
      const double h = last ? rest / steps : step;
      const double excess = try_block(t, h, steps, last ? end : t + steps * h);
      const double fits = h / root(std::max(excess, 1e-8));
      // Below the first step rounding is all that differs, unless the steps fail.
      const bool coarse = excess > 1 && (h > 1.01 * first_ || excess == failing);
      if (coarse) {
        step = std::max(0.9 * fits, h / growth);
        if (excess < failing) step = std::max(step, first_);
        if (step < smallest_part * every_) give_up(t);
        continue;
      }
      demand_.events.back().push_back(
          {t - event, t - event + steps * h, std::max(fits, std::min(first_, limit)), limit});
      now_.swap(ahead_);
      t = last ? end : t + steps * h;
      step = std::max(std::min(0.9 * fits, growth * h), std::min(first_, limit));
    }
  }

  /// The error of a block is of the order of the method in its steps.
  double root(double excess) const {
    const int order = model_.simulation.order();
    return order == 2 ? std::sqrt(excess) : std::pow(excess, 1.0 / order);
  }

  /// Covers a block from now_ with steps of h and, into ahead_, with half of them. Returns the
  /// largest difference over what is allowed; infinity if the steps fail.
  double try_block(double t, double h, int steps, double end) {
    const auto coarse = std::make_unique<Integrator>(*now_);
    ahead_ = std::make_unique<Integrator>(*now_);
    double excess = 0;
    try {
      coarse->restart(h);
      ahead_->restart(0.5 * h);
      note_peaks(*ahead_);
      for (int k = 1; k <= steps; ++k) {
        const double before = t + (k - 1) * h, after = k == steps ? end : t + k * h;
        if (!coarse->step(after) || !ahead_->step(0.5 * (before + after)) || !ahead_->step(after))
          return failing;
        const double differs = difference(*coarse, *ahead_);
        if (!(differs < 1e12)) return failing;  // NaN too
        excess = std::max(excess, differs);
      }
    } catch (const SimulationError&) {
      return failing;
    }
    note_peaks(*ahead_);
    return excess;
  }

  double difference(Integrator& coarse, Integrator& fine) {
    measured_.resize(static_cast<std::size_t>(recorder_.size()));
    finer_.resize(measured_.size());
    error_.resize(measured_.size());
    recorder_.measure(coarse, measured_.data());
    recorder_.measure(fine, finer_.data());
    double largest = 0;
    std::size_t at = 0;
    for (std::size_t q = 0; q < series_.size(); ++q) {
      time_error(model_.simulation.order(), series_[q].quantity, series_[q].size, &measured_[at],
                 &finer_[at], &error_[at]);
      for (int i = 0; i < series_[q].size; ++i, ++at) {
        const double relative = std::fabs(error_[at]) / allowed_[q];
        if (!(relative <= largest)) largest = relative;  // keeps NaN
      }
    }
    return largest;
  }

  void note_peaks(Integrator& integrator) {
    measured_.resize(static_cast<std::size_t>(recorder_.size()));
    recorder_.measure(integrator, measured_.data());
    std::size_t at = 0;
    for (std::size_t q = 0; q < series_.size(); ++q)
      for (int i = 0; i < series_[q].size; ++i, ++at)
        demand_.peaks[q] = std::max(demand_.peaks[q], std::fabs(measured_[at]));
  }

  [[noreturn]] static void give_up(double t) {
    throw SimulationError(
        "no step is small enough for the accuracy that simulation.accuracy asks for at t = " +
            format_number(t) + " s",
        t);
  }

  const Model& model_;
  const std::vector<double>& allowed_;
  const std::function<void()>& check_interrupt_;
  const std::vector<double> constants_, offsets_;
  const ProbeRecorder recorder_;
  const std::vector<ProbeSeries> series_;
  const std::vector<double> breaks_;
  const double every_, largest_;
  const double first_;  ///< after an event
  std::unique_ptr<Integrator> now_, ahead_;
  std::vector<double> measured_, finer_, error_;
  StepDemand demand_;
};

}  // namespace

StepDemand find_step_demand(const Plan& plan, const Model& model,
                            const std::vector<double>& allowed,
                            const std::function<void()>& check_interrupt) {
  return Scout(plan, model, allowed, check_interrupt).run();
}

double largest_step(const Plan& plan, const Model& model) {
  const double every = model.simulation.output_interval();
  const std::vector<double> constants = prepare(*plan.system, model);
  Integrator integrator(plan, constants);
  const double inside = 0.5 * first_part * every;
  integrator.start(start_state(plan, model, constants, inside), 0.0, inside);
  integrator.restart(first_part * every);
  const double turning = fastest_turn(integrator);
  const double step = std::min(every, drive_step(model));
  return turning > 0 ? std::min(step, radians_a_step(model.simulation) / turning) : step;
}

}  // namespace tumble
