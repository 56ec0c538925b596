// Puts the leaves of a study together in an order that does not depend on when they arrive.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

/// A binary tree over the indices of leaves: node (0, k) is leaf k, node (l, i) is the merge of
/// (l - 1, 2 i) and (l - 1, 2 i + 1), and nothing else is ever merged. Siblings are merged as soon
/// as both are there, so memory holds the nodes that wait for a sibling: about log2(leaves), plus
/// those ahead of a gap.
///
/// The result for N realisations: the full leaves [0, N / 64) are covered by the largest nodes of
/// the tree, one for each binary digit 1 of N / 64, large ones left. With the incomplete leaf of
/// the remaining N % 64 realisations at the right end, they are merged from right to left:
///   m(n1, m(n2, ... m(nk, incomplete))).
/// The order follows from N alone. These merges are no nodes of the tree and the incomplete leaf is
/// never part of it, so a study may go on after its result was taken.
class StatisticsTree {
 public:
  struct Node {
    std::uint32_t level = 0;
    std::uint64_t index = 0;
    std::shared_ptr<const LeafStatistics> statistics;
  };

  /// Adds a leaf and merges what can be merged, in the calling thread. In any order, from any
  /// number of threads. A leaf of fewer than 64 realisations is the incomplete last one; a longer
  /// version of it replaces it. Throws std::logic_error for a leaf that is there already.
  void add(std::uint64_t leaf, LeafStatistics&& statistics);
  /// The same for a node of any level.
  void add(Node node);
  /// Adds what an append-only journal holds, node by node in any order. Nodes that are there
  /// already, by themselves or merged, are left out, as are incomplete leaves that a longer one has
  /// replaced; of a node that is there in parts, the parts go.
  void restore(Node node);

  /// What has to be kept to go on later: every leaf added so far is in exactly one of these nodes.
  /// Cheap, the nodes are shared; consistent also while other threads add.
  std::vector<Node> nodes() const;
  /// Whether the leaf is in one of the nodes, complete.
  bool contains(std::uint64_t leaf) const { return contains(0, leaf); }
  /// Whether the node is there, by itself or merged.
  bool contains(std::uint32_t level, std::uint64_t index) const;
  /// Memory of all nodes.
  std::size_t bytes() const;

  /// The statistics of the realisations [0, N); waits for merges under way. Throws std::logic_error
  /// if leaves are missing, or if N is smaller than what has been merged. Changes nothing.
  LeafStatistics finish(std::uint64_t realizations) const;

 private:
  using Key = std::pair<std::uint32_t, std::uint64_t>;  ///< level, index
  using Nodes = std::map<Key, std::shared_ptr<const LeafStatistics>>;
  bool holds(Key key) const;
  Nodes::const_iterator first_part(Key key) const;
  bool covered(Key key) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable merged_;
  int merging_ =
      0;  ///< merges under way; their parts stay in pending_ until replaced by the result
  Nodes pending_;
  std::optional<Node> incomplete_;
};

}  // namespace tumble
