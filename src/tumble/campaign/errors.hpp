// How a campaign may end other than by results.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tumble/campaign/observer.hpp"

namespace tumble {

/// What would be done if it were asked for in another way. How that is said is up to who asks: a
/// program has its own words for it.
enum class Way {
  resume,       ///< IfResultsExist::resume goes on with what is there, if it is the same
  overwrite,    ///< IfResultsExist::overwrite replaces it
  elsewhere,    ///< another directory
  sweep,        ///< run_sweep() for what run_study() and run_single() refuse
  keep_points,  ///< SweepOptions::keep_points, when the sweep was run
};

/// What was asked for cannot be done as it stands: results are in the way, or options contradict
/// each other. Nothing was written.
class RequestError : public std::runtime_error {
 public:
  explicit RequestError(const std::string& message, std::vector<Way> ways = {})
      : std::runtime_error(message), ways_(std::move(ways)) {}
  /// Out of it; empty if there are none but those that the message names.
  const std::vector<Way>& ways() const { return ways_; }

 private:
  std::vector<Way> ways_;
};

/// The observer wished to stop.
class Cancelled : public std::runtime_error {
 public:
  explicit Cancelled(const std::string& message = "interrupted, nothing written",
                     bool resumable = false)
      : std::runtime_error(message), resumable_(resumable) {}
  /// Whether what was finished is kept, for IfResultsExist::resume.
  bool resumable() const { return resumable_; }

 private:
  bool resumable_;
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
