#include "tumble/study/quantile_sketch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "tumble/study/column_sorter.hpp"
#include "tumble/study/merge_runs.hpp"
#include "tumble/study/quantile_rule.hpp"

namespace tumble {
namespace {

/// Items per number.
template <class Levels>
std::size_t total(const Levels& levels) {
  return std::accumulate(levels.begin(), levels.end(), std::size_t{0});
}

}  // namespace

QuantileSketch::QuantileSketch(LayoutPointer layout, std::uint32_t size)
    : layout_(std::move(layout)), size_(size), times_(layout_->times()) {
  if (size < min_size || size > max_size)
    throw std::invalid_argument(fmt::format("the size of a quantile sketch is {}, must be {} to {}",
                                            size, min_size, max_size));
}

void QuantileSketch::allocate() {
  std::size_t begin = 0;
  for (Time& time : times_) {
    time.begin = begin;
    begin += total(time.items) * layout_->numbers();
  }
  items_.resize(begin);
}

const double* QuantileSketch::run(const Time& time, std::size_t number) const {
  return items_.data() + time.begin + number * total(time.items);
}

QuantileSketch QuantileSketch::of_leaf(const LeafValues& leaf, std::uint32_t size) {
  const StatisticsLayout& layout = leaf.layout();
  const std::size_t rows = leaf.realizations(), numbers = layout.numbers();
  QuantileSketch sketch(leaf.layout_pointer(), size);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t t = 0; t < leaf.valid_times(i); ++t) ++sketch.times_[t].items[0];
  for (Time& time : sketch.times_) time.count = time.items[0];
  sketch.allocate();

  const ColumnSorter sorter(rows);
  constexpr std::size_t width = ColumnSorter::width;
  std::vector<double> block(rows * width);
  double* out = sketch.items_.data();
  for (std::size_t first = 0; first < layout.row(); first += width) {
    const std::size_t end = std::min(first + width, layout.row());
    // Infinities in place of what does not count: they end up below the values.
    std::fill(block.begin(), block.end(), std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t valid = std::min(end, leaf.valid_times(i) * numbers);
      if (valid > first)
        std::copy(leaf.row(i) + first, leaf.row(i) + valid, block.begin() + i * width);
    }
    sorter.sort(block.data());
    for (std::size_t c = 0; c < end - first; ++c) {
      const std::size_t n = sketch.times_[(first + c) / numbers].items[0];
      for (std::size_t i = 0; i < n; ++i) *out++ = block[i * width + c];
    }
  }
  // A leaf with more values than a level may keep.
  if (rows >= 2 * size) return merge(sketch, QuantileSketch(leaf.layout_pointer(), size));
  return sketch;
}

QuantileSketch::Plan QuantileSketch::plan(const Time& a, const Time& b, Time& result) const {
  Plan plan;
  result.count = a.count + b.count;
  result.over = a.over + b.over;
  result.under = a.under + b.under;
  std::uint32_t carried = 0;
  for (std::size_t h = 0; h < max_levels; ++h) {
    const std::uint32_t n = a.items[h] + b.items[h] + carried;
    plan.merged[h] = n;
    plan.compacted[h] = n >= 2 * size_;
    carried = plan.compacted[h] ? n / 2 : 0;
    result.items[h] = plan.compacted[h] ? n % 2 : n;
    if (!plan.compacted[h]) continue;
    plan.keep_even[h] = result.over > result.under;
    (plan.keep_even[h] ? result.under : result.over) += std::uint64_t{1} << h;
  }
  return plan;
}

