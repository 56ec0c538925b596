#include "tumble/study/study_store.hpp"

#include <algorithm>

namespace tumble {
namespace {

// A leaf lost in a power failure is computed again; one lost to a crash of the program alone is
// not even lost.
constexpr std::chrono::milliseconds sync_interval{1000};

RecordKey node_key(std::uint32_t level, std::uint64_t index) {
  return {record_kind::node, level, index};
}
RecordKey leaf_key(std::uint64_t leaf) { return {record_kind::leaf_data, 0, leaf}; }

std::uint64_t end_of(const StatisticsTree::Node& node) {
  return (node.index << node.level) * realizations_per_leaf + node.statistics->realizations();
}

}  // namespace

StudyStore::StudyStore(const std::filesystem::path& directory, const JournalIdentity& identity,
                       Journal::Start start, LayoutPointer layout)
    : layout_(std::move(layout)) {
  JournalOptions options;
  options.sync_interval = sync_interval;
  std::vector<StatisticsTree::Node> nodes;
  journal_.emplace(
      directory, identity, start,
      [&](const RecordInfo& info, std::string_view payload) { restore(info, payload, nodes); },
      options);
  tree_.restore(std::move(nodes));
}

void StudyStore::restore(const RecordInfo& info, std::string_view payload,
                         std::vector<StatisticsTree::Node>& nodes) {
  if (info.key.kind == record_kind::node)
    nodes.push_back(
        {static_cast<std::uint32_t>(info.key.level), info.key.index,
         std::make_shared<const LeafStatistics>(LeafStatistics::deserialize(payload, layout_))});
  note(info);
}

void StudyStore::note(const RecordInfo& info) {
  const std::lock_guard lock(mutex_);
  RecordInfo& latest = latest_[info.key];
  if (latest.payload_bytes != 0 && latest.sequence > info.sequence) return;
  if (info.key.kind == record_kind::leaf_data)
    leaf_bytes_ += info.bytes() - (latest.payload_bytes == 0 ? 0 : latest.bytes());
  latest = info;
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

void StudyStore::commit(LeafResult&& leaf) { add(encode(leaf), std::move(leaf.statistics)); }

void StudyStore::commit(EncodedLeaf&& leaf) {
  add(leaf, LeafStatistics::deserialize(leaf.statistics, layout_));
}

void StudyStore::add(const EncodedLeaf& leaf, LeafStatistics&& statistics) {
  {
    const std::shared_lock lock(compacting_);
    note(journal_->append(leaf_key(leaf.leaf), leaf.record));
    note(journal_->append(node_key(0, leaf.leaf), leaf.statistics));
    tree_.add(leaf.leaf, std::move(statistics));
  }
  compact_if_worthwhile();
}

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
  std::map<RecordKey, RecordInfo> keep;
  for (const auto& [key, info] : latest_)
    if (key.kind == record_kind::leaf_data) keep[key] = info;
  for (const auto& node : tree_.nodes()) {
    const RecordKey key = node_key(node.level, node.index);
    if (!latest_.contains(key)) note(journal_->append(key, node.statistics->serialize()));
    keep[key] = latest_[key];
  }
  const auto kept = journal_->compact([&](const RecordInfo& info) {
    const auto found = keep.find(info.key);
    return found != keep.end() && found->second.sequence == info.sequence;
  });
  latest_.clear();
  for (const RecordInfo& info : kept) latest_[info.key] = info;
}

void StudyStore::for_each_leaf(std::uint64_t realizations, bool with_values,
                               const std::function<void(const LeafRecord&)>& visit) const {
  journal_->for_each([&](const RecordInfo& info, std::string_view payload) {
    if (info.key.kind != record_kind::leaf_data) return;
    const std::uint64_t first = info.key.index * realizations_per_leaf;
    if (first >= realizations || latest_.at(info.key).sequence != info.sequence) return;
    LeafRecord record = LeafRecord::deserialize(info.key.index, payload, layout_, with_values);
    record.truncate(std::min(realizations_per_leaf, realizations - first));
    visit(record);
  });
}

}  // namespace tumble
