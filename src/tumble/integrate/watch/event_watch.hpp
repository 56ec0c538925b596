// Looks for crossings of the levels that events watch, of one run or of one per lane.
//
// A condition is looked at where a step ends. One whose sign has changed since it last had one has
// crossed its level, and when follows from the motion in between, a cubic of the time through what
// the step began and ended with (BasicIntegrator::look_back). A condition that crosses and comes
// back within a step is not seen; zero is no sign, so what begins on its level or touches it has
// not crossed. docs/theory/events.md
#pragma once
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "tumble/dynamics/event_condition.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/integrate/trajectory.hpp"

namespace tumble {

template <class S>
class BasicEventWatch {
 public:
  static constexpr int lanes = lane_count<S>;
  struct Crossing {
    int event = 0;  ///< -1: the condition of some event is no number
    double time = 0;
  };

  BasicEventWatch(const System& system, const S* constants)
      : system_(system),
        c_(constants),
        value_(system.events.size()),
        known_(system.events.size() * static_cast<std::size_t>(lanes)) {}

  bool needed() const { return !value_.empty(); }

  /// Anew, at the start of a run.
  void begin(BasicIntegrator<S>& integrator) {
    for (Known& known : known_) known = {};
    measure(integrator);
    for (int lane = 0; lane < lanes; ++lane)
      for (std::size_t e = 0; e < value_.size(); ++e) at(e, lane).sign = sign_of(value(e, lane));
    go_on();
  }

  /// The conditions at the integrator's state.
  void measure(BasicIntegrator<S>& integrator) {
    const Workspace<S>& w = integrator.observe();
    for (std::size_t e = 0; e < value_.size(); ++e)
      value_[e] = event_condition(system_, system_.events[e], c_, w);
  }
  /// As measured last, and where the step began.
  double value(std::size_t event, int lane) const { return lane_of(value_[event], lane); }
  double value_before(std::size_t event, int lane) const { return at(event, lane).before; }

  /// What comes now begins with what was measured last.
  void go_on() {
    for (int lane = 0; lane < lanes; ++lane)
      for (std::size_t e = 0; e < value_.size(); ++e) at(e, lane).before = value(e, lane);
  }

  /// After measure() where a step ends that began at `before`: counts what was crossed in it, up to
  /// the first event that acts. That is returned and not counted, and what comes after it will be
  /// found again. Where `before` is now, at a break point, conditions have jumped.
  std::optional<Crossing> pass(BasicIntegrator<S>& integrator, double before, int lane) {
    std::optional<Crossing> first;
    const double after = integrator.state().time;
    for (std::size_t e = 0; e < value_.size(); ++e) {
      Known& known = at(e, lane);
      const double now = value(e, lane);
      if (!(now - now == 0)) return Crossing{-1, after};
      known.crossed = counts(system_.nominal.events[e], known, sign_of(now));
      if (!known.crossed) continue;
      known.crossing = before < after ? locate(integrator, e, lane, before, after) : after;
      if (known.tally.count > 0 && known.crossing < known.tally.last + dead_time(e, lane))
        known.crossed = false;
      else if (system_.nominal.events[e].action != EventAction::record &&
               (!first || known.crossing < first->time))
        first = Crossing{static_cast<int>(e), known.crossing};
    }
    for (std::size_t e = 0; e < value_.size(); ++e) {
      Known& known = at(e, lane);
      const bool records = system_.nominal.events[e].action == EventAction::record;
      if (known.crossed && (!first || (records && known.crossing <= first->time)))
        count(e, lane, known.crossing);
      else if (const int sign = sign_of(value(e, lane)); !first && sign != 0)
        known.sign = sign;
    }
    return first;
  }

  /// After measure() at an event that acts, to which the run has gone back: crossings that do not
  /// count and were passed on the way are behind it.
  void arrive(int acting, int lane) {
    for (std::size_t e = 0; e < value_.size(); ++e) {
      Known& known = at(e, lane);
      const int sign = sign_of(value(e, lane));
      if (static_cast<int>(e) != acting && !known.crossed && sign != 0) known.sign = sign;
    }
  }

  /// The event happens.
  void count(std::size_t event, int lane, double time) {
    Known& known = at(event, lane);
    known.sign = -known.sign;
    if (known.tally.count == 0) known.tally.first = time;
    known.tally.last = time;
    known.tally.count += 1;
  }
  const EventTally& tally(std::size_t event, int lane) const { return at(event, lane).tally; }

 private:
  struct Known {
    int sign = 0;  ///< of the condition when it last had one, 0 before
    double before = 0;
    bool crossed = false;
    double crossing = 0;  ///< when [s]
    EventTally tally;
  };
  Known& at(std::size_t event, int lane) {
    return known_[event * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane)];
  }
  const Known& at(std::size_t event, int lane) const {
    return known_[event * static_cast<std::size_t>(lanes) + static_cast<std::size_t>(lane)];
  }
  static int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
  static double lane_of(const S& x, int lane) {
    if constexpr (lanes == 1 && std::is_same_v<S, double>)
      return x;
    else
      return x.lane(lane);
  }
  double dead_time(std::size_t event, int lane) const {
    return lane_of(c_[system_.events[event].dead_time], lane);
  }
  static bool counts(const Event& event, const Known& known, int sign) {
    if (known.sign * sign >= 0) return false;
    if (event.direction == EventDirection::rising && sign < 0) return false;
    if (event.direction == EventDirection::falling && sign > 0) return false;
    return event.at_most == 0 || known.tally.count < event.at_most;
  }

  // Regula falsi, which halves the value at an end that stays (Dowell and Jarratt 1971,
  // "Illinois").
  double locate(BasicIntegrator<S>& integrator, std::size_t event, int lane, double before,
                double after) {
    double low = 0, high = 1, f_low = at(event, lane).before, f_high = value(event, lane);
    if (!(f_low * f_high < 0)) return before;  // on the level when the step began
    constexpr int most = 60;
    constexpr double enough = 1e-13;
    for (int i = 0, kept = 0; i < most && high - low > enough; ++i) {
      double x = (low * f_high - high * f_low) / (f_high - f_low);
      if (!(x > low && x < high)) x = 0.5 * (low + high);
      const double f = lane_of(event_condition(system_, system_.events[event], c_,
                                               integrator.look_back(before + x * (after - before))),
                               lane);
      if (f == 0) return before + x * (after - before);
      if ((f > 0) == (f_high > 0)) {
        high = x, f_high = f;
        if (kept == 1) f_low *= 0.5;
        kept = 1;
      } else {
        low = x, f_low = f;
        if (kept == -1) f_high *= 0.5;
        kept = -1;
      }
    }
    return before + high * (after - before);
  }

  const System& system_;
  const S* c_;
  std::vector<S> value_;
  std::vector<Known> known_;
};

using EventWatch = BasicEventWatch<double>;

}  // namespace tumble
