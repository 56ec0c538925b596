#include "tumble/study/levels/level_source.hpp"

#include <utility>

namespace tumble {

LevelSource::LevelSource(Leaves first_round, Hooks hooks)
    : hooks_(std::move(hooks)), leaves_(std::move(first_round)) {
  line_up(Leaves(leaves_.size(), 0));
}

/// Fine grids take longest and come first, so that nobody waits for one in the end.
void LevelSource::line_up(const Leaves& before) {
  const LevelLeaves numbering{leaves_.size()};
  for (std::size_t level = 0; level < leaves_.size(); ++level)
    for (std::uint64_t place = leaves_[level]; place-- > before[level];)
      waiting_.push_back({numbering.leaf(level, place)});
}

std::optional<LeafTask> LevelSource::next() {
  const std::lock_guard lock(mutex_);
  while (!ended_) {
    while (!waiting_.empty()) {
      const LeafTask task = waiting_.back();
      waiting_.pop_back();
      if (hooks_.finished(task)) continue;
      given_.push_back(task);
      return task;
    }
    std::erase_if(given_, hooks_.finished);
    if (!given_.empty()) return LeafTask{0, 0};
    const Leaves before = leaves_;
    leaves_ = hooks_.next_round(before);
    ended_ = leaves_ == before;
    line_up(before);
  }
  return std::nullopt;
}

}  // namespace tumble