QuantileSketch QuantileSketch::merge(const QuantileSketch& a, const QuantileSketch& b) {
  if (a.size_ != b.size_ || !(*a.layout_ == *b.layout_))
    throw std::logic_error("quantile sketches of different kinds cannot be merged");
  QuantileSketch out(a.layout_, a.size_);
  std::vector<Plan> plans;
  plans.reserve(out.times_.size());
  std::uint32_t largest = 0;
  for (std::size_t t = 0; t < out.times_.size(); ++t) {
    plans.push_back(out.plan(a.times_[t], b.times_[t], out.times_[t]));
    largest = std::max(largest, *std::max_element(plans[t].merged.begin(), plans[t].merged.end()));
  }
  out.allocate();

  std::vector<double> both(largest), all(largest), carry(largest);
  double* target = out.items_.data();
  for (std::size_t t = 0; t < out.times_.size(); ++t) {
    const Plan& plan = plans[t];
    const std::size_t levels = static_cast<std::size_t>(
        std::find_if(plan.merged.rbegin(), plan.merged.rend(), [](auto n) { return n > 0; })
            .base() -
        plan.merged.begin());
    for (std::size_t number = 0; number < out.layout_->numbers(); ++number) {
      const double* run_a = a.run(a.times_[t], number);
      const double* run_b = b.run(b.times_[t], number);
      std::size_t carried = 0;
      for (std::size_t h = 0; h < levels; ++h) {
        const std::size_t n_a = a.times_[t].items[h], n_b = b.times_[t].items[h];
        const std::size_t n = plan.merged[h];
        // Only what a later step reads goes through a buffer.
        double* merged = plan.compacted[h] ? all.data() : target;
        if (carried == 0) {
          merge_runs(run_a, n_a, run_b, n_b, merged);
        } else {
          merge_runs(run_a, n_a, run_b, n_b, both.data());
          merge_runs(both.data(), n_a + n_b, carry.data(), carried, merged);
        }
        run_a += n_a;
        run_b += n_b;
        carried = 0;
        if (plan.compacted[h]) {
          for (std::size_t i = plan.keep_even[h] ? 1 : 0; i < n - n % 2; i += 2)
            carry[carried++] = all[i];
          if (n % 2 == 1) *target++ = all[n - 1];
        } else {
          target += n;
        }
      }
    }
  }
  return out;
}

std::uint64_t QuantileSketch::rank_error(std::size_t time) const {
  return std::max(times_[time].over, times_[time].under);
}

double QuantileSketch::guaranteed_error(std::uint64_t n, std::uint32_t size) {
  if (n < 2 * std::uint64_t{size}) return 0.0;
  return static_cast<double>(std::bit_width(n / size)) / (4.0 * size);
}

void QuantileSketch::quantiles(std::size_t time, std::size_t number,
                               std::span<const double> probabilities, double* out) const {
  const Time& own = times_[time];
  if (own.count == 0) {
    std::fill_n(out, probabilities.size(), std::numeric_limits<double>::quiet_NaN());
    return;
  }
  struct Item {
    double value;
    std::uint64_t weight;
  };
  std::vector<Item> items;
  items.reserve(total(own.items));
  const double* next = run(own, number);
  for (std::size_t h = 0; h < max_levels; ++h) {
    const auto sorted = static_cast<std::ptrdiff_t>(items.size());
    for (std::uint32_t i = 0; i < own.items[h]; ++i)
      items.push_back({*next++, std::uint64_t{1} << h});
    if (sorted > 0 && own.items[h] > 0)
      std::inplace_merge(items.begin(), items.begin() + sorted, items.end(),
                         [](const Item& a, const Item& b) { return a.value < b.value; });
  }
  // The sample as the sketch knows it: each item as often as its weight says.
  std::size_t i = 0;
  std::uint64_t end = items[0].weight;  // of the positions that items[i] fills
  for (std::size_t p = 0; p < probabilities.size(); ++p) {
    const QuantilePosition position(own.count, probabilities[p]);
    while (end <= position.lower) end += items[++i].weight;
    const double upper = end <= position.upper ? items[i + 1].value : items[i].value;
    out[p] = position.interpolate(items[i].value, upper);
  }
}

void QuantileSketch::write(ByteWriter& out) const {
  out.number(size_);
  for (const Time& time : times_) {
    out.number(time.count);
    out.number(time.over);
    out.number(time.under);
    out.array(std::span<const std::uint32_t>(time.items));
  }
  out.array(items_);
}

QuantileSketch QuantileSketch::read(ByteReader& in, LayoutPointer layout) {
  const auto size = in.number<std::uint32_t>();
  in.require(size >= min_size && size <= max_size, "has a quantile sketch of an impossible size");
  QuantileSketch sketch(layout, size);
  std::size_t items = 0;
  for (Time& time : sketch.times_) {
    time.count = in.number<std::uint64_t>();
    time.over = in.number<std::uint64_t>();
    time.under = in.number<std::uint64_t>();
    std::uint64_t weight = 0;
    for (std::size_t h = 0; h < max_levels; ++h) {
      time.items[h] = in.number<std::uint32_t>();
      in.require(time.items[h] < 2 * size, "has a quantile sketch with too many items");
      weight += std::uint64_t{time.items[h]} << h;
    }
    in.require(time.count <= max_leaves * realizations_per_leaf, "counts too many values");
    in.require(weight == time.count, "has a quantile sketch whose weights do not add up");
    time.begin = items;
    items += total(time.items) * layout->numbers();
  }
  sketch.items_ = in.array<double>(items);
  return sketch;
}

}  // namespace tumble
