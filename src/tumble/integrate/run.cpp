#include "tumble/integrate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/start/start_state.hpp"
#include "tumble/integrate/step/follow_schedule.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/integrate/step/step_retry.hpp"
#include "tumble/integrate/watch/contact_watch.hpp"
#include "tumble/integrate/watch/energy_audit.hpp"
#include "tumble/integrate/watch/event_doubts.hpp"
#include "tumble/integrate/watch/event_watch.hpp"
#include "tumble/integrate/watch/redundancy.hpp"
#include "tumble/integrate/watch/rotation_watch.hpp"
#include "tumble/integrate/watch/run_warnings.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {

namespace {

class Runner {
 public:
  Runner(const Plan& plan, const Model& model, const RunOptions& options)
      : plan_(plan),
        model_(model),
        system_(*plan.system),
        options_(options),
        constants_(prepare(system_, model)),
        schedule_(options.schedule != nullptr ? *options.schedule : make_schedule(system_, model)),
        offsets_(probe_offsets(system_, model)),
        recorder_(system_, offsets_.data(), constants_.data()),
        measured_(static_cast<std::size_t>(recorder_.size())),
        integrator_(plan, constants_),
        steps_(system_),
        dates_(schedule_),
        audit_(system_, constants_),
        contacts_(system_),
        events_(system_, constants_.data()),
        doubts_(system_) {
    if (events_.needed())
      steps_.tell([this](double before, double after) { return watch(before, after); });
    if (system_.events_act()) integrator_.let_undo();
    trajectory_.series = make_series(plan);
    if (plan.redundancy) trajectory_.redundancy = plan.redundancy->note();
  }

  RunOutcome run() {
    RunOutcome outcome;
    try {
      cover_all();
    } catch (const SimulationError& error) {
      outcome.failure = RunFailure{error.time(), error.what(), nullptr};
      if (dynamic_cast<const UserElementFailure*>(&error) != nullptr)
        outcome.failure->thrown = std::current_exception();
      if (const auto turning = rotation_.reason(system_))
        outcome.failure->reason += "; " + *turning;
      if (const auto since = audit_.off_since()) {
        drop_from(*since);
        if (*since < error.time()) {
          outcome.failure->time = *since;
          outcome.failure->reason +=
              fmt::format("; the energy account is off from t = {:.9g} s on", *since);
        }
      }
    }
    trajectory_.statistics = integrator_.statistics();
    trajectory_.statistics.constraint_drift = audit_.drift();
    trajectory_.statistics.halvings = steps_.halvings();
    trajectory_.statistics.energy = audit_.summary();
    for (std::size_t e = 0; e < system_.events.size(); ++e)
      trajectory_.event_tallies.push_back(events_.tally(e, 0));
    for (std::string& sentence : run_warnings(system_, integrator_, trajectory_.statistics,
                                              audit_.violation(), rotation_, contacts_))
      trajectory_.warnings.push_back(std::move(sentence));
    for (std::string& sentence : doubts_.warnings())
      trajectory_.warnings.push_back(std::move(sentence));
    outcome.trajectory = std::move(trajectory_);
    return outcome;
  }

  // What follow_schedule() asks for.
  void set_step(double h) { step_ = h; }  // the next step restarts
  bool step(double before, double after) {
    acted_in_step_ = 0;
    if (trajectory_.ended || !steps_.advance(integrator_, before, after, step_)) return false;
    if (contacts_.needed())
      contacts_.look(system_, constants_.data(), integrator_.observe(), after - before);
    if (options_.progress && ++steps_covered_ % 1024 == 0)
      options_.progress(after / schedule_.outputs.back());
    return shown();
  }
  bool reach(std::size_t i, const Segment& segment) {
    const bool due = dates_.due(i);
    since_jump_ += segment.steps;
    if (segment.output) record(segment.to, due);
    return true;
  }
  void leave_break(double time, double next_step) {
    step_ = next_step;
    if (integrator_.steps_over_breaks()) {
      step_over_break();
    } else {
      restart(next_step);
      audit_.account().cross_break(integrator_);
      append(&ProbeSeries::right_values, integrator_);
    }
    trajectory_.breaks.push_back(time);
    if (events_.needed()) watch_jump(time);
  }

 private:
  void cover_all() {
    const double h = step_ = start_step(schedule_, model_);
    integrator_.start(start_state(plan_, model_, constants_, 0.5 * h, &trajectory_.warnings), 0.0,
                      0.5 * h);
    restart(h);
    audit_.account().begin(integrator_);
    dates_.begin();
    if (events_.needed()) events_.begin(integrator_);
    if (options_.start_changes && model_.simulation.start == StartPose::described) {
      trajectory_.start_changes = start_changes(plan_, model_, constants_, 0.5 * h, integrator_);
      refuse_changed_start(model_, trajectory_.start_changes);
      for (std::string& sentence : describe(trajectory_.start_changes))
        trajectory_.warnings.push_back(std::move(sentence));
    }
    record(0.0, false);
    if (shown()) follow_schedule(schedule_, *this);
    audit_.close(integrator_.observe());
    if (options_.progress) options_.progress(1);
  }

