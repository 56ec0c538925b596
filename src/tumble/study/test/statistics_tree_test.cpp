#include "tumble/study/statistics/statistics_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>

#include "ensemble_for_tests.hpp"

namespace tumble {
namespace {

std::vector<std::uint64_t> shuffled(std::uint64_t n, std::uint64_t seed) {
  std::vector<std::uint64_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(static_cast<double>(i) * uniform(seed * 1000 + i))]);
  return order;
}

/// Leaves are made once: the tests are about their order.
class Trees : public testing::Test {
 protected:
  static constexpr std::uint64_t leaves = 23, rest = 41;
  static constexpr std::uint64_t realizations = leaves * 64 + rest;

  static void SetUpTestSuite() {
    all_ = new std::vector<LeafStatistics>;
    for (std::uint64_t k = 0; k < leaves; ++k) all_->push_back(ensemble_.leaf(k));
    all_->push_back(ensemble_.leaf(leaves, rest));
    StatisticsTree tree;
    for (std::uint64_t k = 0; k <= leaves; ++k) add(tree, k);
    reference_ = new LeafStatistics(tree.finish(realizations));
  }
  static void TearDownTestSuite() {
    delete all_;
    delete reference_;
  }
  static void add(StatisticsTree& tree, std::uint64_t k) {
    tree.add(k, LeafStatistics((*all_)[k]));
  }

  static inline TestEnsemble ensemble_;
  static inline std::vector<LeafStatistics>* all_ = nullptr;
  static inline LeafStatistics* reference_ = nullptr;
};

TEST_F(Trees, ResultIsThatOfItsDefinition) {
  // 23 = 16 + 4 + 2 + 1, then the incomplete leaf.
  const auto node = [&](std::uint32_t level, std::uint64_t index) {
    std::vector<LeafStatistics> nodes;
    for (std::uint64_t k = index << level; k < (index + 1) << level; ++k)
      nodes.push_back((*all_)[k]);
    while (nodes.size() > 1) {
      std::vector<LeafStatistics> next;
      for (std::size_t i = 0; i < nodes.size(); i += 2)
        next.push_back(LeafStatistics::merge(nodes[i], nodes[i + 1]));
      nodes = next;
    }
    return nodes[0];
  };
  const auto m = LeafStatistics::merge;
  EXPECT_EQ(*reference_,
            m(node(4, 0), m(node(2, 4), m(node(1, 10), m(node(0, 22), (*all_)[leaves])))));
  EXPECT_EQ(reference_->realizations(), realizations);
}

TEST_F(Trees, KnownMeanAndCounts) {
  const std::size_t numbers = ensemble_.layout->numbers();
  for (std::size_t t = 0; t < ensemble_.layout->times(); ++t) {
    long double sum = 0;
    std::uint64_t n = 0;
    for (std::uint64_t r = 0; r < realizations; ++r) {
      if (ensemble_.valid_times(r) <= t) continue;
      sum += ensemble_.row(r)[t * numbers + 5];
      ++n;
    }
    EXPECT_EQ(reference_->moments().count(t), n);
    // (40 + 4 L) u X of moments.hpp, with L = 8 (four levels, four final merges) and X < 71.
    EXPECT_NEAR(reference_->moments().mean(t, 5),
                static_cast<double>(sum / static_cast<long double>(n)), 72 * 0x1p-53 * 71);
  }
}

TEST_F(Trees, SameBitsInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    StatisticsTree tree;
    for (const std::uint64_t k : shuffled(leaves + 1, seed)) add(tree, k);
    EXPECT_EQ(tree.finish(realizations), *reference_);
  }
}

TEST_F(Trees, SameBitsFromAnyNumberOfThreads) {
  for (const int threads : {1, 2, 7, 16}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto order = shuffled(leaves + 1, seed);
      StatisticsTree tree;
      std::atomic<std::size_t> next = 0;
      std::vector<std::thread> pool;
      for (int i = 0; i < threads; ++i)
        pool.emplace_back([&] {
          for (std::size_t k = next++; k < order.size(); k = next++) add(tree, order[k]);
        });
      for (std::thread& thread : pool) thread.join();
      EXPECT_EQ(tree.finish(realizations), *reference_);
    }
  }
}

TEST_F(Trees, SameBitsAfterACheckpointAtAnyPoint) {
  const auto order = shuffled(leaves + 1, 7);
  for (std::size_t stop = 0; stop <= order.size(); ++stop) {
    StatisticsTree before, after;
    for (std::size_t i = 0; i < stop; ++i) add(before, order[i]);
    std::vector<StatisticsTree::Node> saved;
    for (const StatisticsTree::Node& node : before.nodes())
      saved.push_back({node.level, node.index,
                       std::make_shared<const LeafStatistics>(LeafStatistics::deserialize(
                           node.statistics->serialize(), ensemble_.layout))});
    std::reverse(saved.begin(), saved.end());
    for (auto& node : saved) after.restore(std::move(node));
    for (std::size_t i = 0; i < stop; ++i)
      EXPECT_EQ(after.contains(order[i]),
                order[i] != leaves);  // the incomplete one is not complete
    for (std::size_t i = stop; i < order.size(); ++i) {
      EXPECT_FALSE(after.contains(order[i]));
      add(after, order[i]);
    }
    EXPECT_EQ(after.finish(realizations), *reference_);
  }
}

