#include "tumble/integrate/derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/integrate/probe_recorder_impl.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/integrator_impl.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/math/dual.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {

template <>
inline constexpr bool knows_all_methods<Dual> = true;
template <>
inline constexpr bool carries_slopes<Dual> = true;

// The equations of a step hold for the values already. By the slot they are linear: as many
// corrections as the kept factor needs, with values left alone.
template <class S>
bool BasicIntegrator<S>::settle_slopes() {
  constexpr int most = 60;
  constexpr double settled = 1e-11, nearly = 1e-6, shrinking = 0.5, good_enough = 50;
  const S* weight = c_.data() + system_.weight_constants;
  const S scale(row_scale_);
  const std::size_t nv = vdot_next_.size();
  double before = 0;
  for (int iteration = 1; iteration <= most; ++iteration) {
    update_bodies(system_, q_next_.data(), v_next_.data(), w_);
    residual(system_, c_.data(), vdot_next_.data(), lambda_next_.data(), w_, residual_.data());
    if (method_ == IntegrationMethod::baumgarte) require_accelerations();
    for (std::size_t i = nv; i < residual_.size(); ++i) residual_[i] = scale * residual_[i];
    if (const auto* soft = kkt_.compliance())
      for (std::size_t i = 0; i < soft->size(); ++i)
        residual_[nv + i] = fnma(S((*soft)[i]), lambda_next_[i], residual_[nv + i]);
    for (S& r : residual_) r.value = 0;
    solve_turned(residual_);
    apply_increment(!failed_);
    double change = 0, size = 0, displaced = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      change = std::max(change, weight[i].value * std::fabs(residual_[i].slope));
      size = std::max(size, weight[i].value * std::fabs(vdot_next_[i].slope));
    }
    for (const S& q : q_next_) displaced = std::max(displaced, std::fabs(q.slope));
    if (!std::isfinite(change + size)) return false;
    // What rounding of positions does to accelerations does not shrink.
    const double rounding = 2 * std::numeric_limits<double>::epsilon() / c2_ * displaced;
    if (change <= std::max(settled * size, rounding)) return true;
    if (iteration > 1 && change > shrinking * before &&
        change <= std::max(nearly * size, good_enough * rounding))
      return true;
    before = change;
  }
  return false;
}

namespace {

[[noreturn]] void refuse(const std::string& value, const std::string& expectation,
                         const std::string& suggestion = {}) {
  Diagnostic d;
  d.element = "derivatives";
  d.field = "of";
  d.value = value;
  d.expectation = expectation;
  d.suggestion = suggestion;
  throw InputError({d});
}

/// What a run is made from.
struct Numbers {
  std::vector<double> constants, offsets, q, v, turns;
};

Numbers numbers_of(const Plan& plan, const Model& model, double step) {
  const System& system = *plan.system;
  Numbers n{prepare(system, model), probe_offsets(system, model), {}, {}, {}};
  const InitialState start = start_state(plan, model, n.constants, 0.5 * step);
  Integrator integrator(plan, n.constants);
  integrator.start(start, 0.0, 0.5 * step);
  integrator.restart(step);
  n.q = integrator.state().q;
  n.v = integrator.state().v;
  n.turns = start.turns;
  return n;
}

/// Constants, places of probes and the start follow from the slots by closed formulas and solutions
/// of equations, without time: their derivatives are differences of sixth order,
///   f' ≈ (45 (f₁ - f₋₁) - 9 (f₂ - f₋₂) + (f₃ - f₋₃)) / 60 δ,
/// δ a thousandth of the slot's size. What they leave out is below what rounding does, 1e-12.
class SlopeFinder {
 public:
  SlopeFinder(const Plan& plan, const Model& model, int slot, double step)
      : plan_(plan), slot_(slot), realization_(model), at_(numbers_of(plan, model, step)) {
    const double x = realization_.get(slot), spacing = 1e-3 * size_of_slot(x);
    std::vector<Numbers> around;
    const auto breaks = breaks_of(model);
    for (const int k : {-3, -2, -1, 1, 2, 3}) {
      realization_.set(slot, x + k * spacing);
      if (breaks_of(realization_.model()) != breaks)
        refuse(slot_path(),
               "moves a break point of a drive, where velocities may jump: there is no derivative "
               "by it");
      around.push_back(numbers_of(plan, realization_.model(), step));
    }
    realization_.set(slot, x);
    const auto join = [&](std::vector<double> Numbers::*list) {
      std::vector<Dual> result;
      for (std::size_t i = 0; i < (at_.*list).size(); ++i) {
        const auto difference = [&](std::size_t k) {
          return (around[5 - k].*list)[i] - (around[k].*list)[i];
        };
        result.emplace_back(
            (at_.*list)[i],
            (45 * difference(2) - 9 * difference(1) + difference(0)) / (60 * spacing));
      }
      return result;
    };
    constants = join(&Numbers::constants);
    offsets = join(&Numbers::offsets);
    start.q = join(&Numbers::q);
    start.v = join(&Numbers::v);
    start.turns.assign(at_.turns.begin(), at_.turns.end());
  }

  std::vector<Dual> constants, offsets;
  BasicInitialState<Dual> start;

