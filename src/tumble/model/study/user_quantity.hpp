// Scalars of runs that a program outside computes from what is probed, many runs at a time.
#pragma once
#include <span>
#include <stdexcept>

namespace tumble {

/// Whole runs, one after the other, each [time][number].
struct UserRuns {
  std::size_t count = 0;
  std::size_t numbers = 0;  ///< probed at each time
  std::span<const double> times;
  std::span<const double> values;
};

/// It has no answer for these runs; others may have one.
struct NoAnswer : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class UserQuantity {
 public:
  virtual ~UserQuantity() = default;
  /// Of the nominal run, before all others: what this throws ends the study.
  virtual void try_out(const UserRuns& nominal) const = 0;
  /// Writes a number for each run, NaN for one that has none. From any thread.
  /// @throws NoAnswer: then every run is asked for alone. Anything else ends the study.
  virtual void evaluate(const UserRuns& runs, std::span<double> values) const = 0;
};

}  // namespace tumble
