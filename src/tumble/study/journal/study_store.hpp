// Finished leaves of a study, in the journal and merged: what resuming needs and results rest on.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <mutex>

#include "tumble/study/journal/encoded_leaf.hpp"
#include "tumble/study/journal/index_set.hpp"
#include "tumble/study/journal/journal.hpp"
#include "tumble/study/journal/write_behind.hpp"
#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {

/// For each leaf the journal gets first its values, if they are kept, then the record of its
/// realisations, then its statistics: a leaf whose statistics are there is finished. From time to
/// time the statistics are replaced by those of the tree's merged nodes. Once results are written,
/// reduce() may leave the values out: whoever needs them later has them computed again.
///
/// A thread of the store writes them while others compute; a few leaves may wait for it, which a
/// killed process loses with those being computed.
///
/// Memory holds the tree and intervals of leaves, nothing for each realisation; of values that are
/// asked for, only what lies in no journal.
class StudyStore {
 public:
  /// What becomes of values that are in the journal.
  enum class Values { leave, keep };

  /// Whether the values of a leaf are needed; empty: of none.
  using ValuesNeeded = std::function<bool(std::uint64_t leaf)>;

  /// With Values::keep they can be asked for.
  /// @throws JournalError, std::system_error; std::runtime_error if records are of another layout.
  StudyStore(const std::filesystem::path& directory, const JournalIdentity& identity,
             Journal::Start start, LayoutPointer layout, Values values = Values::leave,
             ValuesNeeded values_needed = {});
  ~StudyStore();

  const JournalReport& report() const { return journal_->report(); }
  /// Whether these realisations are finished, with their values if those are needed.
  bool contains(const LeafTask& task) const;
  /// Whether all that is missing of them is values that are needed.
  bool lacks_values(const LeafTask& task) const;
  /// The end of the highest finished leaf; there may be gaps before it.
  std::uint64_t end() const;

  /// How many realisations are finished, wherever there are gaps.
  std::uint64_t realizations() const;

  /// From several threads at once; a leaf that lacked its values alone gives only those.
  /// @throws std::system_error, perhaps because of a leaf committed
  /// before; what was written until then is not lost.
  void commit(LeafResult&& leaf);
  /// The same for a leaf of another rank. @throws std::runtime_error if it is of another layout.
  void commit(EncodedLeaf&& leaf);
  /// Returns when everything committed is written. @throws std::system_error
  void finish() const { writer_->finish(); }
  /// The same, and brings it to the disk.
  void sync();
  /// Leaves to the journal what going on needs, but for the values unless they are to stay. Killed
  /// or failing on the way, it leaves the journal as it was. @returns the old file, if there is a
  /// new one: to close it may take a disk a while. @throws std::system_error
  std::shared_ptr<const JournalFile> reduce(Values values);

  /// Statistics of the realisations [0, N), all of which must be there.
  LeafStatistics statistics(std::uint64_t realizations) const;
  /// The finished realisations [0, N) leaf by leaf, in any order, one leaf at a time in memory and
  /// without values.
  void for_each_leaf(std::uint64_t realizations,
                     const std::function<void(const LeafRecord&)>& visit) const;
  /// The leaves of [0, N) whose values the journal has, likewise; the last may have values of more
  /// realisations.
  void for_each_values(
      std::uint64_t realizations,
      const std::function<void(std::uint64_t leaf, const LeafValues& values)>& visit) const;
  /// All values of [0, N), for Values::keep, where they lie in the journal; valid until reduce().
  const StoredValues& values(std::uint64_t realizations);
  /// Frees the memory in which values lie, once the journal is on the disk. What values() gave is
  /// not valid any more.
  void free_values();

 private:
  void restore(const RecordInfo& info, std::string_view payload);
  void note(const RecordInfo& info);
  bool is_latest(const RecordInfo& info) const;
  bool is_counted(const LeafTask& task) const;
  bool has_needed_values(std::uint64_t leaf) const;
  std::uint64_t live_bytes() const;
  std::shared_ptr<const JournalFile> compact(Values values);
  RecordFilter records_of(std::uint32_t kind, std::uint64_t realizations) const;
  struct Finished;
  void write(Finished& leaf);
  void compact_if_worthwhile();

  LayoutPointer layout_;
  ValuesNeeded values_needed_;
  StatisticsTree tree_;
  std::optional<Journal> journal_;
  std::optional<StoredValues> values_;
  mutable std::mutex mutex_;         ///< guards what follows
  std::array<IndexSet, 2> written_;  ///< leaves of which the journal has realisations, and values
  /// Sequence numbers of the last records of leaves that were written more than once: after a kill
  /// between the records of a leaf, or because the leaf was the incomplete last one.
  std::map<RecordKey, std::uint64_t> rewritten_;
  std::uint64_t leaf_bytes_ = 0;  ///< of these records
  /// A leaf on its way; it counts once the writer has it, so that who finds it finds its record.
  struct Waiting {
    std::size_t realizations;
    bool handed_over;
  };
  std::map<std::uint64_t, Waiting> waiting_;
  std::optional<WriteBehind<std::unique_ptr<Finished>>> writer_;
};

}  // namespace tumble
