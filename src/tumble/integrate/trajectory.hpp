// What one run leaves behind: the probed quantities at the output times, and how the run went.
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tumble/model/probe.hpp"

namespace tumble {

/// One quantity of one probe over the run.
struct ProbeSeries {
  std::string probe;
  Quantity quantity{};
  int size = 1;                      ///< components: 1, 3 or 4
  std::vector<double> values;        ///< [time][component]; left limits at break points
  std::vector<double> right_values;  ///< [break][component]; right limits
  /// Estimated errors of both, without sign; empty unless time_error.hpp was asked. NaN where no
  /// estimate was possible.
  std::vector<double> time_error = {}, right_time_error = {};
  /// Components of a reaction that redundant conditions leave open; values are of least norm.
  std::vector<int> undetermined = {};
};

/// Where the energy of a run went [J]: end = start + work - dissipated, but for the mismatch.
struct EnergySummary {
  double start = 0, end = 0;
  double work = 0;        ///< of drives, loads and user elements
  double dissipated = 0;  ///< in dampers
  double mismatch = 0;    ///< largest when the account was looked at
  double exchanged = 0;   ///< largest kinetic energy, change of potential, work or heat
  /// What was gained from nowhere or lost, over what was exchanged; a run fails at 0.1.
  double relative_mismatch = 0;
};

/// How often an event happened in one run, and when first and last [s]; infinite if it did not.
struct EventTally {
  double first = std::numeric_limits<double>::infinity();
  double last = std::numeric_limits<double>::infinity();
  double count = 0;
};

/// One time that an event happened.
struct EventOccurrence {
  std::string event;
  double time = 0;
  double energy = 0;  ///< that switching put into the machine [J]
};

struct RunStatistics {
  long steps = 0;
  long iterations = 0;  ///< of Newton
  long factorizations = 0;
  long restarts = 0;            ///< consistent re-initialisations, the first one included
  long halvings = 0;            ///< steps that were retried with half the size
  long pivot_searches = 0;      ///< elimination orders found anew because a pivot degraded
  long regularized_steps = 0;   ///< steps beside a singular position of the constraints
  double constraint_drift = 0;  ///< largest position residual of a constraint at an output [m, rad]
  EnergySummary energy;
};

/// How the start of a body differs from its description because joints do not allow that.
struct StartChange {
  std::string body;
  std::string joint;            ///< one that does not allow it
  double displacement = 0;      ///< of the centre of mass [m]
  double rotation = 0;          ///< [rad]
  double velocity = 0;          ///< of a velocity that was given: size of the difference [m/s]
  double angular_velocity = 0;  ///< likewise [rad/s]
  std::string sentence;         ///< what is said of it
};

struct Trajectory {
  std::vector<double> times;   ///< k * output_step [s]
  std::vector<double> breaks;  ///< declared break points of the drives inside (0, duration) [s]
  std::vector<ProbeSeries> series;
  RunStatistics statistics;
  std::vector<EventTally> event_tallies;  ///< by event
  std::vector<EventOccurrence> events;    ///< as they happened
  /// When an event ended the run [s]: its series end at the last output before.
  std::optional<double> ended;
  std::vector<StartChange> start_changes;
  /// Which conditions are redundant, and what follows from it; empty if none is.
  std::string redundancy;
  /// Sentences for the person who ran it: what the run changed or assumed on its own, and what
  /// makes its numbers doubtful. Printed, and kept with the results.
  std::vector<std::string> warnings;
};

}  // namespace tumble
