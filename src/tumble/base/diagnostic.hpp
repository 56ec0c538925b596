// What a user is told about a mistake in the input: where, which element, which field, what was
// found, in which unit, and what was expected.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tumble {

/// A place in a file the user wrote. `line` counts from 1; 0 means "no line known".
struct SourceLocation {
  std::string file;
  int line = 0;
  bool operator==(const SourceLocation&) const = default;
};

/// One mistake. Empty parts are left out of the message.
struct Diagnostic {
  SourceLocation where;
  std::string element;         ///< "body 'rb5'"
  std::string field;           ///< "mass"
  std::string value;           ///< "-3", as the user wrote it or as computed
  std::string unit;            ///< "kg"
  std::string expectation;     ///< "must be > 0"
  std::string suggestion;      ///< nearest known name, if there is one
  std::size_t stands_for = 1;  ///< of how many mistakes, where not all are listed
};

/// `car.yaml:41: spring 'rear_left': stiffness = -3 N/m, must be >= 0`
std::string to_string(const Diagnostic& diagnostic);

/// Thrown for bad input, carrying every mistake found. what() lists them, one a line.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> diagnostics);
  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Thrown when a run cannot go on: a singular system, a diverged step. Names the element and time.
class SimulationError : public std::runtime_error {
 public:
  SimulationError(std::string message, double time)
      : std::runtime_error(std::move(message)), time_(time) {}
  double time() const { return time_; }

 private:
  double time_;  ///< [s]
};

/// The name in `known` closest to `name` by edit distance, or empty if none is near enough to be
/// a plausible slip.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// Shortest decimal text that reads back as the same double.
std::string format_number(double value);

}  // namespace tumble