  /// After a step, or a part of one. False if an event has ended the run in it.
  bool watch(double before, double after) {
    events_.measure(integrator_);
    doubts_.look(events_, before, after);
    const auto acting = pass(before);
    if (!acting) {
      events_.go_on();
      return true;
    }
    doubts_.begin_anew();
    // So near to either end of the step, the event takes its place.
    const double near = 1e-6 * step_;
    double at = acting->time;
    if (after - at <= near) {
      at = after;
    } else if (at - before <= near) {
      integrator_.undo_step();
      at = before;
    } else {
      at = go_to(static_cast<std::size_t>(acting->event), before, at, after);
    }
    events_.measure(integrator_);
    events_.arrive(acting->event, 0);
    if (!act(static_cast<std::size_t>(acting->event), at)) return false;
    const double rest = after - at;
    restart(rest > 0 ? rest : step_);
    if (acting_changes(acting->event)) audit_.account().cross_break(integrator_);
    events_.measure(integrator_);
    events_.go_on();
    if (rest <= 0) return true;
    if (!steps_.advance(integrator_, at, after, rest)) return false;
    // What a very short step leaves of accelerations and reactions is rounding.
    if (rest < 1e-2 * step_) restart(step_);
    return true;
  }

  /// After a break point, where conditions may have jumped.
  void watch_jump(double time) {
    events_.measure(integrator_);
    doubts_.begin_anew();
    while (const auto acting = pass(time)) {
      if (!act(static_cast<std::size_t>(acting->event), time)) return;
      restart(step_);
      if (acting_changes(acting->event)) audit_.account().cross_break(integrator_);
      events_.measure(integrator_);
    }
    events_.go_on();
  }

  bool acting_changes(int event) const {
    return model_.events[static_cast<std::size_t>(event)].action == EventAction::change;
  }

  /// What has happened since `before`; the first event that acts is still to come.
  std::optional<EventWatch::Crossing> pass(double before) {
    counts_.clear();
    for (std::size_t e = 0; e < system_.events.size(); ++e)
      counts_.push_back(events_.tally(e, 0).count);
    const auto acting = events_.pass(integrator_, before, 0);
    if (acting && acting->event < 0)
      throw SimulationError("what an event watches is no number any more",
                            integrator_.state().time);
    const auto known = static_cast<std::ptrdiff_t>(trajectory_.events.size());
    for (std::size_t e = 0; e < system_.events.size(); ++e)
      if (events_.tally(e, 0).count > counts_[e])
        trajectory_.events.push_back({system_.events[e].name, events_.tally(e, 0).last, 0});
    std::ranges::sort(trajectory_.events.begin() + known, trajectory_.events.end(), {},
                      &EventOccurrence::time);
    return acting;
  }

  /// Takes the step again, to where the event is: that of one shorter step from the same start,
  /// which is found by regula falsi. Returns when.
  double go_to(std::size_t event, double before, double guess, double after) {
    const double enough = 1e-10 * (after - before);
    double low = before, high = after, f_low = events_.value_before(event, 0),
           f_high = events_.value(event, 0), at = guess;
    constexpr int most = 12;
    for (int i = 0;; ++i) {
      integrator_.undo_step();
      restart(at - before);
      if (!integrator_.step(at))
        throw SimulationError(
            fmt::format("no convergence at t = {} s with a step of {:.3g} s to the event '{}'",
                        format_number(before), at - before, system_.events[event].name),
            before);
      events_.measure(integrator_);
      const double f = events_.value(event, 0);
      const bool beyond = (f > 0) == (f_high > 0);
      (beyond ? high : low) = at, (beyond ? f_high : f_low) = f;
      const double next = (low * f_high - high * f_low) / (f_high - f_low);
      if (i >= most || f == 0 || !(next > low && next < high) || std::fabs(next - at) <= enough)
        return at;
      at = next;
    }
  }

  /// The event happens now. False if it ends the run.
  bool act(std::size_t event, double time) {
    const Event& described = model_.events[event];
    constexpr int most = 100;
    if (++acted_in_step_ > most)
      throw SimulationError(
          fmt::format(
              "event '{}' and others act more than {} times between two steps at t = {} s: "
              "what they switch sends their conditions back at once; give them a dead_time, "
              "or two levels in place of one",
              described.name, most, format_number(time)),
          time);
    events_.count(event, 0, time);
    double energy = 0;
    if (described.action == EventAction::change) energy = change(described);
    trajectory_.events.push_back({described.name, time, energy});
    if (described.action == EventAction::end) trajectory_.ended = time;
    return described.action != EventAction::end;
  }

