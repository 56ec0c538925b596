#include "tumble/study/journal/study_store.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tumble {
namespace {

// A leaf lost in a power failure is computed again; one lost to a crash of the program alone is
// not even lost.
constexpr std::chrono::milliseconds sync_interval{1000};

// Enough for what many cores compute while a disk is synchronised.
constexpr std::size_t most_waiting_bytes = std::size_t{256} << 20;

std::uint64_t end_of(const StatisticsTree::Node& node) {
  return (node.index << node.level) * realizations_per_leaf + node.statistics->realizations();
}

}  // namespace

/// A leaf with the bytes that will be written, which refer to it.
struct StudyStore::Finished {
  explicit Finished(LeafResult&& result)
      : leaf(result.record.leaf),
        realizations(result.record.realizations()),
        statistics(std::move(result.statistics)) {
    values = std::exchange(result.record.values, std::nullopt);
    if (values) {
      values_bytes = values->pieces();
      values_payload.emplace(values_bytes.head, values_bytes.rows);
    }
    record_bytes = result.record.serialize();
    record_payload = RecordPayload(record_bytes);
    statistics_bytes = statistics.serialize();
    statistics_payload = RecordPayload(statistics_bytes);
  }
  std::size_t bytes() const {
    return values_bytes.head.size() + values_bytes.rows.size() + record_bytes.size() +
           statistics_bytes.size();
  }

  std::uint64_t leaf;
  std::size_t realizations;
  LeafStatistics statistics;
  std::optional<LeafValues> values;
  LeafValues::Pieces values_bytes;
  std::string record_bytes, statistics_bytes;
  std::optional<RecordPayload> values_payload;
  RecordPayload record_payload{{}}, statistics_payload{{}};
};

StudyStore::StudyStore(const std::filesystem::path& directory, const JournalIdentity& identity,
                       Journal::Start start, LayoutPointer layout, Values values,
                       ValuesNeeded values_needed)
    : layout_(std::move(layout)), values_needed_(std::move(values_needed)) {
  if (values == Values::keep) values_.emplace(layout_);
  JournalOptions options;
  options.sync_interval = sync_interval;
  journal_.emplace(
      directory, identity, start,
      [this](const RecordInfo& info, std::string_view payload) { restore(info, payload); },
      options);
  writer_.emplace([this](std::unique_ptr<Finished>& leaf) { write(*leaf); }, most_waiting_bytes);
}

StudyStore::~StudyStore() = default;

void StudyStore::restore(const RecordInfo& info, std::string_view payload) {
  if (info.key.kind != record_kind::node) {
    note(info);
    return;
  }
  const auto level = static_cast<std::uint32_t>(info.key.level);
  if (tree_.contains(level, info.key.index)) return;
  tree_.restore(
      {level, info.key.index,
       std::make_shared<const LeafStatistics>(LeafStatistics::deserialize(payload, layout_))});
}

void StudyStore::note(const RecordInfo& info) {
  const std::lock_guard lock(mutex_);
  const bool first =
      written_[info.key.kind == record_kind::leaf_values ? 1 : 0].insert(info.key.index);
  if (!first) rewritten_[info.key] = info.sequence;
  leaf_bytes_ += info.bytes();
}

bool StudyStore::is_latest(const RecordInfo& info) const {
  const auto found = rewritten_.find(info.key);
  return found == rewritten_.end() || found->second == info.sequence;
}

bool StudyStore::contains(const LeafTask& task) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(task.leaf);
    if (found != waiting_.end() && found->second.handed_over &&
        found->second.realizations == task.count)
      return true;
  }
  return is_counted(task) && has_needed_values(task.leaf);
}

bool StudyStore::lacks_values(const LeafTask& task) const {
  return is_counted(task) && !has_needed_values(task.leaf);
}

bool StudyStore::has_needed_values(std::uint64_t leaf) const {
  if (!values_needed_ || !values_needed_(leaf)) return true;
  const std::lock_guard lock(mutex_);
  return written_[1].contains(leaf);
}

/// Whether the statistics have them.
bool StudyStore::is_counted(const LeafTask& task) const {
  if (tree_.contains(task.leaf)) return true;
  if (task.count == realizations_per_leaf) return false;
  const auto nodes = tree_.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const StatisticsTree::Node& node) {
    return node.level == 0 && node.index == task.leaf &&
           node.statistics->realizations() == task.count;
  });
}

std::uint64_t StudyStore::end() const {
  writer_->finish();
  std::uint64_t end = 0;
  for (const auto& node : tree_.nodes()) end = std::max(end, end_of(node));
  return end;
}

std::uint64_t StudyStore::realizations() const {
  writer_->finish();
  std::uint64_t sum = 0;
  for (const auto& node : tree_.nodes()) sum += node.statistics->realizations();
  return sum;
}

void StudyStore::commit(LeafResult&& leaf) {
  auto finished = std::make_unique<Finished>(std::move(leaf));
  {
    const std::lock_guard lock(mutex_);
    waiting_[finished->leaf] = {finished->realizations, false};
  }
  const std::uint64_t number = finished->leaf;
  const std::size_t bytes = finished->bytes();
  writer_->push(std::move(finished), bytes);
  const std::lock_guard lock(mutex_);
  if (const auto found = waiting_.find(number); found != waiting_.end())
    found->second.handed_over = true;
}

