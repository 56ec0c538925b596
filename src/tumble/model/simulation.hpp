// How long, how finely and how accurately to integrate.
#pragma once
#include <vector>

#include "tumble/model/entry.hpp"

namespace tumble {

/// What to do if the described start cannot be kept.
enum class OnChangedStart { warn, refuse };
inline constexpr std::array<std::string_view, 2> on_changed_start_names{"warn", "refuse"};

/// Where a run begins.
enum class StartPose { described, equilibrium };
inline constexpr std::array<std::string_view, 2> start_pose_names{"described", "equilibrium"};

/// How equations of motion become steps (docs/theory/integration.md, other-integrators.md).
/// `automatic` waits for an accuracy to be looked at; until then it is generalized-alpha.
enum class IntegrationMethod { generalized_alpha, baumgarte, multistep, radau, automatic };
inline constexpr std::array<std::string_view, 5> integration_method_names{
    "generalized-alpha", "baumgarte", "multistep", "radau", "auto"};
/// Errors of smooth motions are of the order of this power of the step.
inline constexpr int order_of(IntegrationMethod method) {
  return method == IntegrationMethod::radau ? 5 : 2;
}

/// What to do with conditions of joints that repeat each other.
enum class RedundancyPolicy { resolve, refuse };
inline constexpr std::array<std::string_view, 2> redundancy_policy_names{"resolve", "refuse"};

/// Steps of one size, from some time after the start (event 0) or a break point (1, 2, ...) until
/// the next zone or the next event.
struct GridZone {
  int event = 0;
  double after = 0;  ///< [s]
  double step = 0;   ///< [s]
};

struct Simulation {
  double duration = 0;
  std::optional<double> step;
  std::optional<double> accuracy;
  std::optional<double> output_step;
  IntegrationMethod integrator = IntegrationMethod::generalized_alpha;
  double spectral_radius = 0.8;
  std::optional<double> baumgarte_alpha, baumgarte_beta;  ///< [1/s]
  double newton_tolerance = 1e-8;
  int max_iterations = 12;
  int max_halvings = 6;
  int break_steps = 32;
  int break_substeps = 4;
  StartPose start = StartPose::described;
  OnChangedStart on_changed_start = OnChangedStart::warn;
  RedundancyPolicy redundancy = RedundancyPolicy::resolve;
  bool time_error = true;

  /// Where an accuracy was asked for: the steps that reach it, in the order of time
  /// (integrate/grid_search.hpp). Nothing that a user writes.
  std::vector<GridZone> grid;

  /// Time between outputs.
  double output_interval() const {
    constexpr double outputs = 500;
    return output_step ? *output_step : step ? *step : has_motion() ? duration / outputs : 1.0;
  }
  /// Without, a run is its start alone, and nothing is integrated.
  bool has_motion() const { return duration > 0; }
  int order() const { return order_of(integrator); }
  bool estimates_time_error() const { return time_error && has_motion(); }
  /// The size of the first step; a guess while an accuracy waits for its grid.
  double first_step() const {
    constexpr double instant = 1e-6;  // which side of a break at t = 0 a start looks at
    if (step) return *step;
    if (!grid.empty()) return grid.front().step;
    return has_motion() ? output_interval() / 16 : instant;
  }

  /// Rate [1/s] of Baumgarte's terms where none is given: violations fade in ten steps.
  double default_baumgarte_rate() const { return 0.1 / first_step(); }

  static constexpr std::string_view doc = "Time span, step and solver settings.";
  template <class Self, class V>
  static void entries(Self& s, V&& v) {
    v(Entry{"duration", "s",
            "the run covers [0, duration]; 0: nothing is integrated, and outputs are those of the "
            "start alone",
            Range::non_negative, true},
      s.duration);
    v(Entry{"step", "s",
            "time step; shortened so that steps land on break points and outputs. Either this or "
            "accuracy is required, unless the duration is 0",
            Range::positive},
      s.step);
    v(Entry{"accuracy", "",
            "error of the time integration that is allowed, relative to the peak of each probed "
            "quantity: the program finds the steps itself",
            Range::positive},
      s.accuracy);
    v(Entry{"output_step", "s",
            "time between outputs; if left out the step, or with accuracy a 500th of the duration",
            Range::positive},
      s.output_step);
    v(Entry{"integrator", "",
            "how steps are made: generalized-alpha with joints as positions, which cannot drift; "
            "baumgarte with joints as accelerations, stabilised; the two-step multistep method; "
            "radau, of fifth order, for smooth motions; or with accuracy auto, which takes radau "
            "in a single run if that costs less, and generalized-alpha if not"},
      s.integrator);
    v(Entry{"spectral_radius", "", "damping of unresolved frequencies: 1 none, 0 strongest",
            Range::fraction},
      s.spectral_radius);
    v(Entry{"baumgarte_alpha", "1/s",
            "of baumgarte: 2 alpha times the rate of a joint's violation is added to its "
            "acceleration; if left out a tenth of 1/step",
            Range::non_negative},
      s.baumgarte_alpha);
    v(Entry{"baumgarte_beta", "1/s",
            "of baumgarte: the square of it times the violation is added; if left out a tenth of "
            "1/step",
            Range::non_negative},
      s.baumgarte_beta);
    v(Entry{"newton_tolerance", "", "error left by Newton, relative to the largest acceleration",
            Range::positive},
      s.newton_tolerance);
    v(Entry{"max_iterations", "", "Newton iterations before a step is retried"}, s.max_iterations);
    v(Entry{"max_halvings", "", "how often a step that fails may be halved"}, s.max_halvings);
    v(Entry{"break_steps", "",
            "how many steps after each break point are subdivided, because "
            "transients are fastest there; none by multistep, which steps on over break points"},
      s.break_steps);
    v(Entry{"break_substeps", "", "into how many; 1: none"}, s.break_substeps);
    v(Entry{"start", "",
            "where the run begins: as described, or in the equilibrium that is found from there"},
      s.start);
    v(Entry{"on_changed_start", "",
            "if joints do not allow the described positions or velocities: go on with what they "
            "allow and say so, or stop"},
      s.on_changed_start);
    v(Entry{"redundancy", "",
            "what to do with conditions of joints that repeat each other: solve with them, or end "
            "with a message that names them"},
      s.redundancy);
    v(Entry{"time_error", "",
            "whether runs are repeated with half the steps to estimate the error of the time "
            "integration"},
      s.time_error);
  }
};

}  // namespace tumble
