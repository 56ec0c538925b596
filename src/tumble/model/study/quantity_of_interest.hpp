// Scalars of a run that a user asks about: its peak, when that was, the first crossing of a level;
// and scalars of a machine that need no run: its eigenfrequencies, where it rests.
//
// Not part of a Model, whose numbers they do not change: like `uncertainty` and `study` they say
// what is made of its runs.
#pragma once
#include <memory>

#include "tumble/model/entry.hpp"
#include "tumble/model/study/formula.hpp"
#include "tumble/model/study/user_quantity.hpp"

namespace tumble {

/// What is made of a function x(t) on a window of time, or of the machine without a motion.
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
  equilibrium,
  eigenfrequency,
  damping_ratio,
  shape_correlation,
  gain,
  phase,
};
inline constexpr std::array<std::string_view, 20> quantity_kind_names{"peak",
                                                                      "minimum",
                                                                      "absolute_peak",
                                                                      "range",
                                                                      "time_of_peak",
                                                                      "time_of_minimum",
                                                                      "time_of_absolute_peak",
                                                                      "rms",
                                                                      "mean",
                                                                      "final",
                                                                      "first_crossing",
                                                                      "first_event",
                                                                      "last_event",
                                                                      "event_count",
                                                                      "equilibrium",
                                                                      "eigenfrequency",
                                                                      "damping_ratio",
                                                                      "shape_correlation",
                                                                      "gain",
                                                                      "phase"};

enum class CrossingDirection { either, up, down };
inline constexpr std::array<std::string_view, 3> crossing_direction_names{"either", "up", "down"};

/// How vibration is weighted by frequency (ISO 2631-1): Wk what goes up and down under a seated or
/// standing person, Wd what goes along and across.
enum class Weighting { Wk, Wd };
inline constexpr std::array<std::string_view, 2> weighting_names{"Wk", "Wd"};

/// What equilibria and modes are sought about (integrate/statics/equilibrium.hpp).
enum class ReferenceState { equilibrium, rest, steady, start };
inline constexpr std::array<std::string_view, 4> reference_state_names{"equilibrium", "rest",
                                                                       "steady", "start"};

/// Which mode of a realisation is the one that was asked for.
enum class ModeFollowing { number, shape };
inline constexpr std::array<std::string_view, 2> mode_following_names{"number", "shape"};

struct QuantityOfInterest {
  std::string name;
  std::string of;
  QuantityKind kind = QuantityKind::peak;
  std::optional<double> level;
  CrossingDirection direction = CrossingDirection::either;
  std::optional<double> from, to;
  std::optional<std::string> unit;
  std::optional<Weighting> weighting;
  std::optional<int> mode;
  ModeFollowing follow = ModeFollowing::number;
  ReferenceState about = ReferenceState::equilibrium;
  bool undamped = false;
  int load_steps = 1;
  std::optional<std::string> input;
  std::optional<double> frequency;
  std::vector<double> band;  ///< two frequencies; made into a quantity for each of `points`
  int points = 50;

  // What reading makes of these (io/read_quantities.hpp).
  Formula formula;                  ///< x(t), of the probed numbers
  std::string value_unit;           ///< of the scalar
  std::size_t first = 0, last = 0;  ///< the window, as places among the output times
  std::size_t event = 0;            ///< of the model

  std::string probed;      ///< gain, phase: the number that `of` names
  std::size_t place = 0;   ///< of it, among those probed at an instant
  std::string group = {};  ///< of one that a band was made into: the name of the band

  /// In place of formula, kind and window, of a quantity that a program outside computes of whole
  /// runs; `of` says in words what it is.
  std::shared_ptr<const UserQuantity> function = {};

  bool is_time() const {
    return kind == QuantityKind::time_of_peak || kind == QuantityKind::time_of_minimum ||
           kind == QuantityKind::time_of_absolute_peak || may_not_happen();
  }
  /// Of a mode of vibration, and so without x(t).
  bool is_modal() const {
    return kind == QuantityKind::eigenfrequency || kind == QuantityKind::damping_ratio ||
           kind == QuantityKind::shape_correlation;
  }
  /// Of the answer to a harmonic input.
  bool is_response() const { return kind == QuantityKind::gain || kind == QuantityKind::phase; }
  /// Of the machine, whatever its motion.
  bool is_of_state() const {
    return kind == QuantityKind::equilibrium || is_modal() || is_response();
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
      "`of` says, at the output times. Equilibria and modes need no run: they are those of the "
      "machine with the numbers of the realisation.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"of", "",
            "x(t): a component of a probe (`tip.position.z`, `hinge.angle`), `norm(tip.velocity)`, "
            "or an expression of these, of numbers, constants and `time`; or the name of an event. "
            "Required, but for modes"},
      s.of);
    v(Entry{"kind", "",
            "what is made of x(t). `peak`, `minimum`: the largest and the smallest value; "
            "`absolute_peak`: the largest |x|; `range`: peak less minimum; `time_of_...`: when; "
            "`rms`: root mean square; `mean`: over time; `final`: the value at the end; "
            "`first_crossing`: when x passes `level` for the first time; `first_event`, "
            "`last_event`, "
            "`event_count`: when the event that `of` names happened first and last, and how often. "
            "Without a motion: "
            "`equilibrium`: x in the equilibrium; `eigenfrequency` [Hz] and `damping_ratio` of the "
            "vibration that `mode` says; `shape_correlation`: how much its shape is that of the "
            "nominal machine's mode of this number, from 0 to 1; `gain` and `phase` [rad]: of the "
            "harmonic motion of what `of` names where `input` is harmonic with amplitude 1",
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
    v(Entry{"mode", "",
            "modes: which one, counted from 1 as `tumble modes` does, unstable ones first, then by "
            "|s|"},
      s.mode);
    v(Entry{"follow", "",
            "eigenfrequency, damping_ratio: whether `mode` is the number in each realisation, or "
            "whether the mode is meant whose shape is most like that of the nominal machine's mode "
            "of this number"},
      s.follow);
    v(Entry{"about", "",
            "what needs no motion: the `equilibrium` of the steady motion that drives or the "
            "described velocities keep up, else of rest; that at `rest`, drives held; that of the "
            "`steady` motion; or, but for `equilibrium`, the described `start`"},
      s.about);
    v(Entry{"undamped", "",
            "modes about rest: without damping, as if nothing depended on velocities"},
      s.undamped);
    v(Entry{"input", "",
            "gain, phase: a drive, or a number of the forces or of gravity by its path"},
      s.input);
    v(Entry{"frequency", "Hz", "gain, phase: of the input", Range::non_negative}, s.frequency);
    v(Entry{"band", "Hz",
            "gain, phase: the first and the last of many frequencies, in equal ratios, instead"},
      s.band);
    v(Entry{"points", "", "how many frequencies the band has"}, s.points);
    v(Entry{"load_steps", "",
            "likewise: in how many steps gravity, applied forces and loads are raised "
            "to find the equilibrium"},
      s.load_steps);
  }
};

}  // namespace tumble