// Checkpoints while others add: whatever a snapshot holds, the missing leaves complete it.
TEST_F(Trees, SameBitsFromSnapshotsOfABusyTree) {
  StatisticsTree tree;
  std::vector<std::vector<StatisticsTree::Node>> snapshots;
  std::thread adder([&] {
    for (const std::uint64_t k : shuffled(leaves + 1, 3)) add(tree, k);
  });
  for (int i = 0; i < 50; ++i) snapshots.push_back(tree.nodes());
  adder.join();
  for (const auto& snapshot : snapshots) {
    StatisticsTree other;
    for (const auto& node : snapshot) other.restore(node);
    for (std::uint64_t k = 0; k < leaves; ++k)
      if (!other.contains(k)) add(other, k);
    bool incomplete = false;
    for (const auto& node : other.nodes())
      incomplete = incomplete || (node.level == 0 && node.index == leaves);
    if (!incomplete) add(other, leaves);
    EXPECT_EQ(other.finish(realizations), *reference_);
  }
}

TEST_F(Trees, AJournalMayHoldWhatWasMergedSince) {
  StatisticsTree tree, other;
  std::vector<StatisticsTree::Node> journal;
  for (std::uint64_t k = 0; k < 16; ++k) {
    add(tree, k);
    for (const auto& node : tree.nodes()) journal.push_back(node);
  }
  for (const auto& node : journal) other.restore(node);
  EXPECT_EQ(other.nodes().size(), 1u);
  EXPECT_EQ(other.finish(16 * 64), tree.finish(16 * 64));
}

TEST_F(Trees, AnExtendedStudyHasTheBitsOfALongOne) {
  StatisticsTree direct, extended;
  for (std::uint64_t k = 0; k < 16; ++k) add(direct, k);
  for (std::uint64_t k = 0; k < 8; ++k) add(extended, k);
  const LeafStatistics first = extended.finish(8 * 64);
  EXPECT_EQ(first.realizations(), 512u);
  EXPECT_EQ(extended.finish(8 * 64), first);  // taking a result changes nothing
  for (std::uint64_t k = 8; k < 16; ++k) add(extended, k);
  EXPECT_EQ(extended.finish(16 * 64), direct.finish(16 * 64));
}

TEST_F(Trees, AnIncompleteLeafIsReplacedWhenTheStudyGoesOn) {
  for (const std::uint64_t end : {0u, 1u, 2u, 5u, 8u, 22u}) {
    StatisticsTree tree;
    for (std::uint64_t k = 0; k < end; ++k) add(tree, k);
    tree.add(end, ensemble_.leaf(end, 10));
    EXPECT_EQ(tree.finish(end * 64 + 10).realizations(), end * 64 + 10);
    tree.add(end, ensemble_.leaf(end, 11));
    EXPECT_THROW(tree.finish(end * 64 + 10), std::logic_error);
    EXPECT_EQ(tree.finish(end * 64 + 11).realizations(), end * 64 + 11);
    // The new end may be known before the old one is filled up.
    for (std::uint64_t k = leaves + 1; k-- > end;) add(tree, k);
    EXPECT_EQ(tree.finish(realizations), *reference_);
  }
}

TEST_F(Trees, MistakesAreNoticed) {
  StatisticsTree tree;
  add(tree, 0);
  EXPECT_THROW(add(tree, 0), std::logic_error);
  EXPECT_THROW(tree.finish(2 * 64), std::logic_error);
  EXPECT_THROW(tree.finish(0), std::logic_error);
  EXPECT_THROW(tree.finish(64 + 3), std::logic_error);
  add(tree, 1);
  EXPECT_THROW(add(tree, 1), std::logic_error);     // part of (1, 0) by now
  EXPECT_THROW(tree.finish(64), std::logic_error);  // no way back
  add(tree, 5);
  const auto pair =
      std::make_shared<const LeafStatistics>(LeafStatistics::merge((*all_)[4], (*all_)[5]));
  EXPECT_THROW(tree.add(StatisticsTree::Node{1, 2, pair}), std::logic_error);  // holds leaf 5
  EXPECT_THROW(tree.add(StatisticsTree::Node{2, 3, pair}), std::logic_error);  // of 128, not 256
  EXPECT_THROW(tree.add(StatisticsTree::Node{27, 0, pair}), std::logic_error);
  EXPECT_THROW(tree.add(StatisticsTree::Node{1, 1u << 25, pair}), std::logic_error);
}

// In order, no more than one node per level waits: what makes memory independent of N.
TEST_F(Trees, FewNodesWait) {
  StatisticsTree tree;
  const LeafStatistics leaf = ensemble_.leaf(0);
  for (std::uint64_t k = 0; k < 1024; ++k) {
    tree.add(k, LeafStatistics(leaf));
    EXPECT_EQ(tree.nodes().size(), static_cast<std::size_t>(std::popcount(k + 1)));
  }
  EXPECT_LE(tree.bytes(), 2 * leaf.bytes());
}

}  // namespace
}  // namespace tumble
