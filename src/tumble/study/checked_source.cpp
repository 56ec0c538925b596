#include "tumble/study/checked_source.hpp"

#include <utility>

namespace tumble {

CheckedSource::CheckedSource(std::uint64_t first_check, Hooks hooks)
    : hooks_(std::move(hooks)),
      check_(first_check),
      leaves_(leaf_source(first_check, hooks_.finished)) {}

std::optional<LeafTask> CheckedSource::next() {
  const std::lock_guard lock(mutex_);
  while (!ended_) {
    if (const std::optional<LeafTask> task = leaves_()) {
      given_.push_back(*task);
      return task;
    }
    std::erase_if(given_, hooks_.finished);
    if (!given_.empty()) return LeafTask{0, 0};
    const std::uint64_t next_check = hooks_.next_check(check_);
    ended_ = hooks_.enough(check_) || next_check == check_;
    if (ended_) break;
    check_ = next_check;
    leaves_ = leaf_source(check_, hooks_.finished);
  }
  return std::nullopt;
}

}  // namespace tumble
