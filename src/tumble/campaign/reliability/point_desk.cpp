#include "tumble/campaign/reliability/point_desk.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace tumble {

std::vector<std::size_t> leaf_sizes(std::size_t points) {
  constexpr std::size_t lanes = 8;  // of the widest kernels: of the study, not of this CPU
  const std::size_t leaves = (points + realizations_per_leaf - 1) / realizations_per_leaf;
  std::size_t even = leaves == 0 ? 0 : (points + leaves - 1) / leaves;
  even = std::min<std::size_t>(realizations_per_leaf, (even + lanes - 1) / lanes * lanes);
  std::vector<std::size_t> sizes;
  for (std::size_t left = points; left > 0; left -= sizes.back())
    sizes.push_back(std::min(even, left));
  return sizes;
}

void PointDesk::restore(const RecordInfo& info, std::string_view payload) {
  if (info.key.kind != record_kind::leaf_data) return;
  const LeafRecord record = LeafRecord::deserialize(info.key.index, payload, layout_);
  std::vector<LimitValue>& values = values_[info.key.index];
  values.clear();
  for (std::size_t i = 0; i < record.realizations(); ++i) values.push_back(value_of_(record, i));
  restored_ += values.size();
}

std::vector<LimitValue> PointDesk::evaluate(const GermPoints& points) {
  std::unique_lock lock(mutex_);
  const std::uint64_t first = leaves_;
  std::size_t done = 0;
  for (const std::size_t size : leaf_sizes(points.size())) {
    const std::uint64_t leaf = leaves_++;
    if (!values_.contains(leaf)) {
      auto germs = std::make_shared<std::vector<double>>();
      germs->reserve(size * points.dimension());
      for (std::size_t i = done; i < done + size; ++i)
        germs->insert(germs->end(), points.row(i).begin(), points.row(i).end());
      waiting_.push_back({leaf, size, std::move(germs)});
    }
    done += size;
  }
  std::vector<LimitValue> all;
  for (std::uint64_t leaf = first; leaf < leaves_; ++leaf) {
    finished_.wait(lock, [&] { return stopped_ || values_.contains(leaf); });
    if (stopped_) throw MethodStopped{};
    const auto found = values_.extract(leaf);
    all.insert(all.end(), found.mapped().begin(), found.mapped().end());
  }
  return all;
}

void PointDesk::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

void PointDesk::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  finished_.notify_all();
}

std::optional<LeafTask> PointDesk::next() {
  const std::lock_guard lock(mutex_);
  if (!waiting_.empty()) {
    LeafTask task = std::move(waiting_.front());
    waiting_.pop_front();
    return task;
  }
  if (closed_) return std::nullopt;
  return LeafTask{0, 0};
}

void PointDesk::take(LeafResult&& leaf) {
  note(leaf.record.leaf, leaf.record, leaf.record.serialize());
}

void PointDesk::take(EncodedLeaf&& leaf) {
  note(leaf.leaf, LeafRecord::deserialize(leaf.leaf, leaf.record, layout_), leaf.record);
}

void PointDesk::note(std::uint64_t leaf, const LeafRecord& record, const std::string& bytes) {
  journal_->append({record_kind::leaf_data, 0, leaf}, bytes);
  std::vector<LimitValue> values;
  for (std::size_t i = 0; i < record.realizations(); ++i) values.push_back(value_of_(record, i));
  const std::lock_guard lock(mutex_);
  values_.insert_or_assign(leaf, std::move(values));
  finished_.notify_all();
}

bool run_at_desk(PointDesk& desk, const std::function<void()>& method,
                 const std::function<bool()>& work) {
  std::exception_ptr failure, broken;
  std::thread thinker([&] {
    try {
      method();
    } catch (const PointDesk::MethodStopped&) {
      return;
    } catch (...) {
      failure = std::current_exception();
    }
    desk.close();
  });
  bool complete = false;
  try {
    complete = work();
  } catch (...) {
    broken = std::current_exception();
  }
  if (!complete) desk.stop();
  thinker.join();
  if (broken) std::rethrow_exception(broken);
  if (failure) std::rethrow_exception(failure);
  return complete;
}

}  // namespace tumble
