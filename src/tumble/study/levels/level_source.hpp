// The leaves of a study that has several levels and learns on the way how many each needs.
#pragma once
#include <functional>
#include <mutex>
#include <vector>

#include "tumble/study/levels/coupled_leaf.hpp"

namespace tumble {

/// Gives the leaves of one round, and those of the next only after all of them are finished and its
/// numbers were chosen from them; whoever asks in between is told to pause. So what a study does
/// follows from its values alone: not from threads, ranks or interruptions.
class LevelSource {
 public:
  using Leaves = std::vector<std::uint64_t>;  ///< by level
  struct Hooks {
    /// Whether the leaf is done, however it came to be.
    std::function<bool(const LeafTask&)> finished;
    /// After the first `leaves` of each level are finished: how many there are to be next, as many
    /// or more of each; the same: that is all. Asked by one thread at a time.
    std::function<Leaves(const Leaves& leaves)> next_round;
  };

  LevelSource(Leaves first_round, Hooks hooks);

  /// As a LeafSource. What the hooks throw is thrown on.
  std::optional<LeafTask> next();
  /// Once next() gave nothing.
  const Leaves& leaves() const { return leaves_; }

 private:
  void line_up(const Leaves& before);

  Hooks hooks_;
  std::mutex mutex_;  // guards what follows
  Leaves leaves_;
  std::vector<LeafTask> waiting_;  ///< the last one comes first
  std::vector<LeafTask> given_;    ///< and perhaps not finished yet
  bool ended_ = false;
};

}  // namespace tumble
