// How far the run is, on standard error, if a person is looking.
#pragma once
#include <chrono>

namespace tumble::app {

class ProgressBar {
 public:
  explicit ProgressBar(double duration);  ///< simulated time [s]
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Draws at most ten times a second, and not at all for runs that are over at once.
  void show(double fraction);

 private:
  using Clock = std::chrono::steady_clock;
  double duration_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace tumble::app
