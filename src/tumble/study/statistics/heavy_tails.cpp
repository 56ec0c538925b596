#include "tumble/study/statistics/heavy_tails.hpp"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

constexpr std::size_t times_looked_at = 16;
/// From a sketch: ranks to ask for.
constexpr std::uint64_t most_ranks = 1024;

/// What large samples of light tails have, so that they need not be sorted.
bool may_be_heavy(const Moments& moments, std::size_t time, std::size_t number) {
  const double variance = moments.variance(time, number);
  // Nothing but rounding, or next to it.
  const double rounding = 1e-10 * moments.mean(time, number);
  if (!(variance > rounding * rounding)) return false;
  constexpr std::uint64_t large = 256;
  if (moments.count(time) < large) return true;
  const double skewness = moments.third_moment(time, number) / (variance * std::sqrt(variance));
  const double kurtosis = moments.fourth_moment(time, number) / (variance * variance);
  return !(std::abs(skewness) < 0.6 && kurtosis < 3.6);
}

std::vector<double> from_sketch(const QuantileSketch& sketch, std::size_t time, std::size_t number,
                                std::uint64_t count) {
  const std::uint64_t size = std::min(count, most_ranks);
  std::vector<std::size_t> ranks;
  for (std::uint64_t i = 0; i < size; ++i)
    ranks.push_back(static_cast<std::size_t>((2 * i + 1) * count / (2 * size)));
  std::vector<double> found(ranks.size());
  sketch.order_statistics(time, number, ranks, found.data());
  return found;
}

}  // namespace

TailShape tail_shape(std::span<const double> ascending) {
  const auto n = static_cast<double>(ascending.size());
  // b_r = sum of (i choose r) / (n - 1 choose r) x_i / n, about the middle value, so that nothing
  // is lost where values are large.
  const double origin = ascending[ascending.size() / 2];
  double b0 = 0, b1 = 0, b2 = 0, b3 = 0;
  for (std::size_t k = 0; k < ascending.size(); ++k) {
    const auto i = static_cast<double>(k);
    const double x = ascending[k] - origin, w1 = i / (n - 1), w2 = w1 * (i - 1) / (n - 2),
                 w3 = w2 * (i - 2) / (n - 3);
    b0 += x;
    b1 += w1 * x;
    b2 += w2 * x;
    b3 += w3 * x;
  }
  const double l2 = 2 * b1 - b0;
  if (!(l2 > 0)) return {0, 0};
  return {(6 * b2 - 6 * b1 + b0) / l2, (20 * b3 - 30 * b2 + 12 * b1 - b0) / l2};
}

bool is_heavy(const TailShape& shape, std::uint64_t n) {
  const double root = std::sqrt(static_cast<double>(n));
  return std::abs(shape.skewness) + shape.kurtosis > 0.56 - 0.9 / root ||
         shape.kurtosis > std::max(0.2, 0.123 + 1.65 / root);
}

std::vector<HeavyTail> find_heavy_tails(const LeafStatistics& statistics,
                                        const StoredValues* values) {
  const Moments& moments = statistics.moments();
  const StatisticsLayout& layout = moments.layout();
  std::vector<std::size_t> quantity_of;
  for (std::size_t q = 0; q < layout.quantities(); ++q)
    quantity_of.insert(quantity_of.end(), layout.size(q), q);
  std::vector<bool> found(layout.quantities(), false);
  std::vector<HeavyTail> tails;
  const auto look = [&](std::size_t time, std::size_t number, std::span<const double> ascending) {
    const TailShape shape = tail_shape(ascending);
    if (!is_heavy(shape, moments.count(time))) return;
    found[quantity_of[number]] = true;
    tails.push_back({number, time, shape});
  };
  const std::size_t looks = std::min(times_looked_at, layout.times());
  for (std::size_t i = 0; i < looks; ++i) {
    // The last times of equal spans: at the start little has happened.
    const std::size_t t = (i + 1) * layout.times() / looks - 1;
    const std::uint64_t n = moments.count(t);
    if (n < tail_sample) continue;
    const auto wanted = [&](std::size_t number) {
      return !found[quantity_of[number]] && may_be_heavy(moments, t, number);
    };
    if (values == nullptr) {
      for (std::size_t number = 0; number < layout.numbers(); ++number)
        if (wanted(number)) look(t, number, from_sketch(*statistics.sketch(), t, number, n));
      continue;
    }
    values->for_each_column(t, t + 1, [&](const StoredValues::Column& column) {
      if (!wanted(column.number)) return;
      std::sort(column.values.begin(), column.values.end());
      look(t, column.number, column.values);
    });
  }
  std::sort(tails.begin(), tails.end(),
            [](const HeavyTail& a, const HeavyTail& b) { return a.number < b.number; });
  return tails;
}

}  // namespace tumble
