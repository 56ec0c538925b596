// Finished leaves of a study, in the journal and merged: what resuming needs and results rest on.
#pragma once
#include <map>
#include <shared_mutex>

#include "tumble/study/encoded_leaf.hpp"
#include "tumble/study/journal.hpp"
#include "tumble/study/statistics_tree.hpp"

namespace tumble {

/// For each leaf the journal gets first its record of realisations, then its statistics: a leaf
/// whose statistics are there is finished. From time to time the statistics are replaced by those
/// of the tree's merged nodes.
class StudyStore {
 public:
  /// @throws JournalError, std::system_error; std::runtime_error if records are of another layout.
  StudyStore(const std::filesystem::path& directory, const JournalIdentity& identity,
             Journal::Start start, LayoutPointer layout);

  const JournalReport& report() const { return journal_->report(); }
  /// Whether these realisations are finished.
  bool contains(const LeafTask& task) const;
  /// The end of the highest finished leaf; there may be gaps before it.
  std::uint64_t end() const;

  /// From several threads at once. @throws std::system_error, after which nothing committed before
  /// is lost.
  void commit(LeafResult&& leaf);
  /// The same for a leaf of another rank. @throws std::runtime_error if it is of another layout.
  void commit(EncodedLeaf&& leaf);
  /// Brings everything to the disk.
  void sync() { journal_->sync(); }

  /// Statistics of the realisations [0, N), all of which must be there.
  LeafStatistics statistics(std::uint64_t realizations) const { return tree_.finish(realizations); }
  /// The finished realisations [0, N) leaf by leaf, in any order, one leaf at a time in memory.
  void for_each_leaf(std::uint64_t realizations, bool with_values,
                     const std::function<void(const LeafRecord&)>& visit) const;

 private:
  void restore(const RecordInfo& info, std::string_view payload,
               std::vector<StatisticsTree::Node>& nodes);
  void note(const RecordInfo& info);
  void add(const EncodedLeaf& leaf, LeafStatistics&& statistics);
  void compact_if_worthwhile();

  LayoutPointer layout_;
  StatisticsTree tree_;
  std::optional<Journal> journal_;
  std::shared_mutex compacting_;            ///< exclusive while compacting, shared while committing
  mutable std::mutex mutex_;                ///< guards what follows
  std::map<RecordKey, RecordInfo> latest_;  ///< of each key, what the journal holds last
  std::uint64_t leaf_bytes_ = 0;            ///< of the records of realisations among them
};

}  // namespace tumble
