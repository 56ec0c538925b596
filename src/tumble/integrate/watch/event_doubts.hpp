// Whether steps are fine enough for what events watch: what a single run tells of it.
#pragma once
#include <string>
#include <vector>

#include "tumble/integrate/watch/event_watch.hpp"

namespace tumble {

class EventDoubts {
 public:
  explicit EventDoubts(const System& system) : system_(system), conditions_(system.events.size()) {}
  /// After each step, when the watch has measured.
  void look(const EventWatch& watch, double before, double after);
  /// Where the run begins anew: what comes does not go on from what was.
  void begin_anew() {
    for (Condition& condition : conditions_) condition.known = 0;
  }
  std::vector<std::string> warnings() const;

 private:
  struct Condition {
    double times[2] = {0, 0}, values[2] = {0, 0};  ///< of the two instants before
    int known = 0;                                 ///< how many of them there are
    int since_crossing = 1000;                     ///< steps since the sign changed
    long near_misses = 0, close_crossings = 0;
    double first_miss = 0, first_close = 0;  ///< [s]
  };
  const System& system_;
  std::vector<Condition> conditions_;
};

}  // namespace tumble
