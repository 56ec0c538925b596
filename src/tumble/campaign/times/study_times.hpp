// Where the time of a study went.
#pragma once
#include <chrono>
#include <mutex>

#include "tumble/campaign/study_run.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble {

/// A stop watch that is passed from one kind of work to the next.
class StudyTimes {
 public:
  explicit StudyTimes(std::chrono::steady_clock::time_point begun) : last_(begun) {}

  /// The wall time since the last call, or since all began, went there.
  void spent(double TimeSplit::*where);
  /// The same for the time in which threads computed leaves: it is shared out as the threads'
  /// own times are.
  void spent_on_leaves();

  /// From any thread: what one leaf took, and writing it to the journal.
  void add_leaf(const LeafTimes& leaf, double output);

  const TimeSplit& split() const { return split_; }

 private:
  double lap();

  std::chrono::steady_clock::time_point last_;
  TimeSplit split_;
  std::mutex mutex_;
  TimeSplit of_threads_;
};

}  // namespace tumble
