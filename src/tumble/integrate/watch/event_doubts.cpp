#include "tumble/integrate/watch/event_doubts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tumble {

// A condition that comes near its level and turns back between two steps may have crossed it twice:
// the parabola through three instants tells whether it did. One that crosses, and crosses back
// within a few steps, is not resolved by them either.
void EventDoubts::look(const EventWatch& watch, double before, double after) {
  constexpr int few = 3;
  constexpr double margin = 1.5;  // of what the parabola goes beyond the steps: it is no parabola
  for (std::size_t e = 0; e < conditions_.size(); ++e) {
    Condition& c = conditions_[e];
    const double now = watch.value(e, 0);
    const bool anew = c.known == 0;
    if (anew) c.times[1] = before, c.values[1] = watch.value_before(e, 0), c.known = 1;
    const double last = c.values[1];
    ++c.since_crossing;
    if (last * now < 0) {
      if (!anew && c.since_crossing < few && c.close_crossings++ == 0) c.first_close = after;
      if (!anew) c.since_crossing = 0;
    } else if (c.known == 2 && c.values[0] * now > 0 && last * now > 0) {
      // p(t) = now + s (t - after) + k (t - after)(t - t1), divided differences
      const double t0 = c.times[0], t1 = c.times[1];
      const double s = (now - last) / (after - t1), r = (last - c.values[0]) / (t1 - t0);
      const double k = (s - r) / (after - t0);
      const double top = 0.5 * (after + t1) - 0.5 * s / k;
      if (k * now > 0 && top > t0 && top < after) {
        const double extreme = now + (top - after) * (s + k * (top - t1));
        const double nearest = std::fabs(last) < std::fabs(now) ? last : now;
        const double deepest = nearest + margin * (extreme - nearest);
        if (deepest * now < 0 && c.near_misses++ == 0) c.first_miss = top;
      }
    }
    c.times[0] = c.times[1], c.values[0] = c.values[1];
    c.times[1] = after, c.values[1] = now;
    c.known = 2;
  }
}

std::vector<std::string> EventDoubts::warnings() const {
  std::vector<std::string> all;
  for (std::size_t e = 0; e < conditions_.size(); ++e) {
    const Condition& c = conditions_[e];
    const std::string& name = system_.events[e].name;
    if (c.near_misses > 0)
      all.push_back(fmt::format(
          "event '{}' may have been missed {} times, first at about t = {:.6g} s: its condition "
          "comes to its level and turns back between two steps, which alone are looked at; a "
          "smaller simulation.step tells",
          name, c.near_misses, c.first_miss));
    if (c.close_crossings > 0)
      all.push_back(fmt::format(
          "the condition of event '{}' crosses its level {} times less than 3 steps after it "
          "crossed it before, first at about t = {:.6g} s: others may have been missed; a smaller "
          "simulation.step tells, or a dead_time if it swings by itself",
          name, c.close_crossings, c.first_close));
  }
  return all;
}

}  // namespace tumble
