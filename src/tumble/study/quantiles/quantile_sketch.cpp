#include "tumble/study/quantiles/quantile_sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "tumble/study/quantiles/column_sorter.hpp"
#include "tumble/study/quantiles/merge_runs.hpp"
#include "tumble/study/quantiles/quantile_rule.hpp"

namespace tumble {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

QuantileSketch::QuantileSketch(LayoutPointer layout, std::uint32_t size)
    : layout_(std::move(layout)),
      size_(size),
      counts_(layout_->times(), 0),
      largest_(layout_->row(), -infinity) {
  if (size < min_size || size > max_size)
    throw std::invalid_argument(fmt::format("the size of a quantile sketch is {}, must be {} to {}",
                                            size, min_size, max_size));
}

std::size_t QuantileSketch::items_per_number() const {
  return std::accumulate(levels_.begin(), levels_.end(), std::size_t{0});
}

QuantileSketch QuantileSketch::of_leaf(const LeafValues& leaf, std::uint32_t size) {
  const StatisticsLayout& layout = leaf.layout();
  const std::size_t rows = leaf.realizations(), numbers = layout.numbers();
  QuantileSketch sketch(leaf.layout_pointer(), size);
  sketch.realizations_ = rows;
  sketch.levels_[0] = static_cast<std::uint32_t>(rows);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < leaf.valid_times(i); ++t) ++sketch.counts_[t];
  sketch.items_.resize(rows * layout.row());

  const ColumnSorter sorter(rows);
  constexpr std::size_t width = ColumnSorter::width;
  std::vector<double> block(rows * width);
  double* out = sketch.items_.data();
  for (std::size_t first = 0; first < layout.row(); first += width) {
    const std::size_t end = std::min(first + width, layout.row());
    std::fill(block.begin(), block.end(), infinity);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t valid = std::min(end, leaf.valid_times(i) * numbers);
      if (valid > first)
        std::copy(leaf.row(i) + first, leaf.row(i) + valid, block.begin() + i * width);
    }
    sorter.sort(block.data());
    for (std::size_t c = 0; c < end - first; ++c) {
      for (std::size_t i = 0; i < rows; ++i) *out++ = block[i * width + c];
      const std::uint64_t n = sketch.counts_[(first + c) / numbers];
      if (n > 0) sketch.largest_[first + c] = block[(n - 1) * width + c];
    }
  }
  // A leaf with more values than a level may keep.
  if (rows >= 2 * size) return merge(sketch, QuantileSketch(leaf.layout_pointer(), size));
  return sketch;
}

std::vector<QuantileSketch::Step> QuantileSketch::plan(const QuantileSketch& a,
                                                       const QuantileSketch& b) {
  realizations_ = a.realizations_ + b.realizations_;
  over_ = a.over_ + b.over_;
  under_ = a.under_ + b.under_;
  std::vector<Step> steps;
  std::uint32_t carried = 0;
  for (std::size_t h = 0; h < max_levels; ++h) {
    const std::uint32_t n = a.levels_[h] + b.levels_[h] + carried;
    Step step{a.levels_[h], b.levels_[h], n, n >= 2 * size_, over_ > under_};
    carried = step.compacted ? n / 2 : 0;
    levels_[h] = step.compacted ? n % 2 : n;
    if (step.compacted) (step.keep_even ? under_ : over_) += std::uint64_t{1} << h;
    steps.push_back(step);
  }
  while (!steps.empty() && steps.back().merged == 0) steps.pop_back();
  return steps;
}

QuantileSketch QuantileSketch::merge(const QuantileSketch& a, const QuantileSketch& b) {
  if (a.size_ != b.size_ || !(*a.layout_ == *b.layout_))
    throw std::logic_error("quantile sketches of different kinds cannot be merged");
  QuantileSketch out(a.layout_, a.size_);
  const std::vector<Step> steps = out.plan(a, b);
  for (std::size_t t = 0; t < out.counts_.size(); ++t) out.counts_[t] = a.counts_[t] + b.counts_[t];
  for (std::size_t i = 0; i < out.largest_.size(); ++i)
    out.largest_[i] = std::max(a.largest_[i], b.largest_[i]);
  out.items_.resize(out.items_per_number() * out.layout_->row());

  std::size_t most = 0;
  for (const Step& step : steps) most = std::max(most, step.merged);
  std::vector<double> both(most), all(most), carry(most);
  const double *run_a = a.items_.data(), *run_b = b.items_.data();
  double* target = out.items_.data();
  for (std::size_t i = 0; i < out.layout_->row(); ++i) {
    std::size_t carried = 0;
    for (const Step& step : steps) {
      // Only what is compacted, or met by what was carried up, goes through a buffer.
      double* merged = step.compacted ? all.data() : target;
      if (carried == 0) {
        merge_runs(run_a, step.from_a, run_b, step.from_b, merged);
      } else {
        merge_runs(run_a, step.from_a, run_b, step.from_b, both.data());
        merge_runs(both.data(), step.from_a + step.from_b, carry.data(), carried, merged);
      }
      run_a += step.from_a;
      run_b += step.from_b;
      carried = 0;
      if (step.compacted) {
        for (std::size_t k = step.keep_even ? 1 : 0; k < step.merged - step.merged % 2; k += 2)
          carry[carried++] = all[k];
        if (step.merged % 2 == 1) *target++ = all[step.merged - 1];
      } else {
        target += step.merged;
      }
    }
  }
  return out;
}

