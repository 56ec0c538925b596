// Tells the observer when runs begin and end, however they end.
#pragma once
#include "tumble/campaign/observer.hpp"

namespace tumble {

class RunProgress {
 public:
  /// As Observer::begin().
  RunProgress(Observer& observer, std::uint64_t done, std::uint64_t total, const std::string& part)
      : observer_(observer) {
    observer_.begin(done, total, part);
  }
  ~RunProgress() { observer_.end(); }
  RunProgress(const RunProgress&) = delete;
  RunProgress& operator=(const RunProgress&) = delete;

 private:
  Observer& observer_;
};

}  // namespace tumble
