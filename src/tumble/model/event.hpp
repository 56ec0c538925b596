// What happens in a run when a formula crosses a level: it is recorded, switches a number of the
// machine, or ends the run.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tumble/model/expression.hpp"

namespace tumble {

enum class EventDirection { either, rising, falling };
inline constexpr std::array<std::string_view, 3> event_direction_names{"either", "rising",
                                                                       "falling"};
enum class EventAction { record, change, end };
inline constexpr std::array<std::string_view, 3> event_action_names{"record", "switch", "end"};

struct Event {
  std::string name;
  Expression when;
  double level = 0;
  EventDirection direction = EventDirection::either;
  EventAction action = EventAction::record;
  std::optional<std::string> change;
  std::optional<double> to;
  double dead_time = 0;
  int at_most = 0;
  ExpressionParameters parameters;

  /// Does the run go on otherwise than it would without it?
  bool acts() const { return action != EventAction::record; }

  static constexpr std::string_view doc =
      "Something that happens when a formula crosses a level: its times are recorded, and it may "
      "switch a number of the machine or end the run.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"when", "",
            "the formula that is watched: of time, motions, drives, state variables, parameters "
            "and constants",
            Range::any, true},
      s.when);
    v(Entry{"level", "", "the level that it crosses, in its own unit"}, s.level);
    v(Entry{"direction", "", "from which side"}, s.direction);
    v(Entry{"action", "",
            "`record`: nothing but its time; `switch`: the parameter `change` has the value `to` "
            "from then on; `end`: the run ends there"},
      s.action);
    v(Entry{"change", "",
            "switch: path of a parameter of a force or of the rate of a state variable, or of "
            "gravity, as `tumble parameters` lists them"},
      s.change);
    v(Entry{"to", "", "switch: its new value, in the parameter's own unit"}, s.to);
    v(Entry{"dead_time", "s", "crossings are passed over for so long after one that counted",
            Range::non_negative},
      s.dead_time);
    v(Entry{"at_most", "", "how often it can happen; 0: any number of times"}, s.at_most);
    v(Entry{"parameters", "", "numbers that the formula calls by name"}, s.parameters);
  }
};

}  // namespace tumble
