// How long, how finely and how accurately to integrate.
#pragma once
#include "tumble/model/field.hpp"

namespace tumble {

/// What to do if the described start cannot be kept.
enum class OnChangedStart { warn, refuse };
inline constexpr std::array<std::string_view, 2> on_changed_start_names{"warn", "refuse"};

/// Where a run begins.
enum class StartPose { described, equilibrium };
inline constexpr std::array<std::string_view, 2> start_pose_names{"described", "equilibrium"};

/// What to do with conditions of joints that repeat each other.
enum class RedundancyPolicy { resolve, refuse };
inline constexpr std::array<std::string_view, 2> redundancy_policy_names{"resolve", "refuse"};

struct Simulation {
  double duration = 0;
  double step = 0;
  std::optional<double> output_step;
  double spectral_radius = 0.8;
  double newton_tolerance = 1e-8;
  int max_iterations = 12;
  int max_halvings = 6;
  int break_steps = 32;
  int break_substeps = 4;
  StartPose start = StartPose::described;
  OnChangedStart on_changed_start = OnChangedStart::warn;
  RedundancyPolicy redundancy = RedundancyPolicy::resolve;

  static constexpr std::string_view doc = "Time span, step and solver settings.";
  template <class Self, class V>
  static void fields(Self& s, V&& v) {
    v(Field{"duration", "s", "the run covers [0, duration]", Range::positive, true}, s.duration);
    v(Field{"step", "s", "time step; shortened so that steps land on break points and outputs",
            Range::positive, true},
      s.step);
    v(Field{"output_step", "s", "time between outputs; the step if left out", Range::positive},
      s.output_step);
    v(Field{"spectral_radius", "", "damping of unresolved frequencies: 1 none, 0 strongest",
            Range::fraction},
      s.spectral_radius);
    v(Field{"newton_tolerance", "", "error left by Newton, relative to the largest acceleration",
            Range::positive},
      s.newton_tolerance);
    v(Field{"max_iterations", "", "Newton iterations before a step is retried"}, s.max_iterations);
    v(Field{"max_halvings", "", "how often a step that fails may be halved"}, s.max_halvings);
    v(Field{"break_steps", "",
            "how many steps after each break point are subdivided, because "
            "transients are fastest there"},
      s.break_steps);
    v(Field{"break_substeps", "", "into how many; 1: none"}, s.break_substeps);
    v(Field{"start", "",
            "where the run begins: as described, or in the equilibrium that is found from there"},
      s.start);
    v(Field{"on_changed_start", "",
            "if joints do not allow the described positions or velocities: go on with what they "
            "allow and say so, or stop"},
      s.on_changed_start);
    v(Field{"redundancy", "",
            "what to do with conditions of joints that repeat each other: solve with them, or end "
            "with a message that names them"},
      s.redundancy);
  }
};

}  // namespace tumble
