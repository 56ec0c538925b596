// Where a method that chooses its points as it goes meets the workers that run them.
//
// The method runs in a thread of its own and asks for batches; workers of this and of other ranks
// take them in leaves. Every finished leaf is in the journal before its values are used. What a
// method asks follows from the values alone: whoever goes on after a kill runs the method again
// from the beginning, finds in the journal what is there, and comes to the same bits.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "tumble/reliability/limit_state.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/journal/encoded_leaf.hpp"
#include "tumble/study/journal/journal.hpp"

namespace tumble {

/// From the record of a realisation to what the method sees of it.
using ValueOfRun = std::function<LimitValue(const LeafRecord& record, std::size_t place)>;

/// Leaves of a batch: points [first, first + count) of it each. No larger than leaves are, even,
/// and of whole groups of lanes where that is possible.
std::vector<std::size_t> leaf_sizes(std::size_t points);

class PointDesk {
 public:
  PointDesk(LayoutPointer layout, ValueOfRun value_of)
      : layout_(std::move(layout)), value_of_(std::move(value_of)) {}

  /// What the journal holds, before anything else.
  void restore(const RecordInfo& info, std::string_view payload);
  std::uint64_t restored() const { return restored_; }
  /// Where finished leaves go from now on.
  void write_to(Journal& journal) { journal_ = &journal; }

  /// In the method's thread: returns when all are there. @throws MethodStopped after stop()
  std::vector<LimitValue> evaluate(const GermPoints& points);
  /// The method has ended: there is no more to come.
  void close();
  /// Ends the method where it waits.
  void stop();

  /// As a LeafSource.
  std::optional<LeafTask> next();
  /// Of a worker here, and of another rank.
  void take(LeafResult&& leaf);
  void take(EncodedLeaf&& leaf);

  struct MethodStopped {};

 private:
  void note(std::uint64_t leaf, const LeafRecord& record, const std::string& bytes);

  LayoutPointer layout_;
  ValueOfRun value_of_;
  Journal* journal_ = nullptr;
  std::uint64_t restored_ = 0;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable finished_;
  std::map<std::uint64_t, std::vector<LimitValue>> values_;  ///< by leaf, not yet used
  std::deque<LeafTask> waiting_;
  std::uint64_t leaves_ = 0;  ///< asked for so far
  bool closed_ = false, stopped_ = false;
};

/// Runs `method`, which asks the desk, in a thread of its own, and here `work`, which takes what it
/// asks for and says whether it came to the end. @throws what either throws, that of `work` first
bool run_at_desk(PointDesk& desk, const std::function<void()>& method,
                 const std::function<bool()>& work);

}  // namespace tumble
