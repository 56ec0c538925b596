// The leaves of a study that goes on until a rule is met.
#pragma once
#include <functional>
#include <mutex>

#include "tumble/study/ensemble.hpp"

namespace tumble {

/// Gives the leaves up to a check point, and those up to the next one only after all of them are
/// finished and the rule turned out not to be met. Whoever asks in between is told to pause. So the
/// study ends at a check point, and at which one follows from its values alone: not from threads,
/// ranks or interruptions.
class CheckedSource {
 public:
  struct Hooks {
    /// Whether the leaf is done, however it came to be.
    std::function<bool(const LeafTask&)> finished;
    /// Whether the realisations [0, n), all finished, are enough. Asked by one thread at a time, at
    /// the last check point too.
    std::function<bool(std::uint64_t n)> enough;
    /// The check point after `n`; `n` itself at the last one.
    std::function<std::uint64_t(std::uint64_t n)> next_check;
  };

  CheckedSource(std::uint64_t first_check, Hooks hooks);

  /// As a LeafSource. What the hooks throw is thrown on.
  std::optional<LeafTask> next();
  /// How many realisations the study has, once next() gave nothing.
  std::uint64_t realizations() const { return check_; }

 private:
  Hooks hooks_;
  std::mutex mutex_;  // guards what follows
  std::uint64_t check_;
  LeafSource leaves_;
  std::vector<LeafTask> given_;  ///< and perhaps not finished yet
  bool ended_ = false;
};

}  // namespace tumble
