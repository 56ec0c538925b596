#include "tumble/study/study_store.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace tumble {
namespace {

// A leaf lost in a power failure is computed again; one lost to a crash of the program alone is
// not even lost.
constexpr std::chrono::milliseconds sync_interval{1000};

std::uint64_t end_of(const StatisticsTree::Node& node) {
  return (node.index << node.level) * realizations_per_leaf + node.statistics->realizations();
}

}  // namespace

StudyStore::StudyStore(const std::filesystem::path& directory, const JournalIdentity& identity,
                       Journal::Start start, LayoutPointer layout, Values values)
    : layout_(std::move(layout)) {
  if (values == Values::keep) values_.emplace(layout_);
  JournalOptions options;
  options.sync_interval = sync_interval;
  journal_.emplace(
      directory, identity, start,
      [this](const RecordInfo& info, std::string_view payload) { restore(info, payload); },
      options);
}

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
  if (tree_.contains(task.leaf)) return true;
  if (task.count == realizations_per_leaf) return false;
  const auto nodes = tree_.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [&](const StatisticsTree::Node& node) {
    return node.level == 0 && node.index == task.leaf &&
           node.statistics->realizations() == task.count;
  });
}

std::uint64_t StudyStore::end() const {
  std::uint64_t end = 0;
  for (const auto& node : tree_.nodes()) end = std::max(end, end_of(node));
  return end;
}

void StudyStore::commit(LeafResult&& leaf) {
  {
    const std::uint64_t index = leaf.record.leaf;
    std::optional<LeafValues> values = std::exchange(leaf.record.values, std::nullopt);
    const std::shared_lock lock(compacting_);
    if (values) note(journal_->append({record_kind::leaf_values, 0, index}, values->serialize()));
    note(journal_->append({record_kind::leaf_data, 0, index}, leaf.record.serialize()));
    journal_->append({record_kind::node, 0, index}, leaf.statistics.serialize());
    tree_.add(index, std::move(leaf.statistics));
    if (values && values_) values_->add(index, std::move(*values));
  }
  compact_if_worthwhile();
}

void StudyStore::commit(EncodedLeaf&& leaf) { commit(decode(leaf, layout_)); }

void StudyStore::compact_if_worthwhile() {
  const auto live_bytes = [this] {
    const std::uint64_t nodes = tree_.bytes();
    const std::lock_guard lock(mutex_);
    return nodes + leaf_bytes_;
  };
  if (!should_compact(0, journal_->bytes()) || !should_compact(live_bytes(), journal_->bytes()))
    return;
  const std::unique_lock lock(compacting_);
  if (!should_compact(live_bytes(), journal_->bytes())) return;  // another thread was faster
  std::uint64_t first_node = std::numeric_limits<std::uint64_t>::max();
  for (const auto& node : tree_.nodes())
    first_node = std::min(
        first_node,
        journal_->append({record_kind::node, node.level, node.index}, node.statistics->serialize())
            .sequence);
  std::uint64_t kept_bytes = 0;
  journal_->compact(
      [&](const RecordInfo& info) {
        return info.key.kind == record_kind::node ? info.sequence >= first_node : is_latest(info);
      },
      [&](const RecordInfo& moved) {
        if (moved.key.kind != record_kind::node) kept_bytes += moved.bytes();
      });
  const std::lock_guard guard(mutex_);  // who asks whether to compact has this one only
  rewritten_.clear();
  leaf_bytes_ = kept_bytes;
}

RecordFilter StudyStore::records_of(std::uint32_t kind, std::uint64_t realizations) const {
  return [this, kind, realizations](const RecordInfo& info) {
    return info.key.kind == kind && info.key.index * realizations_per_leaf < realizations &&
           is_latest(info);
  };
}

void StudyStore::for_each_leaf(std::uint64_t realizations,
                               const std::function<void(const LeafRecord&)>& visit) const {
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
  journal_->for_each(
      [&](const RecordInfo& info, std::string_view payload) {
        visit(info.key.index, LeafValues::deserialize(payload, layout_));
      },
      records_of(record_kind::leaf_values, realizations));
}

const StoredValues& StudyStore::values(std::uint64_t realizations) {
  if (!values_) throw std::logic_error("the values of the study were not kept");
  const RecordFilter recorded = records_of(record_kind::leaf_values, realizations);
  journal_->for_each(
      [&](const RecordInfo& info, std::string_view payload) {
        values_->add(info.key.index, LeafValues::deserialize(payload, layout_));
      },
      [&](const RecordInfo& info) { return recorded(info) && !values_->contains(info.key.index); });
  return *values_;
}

}  // namespace tumble
