// What one run leaves behind: the probed quantities at the output times, and how the run went.
#pragma once
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
  std::vector<double> time_error, right_time_error;
};

struct RunStatistics {
  long steps = 0;
  long iterations = 0;  ///< of Newton
  long factorizations = 0;
  long restarts = 0;            ///< consistent re-initialisations, the first one included
  long halvings = 0;            ///< steps that were retried with half the size
  long pivot_searches = 0;      ///< elimination orders found anew because a pivot degraded
  double constraint_drift = 0;  ///< largest position residual of a constraint at an output [m, rad]
};

struct Trajectory {
  std::vector<double> times;   ///< k * output_step [s]
  std::vector<double> breaks;  ///< declared break points of the drives inside (0, duration) [s]
  std::vector<ProbeSeries> series;
  RunStatistics statistics;
  /// Sentences for the person who ran it: what the run changed or assumed on its own, and what
  /// makes its numbers doubtful. Printed, and kept with the results.
  std::vector<std::string> warnings;
};

}  // namespace tumble
