#include "tumble/study/statistics/statistics_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace tumble {
namespace {

constexpr std::uint32_t max_level = 26;
static_assert(std::uint64_t{1} << max_level == max_leaves);

std::shared_ptr<const LeafStatistics> merge(const LeafStatistics& left,
                                            const LeafStatistics& right) {
  return std::make_shared<const LeafStatistics>(LeafStatistics::merge(left, right));
}

}  // namespace

void StatisticsTree::add(std::uint64_t leaf, LeafStatistics&& statistics) {
  add(Node{0, leaf, std::make_shared<const LeafStatistics>(std::move(statistics))});
}

/// Whether the node or one above it is there.
bool StatisticsTree::holds(Key key) const {
  for (auto [level, index] = key; level <= max_level; ++level, index /= 2)
    if (pending_.contains({level, index})) return true;
  return false;
}

/// A node below it; the end if there is none.
auto StatisticsTree::first_part(Key key) const -> Nodes::const_iterator {
  for (std::uint32_t level = 0; level < key.first; ++level) {
    const std::uint64_t first = key.second << (key.first - level);
    const auto found = pending_.lower_bound({level, first});
    if (found != pending_.end() && found->first.first == level &&
        found->first.second >> (key.first - level) == key.second)
      return found;
  }
  return pending_.end();
}

bool StatisticsTree::covered(Key key) const {
  return holds(key) || first_part(key) != pending_.end();
}

void StatisticsTree::add(Node node) {
  if (node.level > max_level || node.index >= max_leaves >> node.level)
    throw std::logic_error(
        fmt::format("a study has no node {} of level {}", node.index, node.level));
  const std::uint64_t expected = realizations_per_leaf << node.level;
  const std::uint64_t actual = node.statistics->realizations();
  std::unique_lock lock(mutex_);
  if (covered({node.level, node.index}))
    throw std::logic_error(
        fmt::format("statistics of node {} of level {} are there already", node.index, node.level));
  if (actual != expected) {
    if (node.level > 0 || actual > expected)
      throw std::logic_error(fmt::format("statistics of node {} of level {} are of {} realisations",
                                         node.index, node.level, actual));
    if (incomplete_ &&
        (incomplete_->index > node.index ||
         (incomplete_->index == node.index && incomplete_->statistics->realizations() >= actual)))
      throw std::logic_error(
          fmt::format("leaf {} cannot end with {} realisations: the study has "
                      "more of them already",
                      node.index, actual));
    incomplete_ = std::move(node);
    return;
  }
  if (incomplete_ && node.level == 0 && incomplete_->index == node.index) incomplete_.reset();

  Key key{node.level, node.index};
  pending_[key] = node.statistics;
  std::shared_ptr<const LeafStatistics> own = std::move(node.statistics);
  while (true) {
    const Key other{key.first, key.second ^ 1};
    const auto found = pending_.find(other);
    if (found == pending_.end()) break;
    // Only the later one of two siblings gets here, so nobody else merges them. Both stay in the
    // map meanwhile: a checkpoint taken now has to hold them.
    std::shared_ptr<const LeafStatistics> sibling = found->second;
    ++merging_;
    lock.unlock();
    std::shared_ptr<const LeafStatistics> parent;
    try {
      parent = key.second % 2 == 0 ? merge(*own, *sibling) : merge(*sibling, *own);
    } catch (...) {
      lock.lock();
      --merging_;
      merged_.notify_all();
      throw;
    }
    lock.lock();
    --merging_;
    pending_.erase(key);
    pending_.erase(other);
    key = {key.first + 1, key.second / 2};
    pending_[key] = parent;
    own = std::move(parent);
  }
  merged_.notify_all();
}

void StatisticsTree::restore(Node node) {
  {
    const std::lock_guard lock(mutex_);
    const Key key{node.level, node.index};
    if (holds(key)) return;
    for (auto part = first_part(key); part != pending_.end(); part = first_part(key))
      pending_.erase(part);
    const std::uint64_t count = node.statistics->realizations();
    if (incomplete_ && node.level == 0 && count < realizations_per_leaf &&
        (incomplete_->index > node.index ||
         (incomplete_->index == node.index && incomplete_->statistics->realizations() >= count)))
      return;
  }
  add(std::move(node));
}

std::vector<StatisticsTree::Node> StatisticsTree::nodes() const {
  const std::lock_guard lock(mutex_);
  std::vector<Node> all;
  for (const auto& [key, statistics] : pending_) all.push_back({key.first, key.second, statistics});
  if (incomplete_) all.push_back(*incomplete_);
  return all;
}

bool StatisticsTree::contains(std::uint32_t level, std::uint64_t index) const {
  const std::lock_guard lock(mutex_);
  return holds({level, index});
}

std::size_t StatisticsTree::bytes() const {
  std::size_t sum = 0;
  for (const Node& node : nodes()) sum += node.statistics->bytes();
  return sum;
}

LeafStatistics StatisticsTree::finish(std::uint64_t realizations) const {
  const std::uint64_t full = realizations / realizations_per_leaf;
  const std::uint64_t rest = realizations % realizations_per_leaf;
  std::vector<std::shared_ptr<const LeafStatistics>> parts;  // from left to right
  {
    std::unique_lock lock(mutex_);
    merged_.wait(lock, [this] { return merging_ == 0; });
    std::uint64_t first = 0;  // leaf
    for (std::uint32_t level = max_level + 1; level-- > 0;) {
      if ((full >> level & 1) == 0) continue;
      const auto found = pending_.find({level, first >> level});
      if (found == pending_.end())
        throw std::logic_error(
            fmt::format("statistics of {} realisations: leaves {} to {} are not there as one node",
                        realizations, first, first + (std::uint64_t{1} << level) - 1));
      parts.push_back(found->second);
      first += std::uint64_t{1} << level;
    }
    if (rest > 0) {
      if (!incomplete_ || incomplete_->index != full ||
          incomplete_->statistics->realizations() != rest)
        throw std::logic_error(fmt::format(
            "statistics of {} realisations: the last {} of them, in leaf {}, are missing",
            realizations, rest, full));
      parts.push_back(incomplete_->statistics);
    }
  }
  if (parts.empty()) throw std::logic_error("statistics of no realisations");
  std::shared_ptr<const LeafStatistics> result = parts.back();
  for (std::size_t i = parts.size() - 1; i-- > 0;) result = merge(*parts[i], *result);
  return *result;
}

}  // namespace tumble
