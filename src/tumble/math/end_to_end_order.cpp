#include "tumble/math/end_to_end_order.hpp"

#include <algorithm>
#include <cstddef>

namespace tumble {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

std::vector<int> end_to_end_order(const SparsePattern& pattern) {
  std::vector<std::vector<int>> neighbours(at(pattern.n));
  for (int i = 0; i < pattern.n; ++i) {
    for (int slot = pattern.row_start[at(i)]; slot < pattern.row_start[at(i + 1)]; ++slot) {
      neighbours[at(i)].push_back(pattern.column[at(slot)]);
      neighbours[at(pattern.column[at(slot)])].push_back(i);
    }
  }
  for (auto& list : neighbours) std::sort(list.begin(), list.end());

  std::vector<int> order;
  std::vector<char> seen(at(pattern.n), 0);
  const auto spread = [&](int root) {  // appends the component of root, nearest first
    const std::size_t begin = order.size();
    order.push_back(root);
    seen[at(root)] = 1;
    for (std::size_t head = begin; head < order.size(); ++head) {
      for (const int j : neighbours[at(order[head])]) {
        if (seen[at(j)]) continue;
        seen[at(j)] = 1;
        order.push_back(j);
      }
    }
  };
  for (int i = 0; i < pattern.n; ++i) {
    if (seen[at(i)]) continue;
    const std::size_t begin = order.size();
    spread(i);
    for (int repeat = 0; repeat < 3; ++repeat) {  // restart from the farthest vertex
      const int farthest = order.back();
      for (std::size_t k = begin; k < order.size(); ++k) seen[at(order[k])] = 0;
      order.resize(begin);
      spread(farthest);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace tumble
