#include "tumble/study/leaf_builder.hpp"

#include <algorithm>
#include <stdexcept>

namespace tumble {

LeafBuilder::LeafBuilder(LayoutPointer layout, StatisticsOptions options, std::uint64_t leaf)
    : options_(options), leaf_(leaf), moments_(layout) {
  if (leaf >= max_leaves) throw std::invalid_argument("a study has at most 2^32 realisations");
  if (options.randomizations > 1) copies_.emplace(layout, options.randomizations);
  // Sketches start from sorted leaves, so they need the values of the leaf for a while.
  if (options.sketch_size > 0 || options.store_values) values_.emplace(std::move(layout));
}

std::size_t LeafBuilder::add(const double* values, std::size_t stride, std::size_t valid_times) {
  if (added_ == realizations_per_leaf) throw std::logic_error("the leaf is complete");
  const StatisticsLayout& layout = moments_.layout();
  const std::size_t counted =
      usable_times(layout, values, stride, std::min(valid_times, layout.times()));
  add_waiting();
  moments_.add(static_cast<std::int64_t>(next()), values, stride, counted);
  add_alone(values, stride, counted);
  return counted;
}

void LeafBuilder::add_usable(std::span<const Moments::Run> runs) {
  if (added_ + runs.size() > realizations_per_leaf) throw std::logic_error("the leaf is complete");
  if (!values_) moments_.add(static_cast<std::int64_t>(next()), runs, 1);
  for (const Moments::Run& run : runs) add_alone(run.values, 1, run.valid_times);
  if (values_) waiting_ += runs.size();
}

/// What is kept until the leaf ends is added then, at once: sums are fetched from memory once.
void LeafBuilder::add_waiting() {
  if (waiting_ == 0) return;
  std::vector<Moments::Run> runs;
  for (std::size_t i = added_ - waiting_; i < added_; ++i)
    runs.push_back({values_->row(i), values_->valid_times(i)});
  moments_.add(static_cast<std::int64_t>(next() - waiting_), runs, 1);
  waiting_ = 0;
}

/// All but the moments.
void LeafBuilder::add_alone(const double* values, std::size_t stride, std::size_t counted) {
  if (copies_) copies_->add(static_cast<std::int64_t>(next()), values, stride, counted);
  summaries_.add(moments_.layout(), values, stride, counted);
  if (values_) {
    if (values == values_->room(0))
      values_->add_there(counted);
    else
      values_->add(values, stride, counted);
  }
  ++added_;
}

std::optional<QuantileSketch> LeafBuilder::sketch() const {
  if (options_.sketch_size == 0) return std::nullopt;
  if (!values_) throw std::logic_error("the values of the leaf were taken before its statistics");
  return QuantileSketch::of_leaf(*values_, options_.sketch_size);
}

LeafStatistics LeafBuilder::statistics() {
  add_waiting();
  return LeafStatistics(added_, moments_, sketch(), copies_);
}

LeafStatistics LeafBuilder::take_statistics() {
  add_waiting();
  return LeafStatistics(added_, std::move(moments_), sketch(), std::move(copies_));
}

std::optional<LeafValues> LeafBuilder::take_values() {
  add_waiting();
  if (!options_.store_values) return std::nullopt;
  std::optional<LeafValues> taken = std::move(values_);
  values_.reset();
  return taken;
}

}  // namespace tumble
