// Scalars of a run that a user asks about: its peak, when that was, the first crossing of a level.
//
// Not part of a Model, whose numbers they do not change: like `uncertainty` and `study` they say
// what is made of its runs.
#pragma once
#include <memory>

#include "tumble/model/entry.hpp"
#include "tumble/model/study/formula.hpp"
#include "tumble/model/study/user_quantity.hpp"

namespace tumble {

/// What is made of a function x(t) on a window of time.
enum class QuantityKind {
  peak,
  minimum,
  absolute_peak,
  range,
  time_of_peak,
  time_of_minimum,
  time_of_absolute_peak,
  rms,
  mean,
  final_value,
  first_crossing,
  first_event,
  last_event,
  event_count,
};
inline constexpr std::array<std::string_view, 14> quantity_kind_names{
    "peak",         "minimum",         "absolute_peak",         "range",
    "time_of_peak", "time_of_minimum", "time_of_absolute_peak", "rms",
    "mean",         "final",           "first_crossing",        "first_event",
    "last_event",   "event_count"};

enum class CrossingDirection { either, up, down };
inline constexpr std::array<std::string_view, 3> crossing_direction_names{"either", "up", "down"};

/// How vibration is weighted by frequency (ISO 2631-1): Wk what goes up and down under a seated or
/// standing person, Wd what goes along and across.
enum class Weighting { Wk, Wd };
inline constexpr std::array<std::string_view, 2> weighting_names{"Wk", "Wd"};

struct QuantityOfInterest {
  std::string name;
  std::string of;
  QuantityKind kind = QuantityKind::peak;
  std::optional<double> level;
  CrossingDirection direction = CrossingDirection::either;
  std::optional<double> from, to;
  std::optional<std::string> unit;
  std::optional<Weighting> weighting;

  // What reading makes of these (io/read_quantities.hpp).
  Formula formula;                  ///< x(t), of the probed numbers
  std::string value_unit;           ///< of the scalar
  std::size_t first = 0, last = 0;  ///< the window, as places among the output times
  std::size_t event = 0;            ///< of the model

  /// In place of formula, kind and window, of a quantity that a program outside computes of whole
  /// runs; `of` says in words what it is.
  std::shared_ptr<const UserQuantity> function = {};

  bool is_time() const {
    return kind == QuantityKind::time_of_peak || kind == QuantityKind::time_of_minimum ||
           kind == QuantityKind::time_of_absolute_peak || may_not_happen();
  }
  /// Whether a run may go by without it.
  bool may_not_happen() const {
    return kind == QuantityKind::first_crossing || kind == QuantityKind::first_event ||
           kind == QuantityKind::last_event;
  }
  /// Whether `of` is the name of an event.
  bool of_event() const {
    return kind == QuantityKind::first_event || kind == QuantityKind::last_event ||
           kind == QuantityKind::event_count;
  }

  static constexpr std::string_view doc =
      "A scalar of each run, with its distribution over the realisations of a study. x(t) is what "
      "`of` says, at the output times.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "",
            "x(t): a component of a probe (`tip.position.z`, `hinge.angle`), `norm(tip.velocity)`, "
            "or an expression of these, of numbers, constants and `time`; or the name of an event",
            Range::any, true},
      s.of);
    v(Entry{"kind", "",
            "what is made of x(t). `peak`, `minimum`: the largest and the smallest value; "
            "`absolute_peak`: the largest |x|; `range`: peak less minimum; `time_of_...`: when; "
            "`rms`: root mean square; `mean`: over time; `final`: the value at the end; "
            "`first_crossing`: when x passes `level` for the first time; `first_event`, "
            "`last_event`, "
            "`event_count`: when the event that `of` names happened first and last, and how often",
            Range::any, true},
      s.kind);
    v(Entry{"level", "", "first_crossing: the level, in the unit of x"}, s.level);
    v(Entry{"direction", "", "first_crossing: from which side"}, s.direction);
    v(Entry{"from", "s", "begin of the window, an output time; 0 if left out", Range::non_negative},
      s.from);
    v(Entry{"to", "s", "its end, an output time; the end of the run if left out",
            Range::non_negative},
      s.to);
    v(Entry{"unit", "",
            "of x; required where the expression does not tell, `1` for a plain number"},
      s.unit);
    v(Entry{"weighting", "",
            "frequency weighting of ISO 2631-1 that x(t) goes through, at rest before t = 0: `Wk` "
            "for vertical, `Wd` for horizontal acceleration of a person"},
      s.weighting);
  }
};

}  // namespace tumble