std::uint64_t QuantileSketch::rank_error() const { return std::max(over_, under_); }

double QuantileSketch::guaranteed_error(std::uint64_t m, std::uint32_t size) {
  if (m < 2 * std::uint64_t{size}) return 0.0;
  return static_cast<double>(std::bit_width(m / size)) / (4.0 * size);
}

/// The sample of a number as the sketch knows it: ascending, each item as often as its weight says.
std::vector<QuantileSketch::Item> QuantileSketch::sample(std::size_t time,
                                                         std::size_t number) const {
  const std::size_t column = time * layout_->numbers() + number;
  std::vector<Item> items;
  items.reserve(items_per_number() + 1);
  const double* next = items_.data() + column * items_per_number();
  for (std::size_t h = 0; h < max_levels; ++h) {
    const auto sorted = static_cast<std::ptrdiff_t>(items.size());
    for (std::uint32_t i = 0; i < levels_[h]; ++i, ++next)
      if (*next < infinity) items.push_back({*next, std::uint64_t{1} << h});
    std::inplace_merge(items.begin(), items.begin() + sorted, items.end(),
                       [](const Item& a, const Item& b) { return a.value < b.value; });
  }
  // Where infinities took more than their share, the largest value fills the places up to n: its
  // rank is n, and the places missing are no more than the error of that rank.
  items.push_back({largest_[column], counts_[time]});
  return items;
}

void QuantileSketch::order_statistics(std::size_t time, std::size_t number,
                                      std::span<const std::size_t> ranks, double* out) const {
  const std::vector<Item> items = sample(time, number);
  std::size_t i = 0;
  std::uint64_t end = items[0].weight;
  for (const std::size_t rank : ranks) {
    while (end <= rank) end += items[++i].weight;
    *out++ = items[i].value;
  }
}

void QuantileSketch::quantiles(std::size_t time, std::size_t number,
                               std::span<const double> probabilities, double* out) const {
  const std::uint64_t n = counts_[time];
  if (n == 0) {
    std::fill_n(out, probabilities.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const std::vector<Item> items = sample(time, number);
  std::size_t i = 0;
  std::uint64_t end = items[0].weight;  // of the positions that items[i] fills
  for (std::size_t p = 0; p < probabilities.size(); ++p) {
    const QuantilePosition position(n, probabilities[p]);
    while (end <= position.lower) end += items[++i].weight;
    const double upper = end <= position.upper ? items[i + 1].value : items[i].value;
    out[p] = position.interpolate(items[i].value, upper);
  }
}

void QuantileSketch::write(ByteWriter& out) const {
  out.number(size_);
  out.number(realizations_);
  out.number(over_);
  out.number(under_);
  out.array(std::span<const std::uint32_t>(levels_));
  out.array(counts_);
  out.array(largest_);
  out.array(items_);
}

QuantileSketch QuantileSketch::read(ByteReader& in, LayoutPointer layout) {
  const auto size = in.number<std::uint32_t>();
  in.require(size >= min_size && size <= max_size, "has a quantile sketch of an impossible size");
  QuantileSketch sketch(layout, size);
  sketch.realizations_ = in.number<std::uint64_t>();
  in.require(sketch.realizations_ <= max_leaves * realizations_per_leaf, "counts too many values");
  sketch.over_ = in.number<std::uint64_t>();
  sketch.under_ = in.number<std::uint64_t>();
  std::uint64_t weight = 0;
  for (std::size_t h = 0; h < max_levels; ++h) {
    sketch.levels_[h] = in.number<std::uint32_t>();
    in.require(sketch.levels_[h] < 2 * size, "has a quantile sketch with too many items");
    weight += std::uint64_t{sketch.levels_[h]} << h;
  }
  in.require(weight == sketch.realizations_, "has a quantile sketch whose weights do not add up");
  sketch.counts_ = in.array<std::uint64_t>(layout->times());
  for (const std::uint64_t count : sketch.counts_)
    in.require(count <= weight, "has a quantile sketch that counts more than its realisations");
  sketch.largest_ = in.array<double>(layout->row());
  sketch.items_ = in.array<double>(sketch.items_per_number() * layout->row());
  return sketch;
}

}  // namespace tumble