  /// Gives a parameter its new value. Returns the potential energy that comes with it [J].
  double change(const Event& event) {
    if (!switched_) switched_.emplace(model_);
    const double before =
        stored_energy(system_, constants_.data(), integrator_.observe()).potential;
    switched_->set(system_.parameters.find(*event.change), *event.to);
    if (const auto mistakes = check(switched_->model()); !mistakes.empty()) {
      Diagnostic first = mistakes.front();
      first.where = {};
      throw SimulationError(fmt::format("event '{}' makes a machine that cannot be: {}", event.name,
                                        to_string(first)),
                            integrator_.state().time);
    }
    const std::vector<double> constants = prepare(system_, switched_->model());
    std::ranges::copy(constants, constants_.begin());
    const double energy =
        stored_energy(system_, constants_.data(), integrator_.observe()).potential - before;
    audit_.account().add_switching(energy);
    return energy;
  }

  /// Shows the current instant to the caller; false if that is to be the last.
  bool shown() {
    if (!options_.after_step) return true;
    const Workspace<double>& w = integrator_.observe();
    views_.resize(w.body.size() - 1);
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const auto& b = w.body[i + 1];  // [0] is the ground
      views_[i] = {b.p_W, b.R_WB, b.v_W, b.w_W};
    }
    return options_.after_step({integrator_.state().time, views_});
  }

  /// The account may be off long before that is sure.
  void drop_from(double time) {
    const auto keep = [time](std::vector<double>& instants, auto value_list, auto& series) {
      const auto first = std::ranges::find_if(instants, [time](double t) { return t >= time; });
      const auto count = static_cast<std::size_t>(first - instants.begin());
      if (count == instants.size()) return;
      instants.resize(count);
      for (ProbeSeries& s : series)
        (s.*value_list).resize(count * static_cast<std::size_t>(s.size));
    };
    keep(trajectory_.times, &ProbeSeries::values, trajectory_.series);
    keep(trajectory_.breaks, &ProbeSeries::right_values, trajectory_.series);
  }

  /// A method that does not restart has no right limits of its own: they are those that a restart
  /// would begin with. Reactions take several steps to let velocities jump, and all the while seem
  /// to act along velocities as imposed after the jump.
  void step_over_break() {
    Integrator just_after(integrator_);
    just_after.restart(step_);
    append(&ProbeSeries::right_values, just_after);
    audit_.account().step_over_break(just_after.impulse_excess());
    since_jump_ = 0;
  }
  /// Until what a jump has left is down to a thousandth, n ρⁿ by the double root of the multistep
  /// method, velocities and the reactions that changed them do not belong together.
  bool jump_lasts() const {
    const double rho = system_.nominal.simulation.spectral_radius;
    const auto n = static_cast<double>(since_jump_);
    return integrator_.steps_over_breaks() && !trajectory_.breaks.empty() &&
           (n < 4 || (n < 1000 && n * std::pow(rho, n) > 1e-3));
  }

  void restart(double h) { steps_.restart(integrator_, h); }

  void record(double time, bool due) {
    Workspace<double>& w = integrator_.observe();
    if (!(integrator_.alignment() > 0)) throw_turned_over(system_, constants_, w, time);
    rotation_.look(system_, w, step_);
    if (!jump_lasts()) audit_.look(integrator_, w, due, step_);
    append(&ProbeSeries::values, integrator_);
    trajectory_.times.push_back(time);  // measuring may have found a contradiction
  }

  void append(std::vector<double> ProbeSeries::*target, Integrator& integrator) {
    recorder_.measure(integrator, measured_.data());
    const double* next = measured_.data();
    for (auto& series : trajectory_.series) {
      (series.*target).insert((series.*target).end(), next, next + series.size);
      next += series.size;
    }
  }

  const Plan& plan_;
  const Model& model_;
  const System& system_;
  const RunOptions& options_;
  std::vector<double> constants_;  ///< events switch them; read by all that is below
  const Schedule schedule_;
  const std::vector<double> offsets_;
  ProbeRecorder recorder_;
  std::vector<double> measured_;
  std::vector<BodyView> views_;
  Integrator integrator_;
  StepRetry steps_;
  AccountDates dates_;
  EnergyAudit audit_;
  RotationWatch rotation_;
  ContactWatch contacts_;
  EventWatch events_;
  EventDoubts doubts_;
  std::optional<Realization> switched_;  ///< the machine as events have left it
  int acted_in_step_ = 0;
  std::vector<double> counts_;  ///< of events, before they are passed
  Trajectory trajectory_;
  double step_ = 0;      ///< as scheduled; those taken may be parts of it
  long since_jump_ = 0;  ///< steps of the schedule since the last break
  long steps_covered_ = 0;
};

}  // namespace

RunOutcome run_recorded(const Plan& plan, const Model& model, const RunOptions& options) {
  return Runner(plan, model, options).run();
}

Trajectory run(const Plan& plan, const Model& model, const RunOptions& options) {
  RunOutcome outcome = run_recorded(plan, model, options);
  if (outcome.failure && outcome.failure->thrown) std::rethrow_exception(outcome.failure->thrown);
  if (outcome.failure) throw SimulationError(outcome.failure->reason, outcome.failure->time);
  return std::move(outcome.trajectory);
}

Trajectory simulate(const Model& model, const RunOptions& options) {
  return run(make_plan(model), model, options);
}

}  // namespace tumble