void StudyStore::write(Finished& leaf) {
  if (leaf.values)
    note(journal_->append({record_kind::leaf_values, 0, leaf.leaf}, *leaf.values_payload));
  if (!is_counted({leaf.leaf, leaf.realizations})) {
    note(journal_->append({record_kind::leaf_data, 0, leaf.leaf}, leaf.record_payload));
    journal_->append({record_kind::node, 0, leaf.leaf}, leaf.statistics_payload);
    tree_.add(leaf.leaf, std::move(leaf.statistics));
  }
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = waiting_.find(leaf.leaf);
        found != waiting_.end() && found->second.realizations == leaf.realizations)
      waiting_.erase(found);
  }
  compact_if_worthwhile();
}

void StudyStore::sync() {
  writer_->finish();
  journal_->sync();
}

LeafStatistics StudyStore::statistics(std::uint64_t realizations) const {
  writer_->finish();
  return tree_.finish(realizations);
}

void StudyStore::commit(EncodedLeaf&& leaf) { commit(decode(leaf, layout_)); }

std::uint64_t StudyStore::live_bytes() const {
  const std::uint64_t nodes = tree_.bytes();
  const std::lock_guard lock(mutex_);
  return nodes + leaf_bytes_;
}

void StudyStore::compact_if_worthwhile() {
  if (!should_compact(0, journal_->bytes()) || !should_compact(live_bytes(), journal_->bytes()))
    return;
  compact(Values::keep);
}

void StudyStore::free_values() {
  if (values_) values_.emplace(layout_);
  journal_->leave_memory(
      [](const RecordInfo& info) { return info.key.kind == record_kind::leaf_values; });
}

std::shared_ptr<const JournalFile> StudyStore::reduce(Values values) {
  writer_->finish();
  if (values_) values_.emplace(layout_);  // nothing is to hold what the journal leaves out
  // A large file is not copied to save a little of it.
  if (values == Values::leave || live_bytes() < journal_->bytes() / 4 * 3) return compact(values);
  return nullptr;
}

std::shared_ptr<const JournalFile> StudyStore::compact(Values values) {
  std::uint64_t first_node = std::numeric_limits<std::uint64_t>::max();
  for (const auto& node : tree_.nodes())
    first_node = std::min(
        first_node,
        journal_->append({record_kind::node, node.level, node.index}, node.statistics->serialize())
            .sequence);
  std::uint64_t kept_bytes = 0;
  auto old = journal_->compact(
      [&](const RecordInfo& info) {
        if (info.key.kind == record_kind::node) return info.sequence >= first_node;
        if (info.key.kind == record_kind::leaf_values && values == Values::leave) return false;
        return is_latest(info);
      },
      [&](const RecordInfo& moved) {
        if (moved.key.kind != record_kind::node) kept_bytes += moved.bytes();
      });
  const std::lock_guard guard(mutex_);
  rewritten_.clear();
  leaf_bytes_ = kept_bytes;
  if (values == Values::leave) written_[1] = {};
  return old;
}

RecordFilter StudyStore::records_of(std::uint32_t kind, std::uint64_t realizations) const {
  return [this, kind, realizations](const RecordInfo& info) {
    return info.key.kind == kind && info.key.index * realizations_per_leaf < realizations &&
           is_latest(info);
  };
}

void StudyStore::for_each_leaf(std::uint64_t realizations,
                               const std::function<void(const LeafRecord&)>& visit) const {
  writer_->finish();
  journal_->for_each(
      [&](const RecordInfo& info, std::string_view payload) {
        LeafRecord record = LeafRecord::deserialize(info.key.index, payload, layout_);
        record.truncate(std::min(realizations_per_leaf, realizations - record.first()));
        visit(record);
      },
      records_of(record_kind::leaf_data, realizations));
}

void StudyStore::for_each_values(
    std::uint64_t realizations,
    const std::function<void(std::uint64_t, const LeafValues&)>& visit) const {
  writer_->finish();
  journal_->for_each(
      [&](const RecordInfo& info, std::string_view payload) {
        visit(info.key.index, LeafValues::deserialize(payload, layout_));
      },
      records_of(record_kind::leaf_values, realizations));
}

const StoredValues& StudyStore::values(std::uint64_t realizations) {
  if (!values_) throw std::logic_error("the values of the study were not kept");
  writer_->finish();
  bool all = true;
  for (std::uint64_t leaf = 0; all && leaf * realizations_per_leaf < realizations; ++leaf)
    all = values_->realizations(leaf) > 0;
  if (all && values_->realizations() >= realizations) return *values_;
  const RecordFilter recorded = records_of(record_kind::leaf_values, realizations);
  const auto add_copy = [&](const RecordInfo& info, std::string_view payload) {
    LeafValues leaf = LeafValues::deserialize(payload, layout_);
    if (leaf.realizations() > values_->realizations(info.key.index))
      values_->add(info.key.index, std::move(leaf));
  };
  const bool in_place = journal_->for_each_in_place(
      [&](const RecordInfo& info, std::string_view payload,
          const std::shared_ptr<const char>& keeper) {
        const auto rows = LeafValues::in_place(payload, *layout_);
        if (!rows)
          add_copy(info, payload);
        else if (rows->realizations > values_->realizations(info.key.index))
          values_->add(info.key.index, *rows, keeper);
      },
      recorded);
  if (!in_place) journal_->for_each(add_copy, recorded);
  return *values_;
}

}  // namespace tumble
