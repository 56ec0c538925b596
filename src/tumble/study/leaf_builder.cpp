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
  moments_.add(static_cast<std::int64_t>(next()), values, stride, counted);
  add_alone(values, stride, counted);
  return counted;
}

void LeafBuilder::add_usable(std::span<const Moments::Run> runs) {
  if (added_ + runs.size() > realizations_per_leaf) throw std::logic_error("the leaf is complete");
  moments_.add(static_cast<std::int64_t>(next()), runs, 1);
  for (const Moments::Run& run : runs) add_alone(run.values, 1, run.valid_times);
}

/// All but the moments.
void LeafBuilder::add_alone(const double* values, std::size_t stride, std::size_t counted) {
  if (copies_) copies_->add(static_cast<std::int64_t>(next()), values, stride, counted);
  summaries_.add(moments_.layout(), values, stride, counted);
  if (values_) values_->add(values, stride, counted);
  ++added_;
}

LeafStatistics LeafBuilder::statistics() const {
  std::optional<QuantileSketch> sketch;
  if (options_.sketch_size > 0) {
    if (!values_) throw std::logic_error("the values of the leaf were taken before its statistics");
    sketch = QuantileSketch::of_leaf(*values_, options_.sketch_size);
  }
  return LeafStatistics(added_, moments_, std::move(sketch), copies_);
}

std::optional<LeafValues> LeafBuilder::take_values() {
  if (!options_.store_values) return std::nullopt;
  std::optional<LeafValues> taken = std::move(values_);
  values_.reset();
  return taken;
}

}  // namespace tumble
