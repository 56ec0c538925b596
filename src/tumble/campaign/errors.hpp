// How a campaign may end other than by results.
#pragma once
#include <stdexcept>
#include <string>

#include "tumble/campaign/observer.hpp"

namespace tumble {

/// What was asked for cannot be done as it stands: results are in the way, or options contradict
/// each other. Nothing was written.
struct RequestError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The observer wished to stop. What was finished is in the journal.
struct Cancelled : std::runtime_error {
  explicit Cancelled(const std::string& message = "interrupted, nothing written")
      : std::runtime_error(message) {}
};

/// @throws Cancelled
inline void stop_if_cancelled(Observer& observer) {
  if (observer.cancelled()) throw Cancelled();
}

/// The study ended and its results are written, but more of it failed than it allows.
struct TooManyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace tumble