 private:
  std::vector<double> breaks_of(const Model& model) const {
    return plan_.system->drives.break_points(model.drives);
  }
  const std::string& slot_path() const {
    return plan_.parameters().slots()[static_cast<std::size_t>(slot_)].path;
  }
  /// Of its neighbours, [1] of [0], if it is zero itself.
  double size_of_slot(double x) const {
    double size = std::fabs(x);
    if (size > 0) return size;
    const std::string& path = slot_path();
    const std::string list = path.substr(0, path.rfind('[') + 1);
    const auto& slots = plan_.parameters().slots();
    if (!list.empty())
      for (std::size_t i = 0; i < slots.size(); ++i)
        if (slots[i].path.starts_with(list))
          size = std::max(size, std::fabs(realization_.get(static_cast<int>(i))));
    return size > 0 ? size : 1;
  }

  const Plan& plan_;
  const int slot_;
  Realization realization_;
  const Numbers at_;
};

class DerivativeRun {
 public:
  DerivativeRun(const Plan& plan, const Model& model, const Schedule& schedule,
                const SlopeFinder& numbers, Derivatives& result)
      : schedule_(schedule),
        first_step_(start_step(schedule, model)),
        numbers_(numbers),
        recorder_(*plan.system, numbers.offsets.data(), numbers.constants.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        integrator_(plan, numbers.constants),
        result_(result) {
    result_.series = make_series(model);
  }

  void run() {
    const double h = first_step_;
    integrator_.start(numbers_.start, 0.0, 0.5 * h);
    integrator_.restart(h);
    record(0.0);
    follow_schedule(schedule_, *this);
  }

  // What follow_schedule() asks for.
  void set_step(double h) { integrator_.change_step(h); }
  bool step(double before, double after) {
    if (!integrator_.step(after) || integrator_.failed())
      throw SimulationError(
          fmt::format("no derivatives from t = {} s on: a step of {:.3g} s does not converge, and "
                      "steps are not halved with derivatives; make simulation.step smaller",
                      format_number(before), after - before),
          before);
    return true;
  }
  bool reach(std::size_t /*segment*/, const Segment& segment) {
    if (segment.output) record(segment.to);
    return true;
  }
  void leave_break(double time, double next_step) {
    if (integrator_.steps_over_breaks()) {
      BasicIntegrator<Dual> just_after(integrator_);
      just_after.restart(next_step);
      append(&ProbeSeries::right_values, just_after);
      integrator_.change_step(next_step);
    } else {
      integrator_.restart(next_step);
      append(&ProbeSeries::right_values, integrator_);
    }
    result_.breaks.push_back(time);
  }

 private:
  void record(double time) {
    if (integrator_.failed())
      throw SimulationError(
          fmt::format("no derivatives at t = {} s: the equations are nearly singular",
                      format_number(time)),
          time);
    append(&ProbeSeries::values, integrator_);
    result_.times.push_back(time);
  }
  void append(std::vector<double> ProbeSeries::*target, BasicIntegrator<Dual>& integrator) {
    recorder_.measure(integrator, measured_.data());
    const Dual* next = measured_.data();
    for (auto& series : result_.series)
      for (int k = 0; k < series.size; ++k) (series.*target).push_back((next++)->slope);
  }

  const Schedule& schedule_;
  const double first_step_;
  const SlopeFinder& numbers_;
  BasicProbeRecorder<Dual> recorder_;
  std::vector<Dual> measured_;
  BasicIntegrator<Dual> integrator_;
  Derivatives& result_;
};

int find_slot(const ParameterTable& table, const std::string& path) {
  const int slot = table.find(path);
  if (slot >= 0) return slot;
  std::vector<std::string> known;
  for (const Slot& s : table.slots()) known.push_back(s.path);
  refuse(path, "is no number of the model: `tumble parameters` lists them",
         nearest_name(path, known));
}

SlopeFinder slopes_of(const Plan& plan, const Model& model, const std::string& path,
                      const Schedule& schedule) {
  const int slot = find_slot(plan.parameters(), path);
  if (!model.user_forces.empty() || !model.user_constraints.empty())
    refuse(path,
           "elements supplied as C++ code compute with plain numbers: there are no derivatives");
  if (model.simulation.integrator == IntegrationMethod::radau)
    refuse(path,
           "derivatives are computed with simulation.integrator generalized-alpha, baumgarte or "
           "multistep, not with radau");
  if (plan.system->events_act())
    refuse(path,
           "events that switch something or end runs make motions without derivatives that this "
           "could compute: let them record, or take differences of runs");
  return {plan, model, slot, start_step(schedule, model)};
}

}  // namespace

void require_derivative(const Plan& plan, const Model& model, const std::string& path) {
  slopes_of(plan, model, path, make_schedule(*plan.system, model));
}

Derivatives differentiate(const Plan& plan, const Model& model, const std::string& path) {
  const Schedule schedule = make_schedule(*plan.system, model);
  const SlopeFinder numbers = slopes_of(plan, model, path, schedule);
  Derivatives result;
  result.path = path;
  const ParameterTable& table = plan.parameters();
  result.unit = table.slots()[static_cast<std::size_t>(table.find(path))].unit;
  DerivativeRun(plan, model, schedule, numbers, result).run();
  return result;
}

}  // namespace tumble
