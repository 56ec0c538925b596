// A set of indices that come nearly in order, as intervals.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace tumble {

/// Takes memory for each gap, not for each index.
class IndexSet {
 public:
  bool contains(std::uint64_t index) const {
    const auto after = intervals_.upper_bound(index);
    return after != intervals_.begin() && index < std::prev(after)->second;
  }

  /// False if it was there.
  bool insert(std::uint64_t index) {
    if (contains(index)) return false;
    std::uint64_t end = index + 1;
    const auto after = intervals_.lower_bound(end);
    if (after != intervals_.end() && after->first == end) {
      end = after->second;
      intervals_.erase(after);
    }
    const auto next = intervals_.lower_bound(index);
    if (next != intervals_.begin() && std::prev(next)->second == index)
      std::prev(next)->second = end;
    else
      intervals_.emplace(index, end);
    return true;
  }

  std::size_t intervals() const { return intervals_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> intervals_;  ///< begin, end
};

}  // namespace tumble
