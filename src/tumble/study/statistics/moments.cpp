#include "tumble/study/statistics/moments.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/study/quantiles/double_four.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Realisations added together, as many as the widest lanes bring at once.
constexpr std::size_t together = 8;
/// Numbers worked on together, so that their differences from the means stay in an L1 cache.
constexpr std::size_t chunk = 256;

/// A double and four of them by the same name: formulas are written once for both.
template <class V, class Number>
V load(const Number* from) {
  if constexpr (sizeof(V) == sizeof(Number))
    return *from;
  else
    return load_four<V>(from);
}
template <class V, class Number>
void store(Number* to, V value) {
  if constexpr (sizeof(V) == sizeof(Number))
    *to = value;
  else
    store_four<V>(to, value);
}

/// Calls `work` by fours as far as that goes, and then one by one.
template <class Work>
void by_fours(std::size_t count, const Work& work) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) work.template operator()<DoubleFour, IndexFour>(i);
  for (; i < count; ++i) work.template operator()<double, std::int64_t>(i);
}

/// How much each side counts for when two are merged. Where one side is empty its mean is 0 and the
/// weights are 0 and 1: the other side is kept without a rounding error.
struct Shares {
  Shares(std::uint64_t count_a, std::uint64_t count_b) {
    if (count_a + count_b == 0) return;
    const auto n_a = static_cast<double>(count_a), n_b = static_cast<double>(count_b);
    a = n_a / (n_a + n_b);
    b = n_b / (n_a + n_b);
    weight = n_a * b;
  }
  double a = 0, b = 0, weight = 0;
};

/// Of two extremes the one beyond the other, and of equal ones that of the lower index.
template <class V, class Index, class Mask>
void store_extreme(V x_a, V x_b, Index at_a, Index at_b, Mask b_beyond, double* x,
                   std::int64_t* at) {
  const auto take_b = b_beyond | ((x_a == x_b) & (at_b < at_a));
  store<V>(x, take_b ? x_b : x_a);
  store<Index>(at, take_b ? at_b : at_a);
}

}  // namespace

/// A realisation, and what it counts for as the n-th.
struct Moments::Counted {
  Counted(const double* v, std::int64_t i, std::uint64_t count) : values(v), index(i) {
    const auto n = static_cast<double>(count);
    inverse_n = 1.0 / n;
    square = (n - 1.0) / n;  // exactly 0 for the first
    cube = square * (n - 2.0) / n;
    fourth = square * ((n * n - 3.0 * n + 3.0) / (n * n));
  }
  const double* values;
  std::int64_t index;
  double inverse_n, square, cube, fourth;
};

/// Times at which the same realisations count and as many counted before.
struct Moments::Block {
  std::size_t first_time, end_time;
  std::vector<Counted> runs;
};

/// The sums of one number and those after it.
struct Moments::Sums {
  double *mean, *square, *cube, *fourth, *minimum, *maximum;
  std::int64_t *minimum_at, *maximum_at;

  /// One or four numbers, over all runs: sums stay in registers meanwhile. `rows` are the runs'
  /// values of these numbers, `d` is where their differences from the means go.
  template <class V, class Index>
  void add(std::size_t i, std::span<const Counted> runs, std::size_t first, double* d,
           std::size_t d_row) const {
    V m = load<V>(mean + i), s2 = load<V>(square + i), s3 = load<V>(cube + i),
      s4 = load<V>(fourth + i), low = load<V>(minimum + i), high = load<V>(maximum + i);
    Index low_at = load<Index>(minimum_at + i), high_at = load<Index>(maximum_at + i);
    for (const Counted& run : runs) {
      const V x = load<V>(run.values + first + i);
      const V difference = x - m, e = difference * run.inverse_n, d2 = difference * difference;
      m += e;
      // With the sums of lower powers as they were before this realisation. Weights come first:
      // where they are 0, powers that are no doubles do no harm.
      s4 += d2 * run.fourth * d2 + e * (6.0 * e * s2 - 4.0 * s3);
      s3 += d2 * run.cube * difference - 3.0 * e * s2;
      s2 += d2 * run.square;
      store<V>(d + i, difference);
      d += d_row;
      const Index here = Index{} + run.index;
      const auto lower = x<low, higher = x> high;
      low = lower ? x : low;
      low_at = lower ? here : low_at;
      high = higher ? x : high;
      high_at = higher ? here : high_at;
    }
    store<V>(mean + i, m);
    store<V>(square + i, s2);
    store<V>(cube + i, s3);
    store<V>(fourth + i, s4);
    store<V>(minimum + i, low);
    store<V>(maximum + i, high);
    store<Index>(minimum_at + i, low_at);
    store<Index>(maximum_at + i, high_at);
  }
};

/// Of the realisations of a block from the means, at the times of a chunk: [realisation][number].
/// What lies behind the last number is read and not used.
struct Moments::Differences {
  explicit Differences(const StatisticsLayout& layout)
      : times(std::clamp<std::size_t>(chunk / std::max<std::size_t>(1, layout.numbers()), 1,
                                      std::max<std::size_t>(1, layout.times()))),
        row(times * layout.numbers() + StatisticsLayout::max_quantity_size),
        values(together * row),
        sums(row) {}
  std::size_t times, row;
  std::vector<double> values;
  std::vector<double> sums;  ///< of products of a number and one behind it
};

Moments::Moments(LayoutPointer layout)
    : layout_(std::move(layout)),
      counts_(layout_->times(), 0),
      means_(layout_->row(), 0.0),
      squares_(layout_->row(), 0.0),
      cubes_(layout_->row(), 0.0),
      fourths_(layout_->row(), 0.0),
      minima_(layout_->row(), infinity),
      maxima_(layout_->row(), -infinity),
      minimum_at_(layout_->row(), no_realization),
      maximum_at_(layout_->row(), no_realization),
      products_(layout_->times() * layout_->pairs().size(), 0.0) {}

auto Moments::sums(std::size_t k) -> Sums {
  return {&means_[k],  &squares_[k], &cubes_[k],      &fourths_[k],
          &minima_[k], &maxima_[k],  &minimum_at_[k], &maximum_at_[k]};
}

void Moments::add(std::int64_t realization, std::span<const Run> runs, std::size_t stride) {
  std::vector<double> packed;  // runs of lanes, each by itself
  std::vector<Run> own(runs.begin(), runs.end());
  if (stride != 1) {
    packed.resize(runs.size() * layout_->row());
    for (std::size_t r = 0; r < runs.size(); ++r) {
      double* const to = packed.data() + r * layout_->row();
      for (std::size_t i = 0; i < runs[r].valid_times * layout_->numbers(); ++i)
        to[i] = runs[r].values[i * stride];
      own[r].values = to;
    }
  }
  for (std::size_t first = 0; first < own.size(); first += together)
    add_group(realization + static_cast<std::int64_t>(first),
              std::span(own).subspan(first, std::min(together, own.size() - first)));
}

void Moments::add_group(std::int64_t realization, std::span<const Run> runs) {
  Differences differences(*layout_);
  Block block{};
  for (block.first_time = 0; block.first_time < layout_->times();
       block.first_time = block.end_time) {
    const std::size_t t = block.first_time;
    block.end_time = t + 1;
    while (block.end_time < layout_->times() && counts_[block.end_time] == counts_[t])
      ++block.end_time;
    block.runs.clear();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (runs[r].valid_times <= t) continue;
      block.end_time = std::min(block.end_time, runs[r].valid_times);
      block.runs.emplace_back(runs[r].values, realization + static_cast<std::int64_t>(r),
                              counts_[t] + block.runs.size() + 1);
    }
    add_block(block, differences);
  }
}

void Moments::add_block(const Block& block, Differences& differences) {
  for (std::size_t t = block.first_time; t < block.end_time; ++t) counts_[t] += block.runs.size();
  for (std::size_t t = block.first_time; t < block.end_time && !block.runs.empty();
       t += differences.times) {
    const std::size_t end = std::min(block.end_time, t + differences.times), first = at(t, 0);
    if (first == at(end, 0)) continue;  // nothing is probed
    const Sums here = sums(first);
    by_fours(at(end, 0) - first, [&]<class V, class Index>(std::size_t i) {
      here.add<V, Index>(i, block.runs, first, differences.values.data(), differences.row);
    });
    add_pairs(block, t, end, differences);
  }
}

/// Pairs of equal distance are worked on together, as if every number had one: by fours that is
/// quicker than one after the other, unless they are few.
void Moments::add_pairs(const Block& block, std::size_t first_time, std::size_t end_time,
                        Differences& differences) {
  const std::vector<StatisticsLayout::Pair>& pairs = layout_->pairs();
  const std::size_t numbers = layout_->numbers(), count = (end_time - first_time) * numbers;
  double* const sums = differences.sums.data();
  for (std::size_t first = 0, end = 0; first < pairs.size(); first = end) {
    const std::size_t distance = pairs[first].b - pairs[first].a;
    while (end < pairs.size() && pairs[end].b - pairs[end].a == distance) ++end;
    const auto for_each = [&](const auto& visit) {
      for (std::size_t t = first_time; t < end_time; ++t)
        for (std::size_t p = first; p < end; ++p)
          visit(products_[t * pairs.size() + p], (t - first_time) * numbers + pairs[p].a);
    };
    const auto add = [&]<class V, class Index>(std::size_t i) {
      V sum = load<V>(sums + i);
      const double* d = differences.values.data() + i;
      for (const Counted& run : block.runs) {
        sum += load<V>(d) * load<V>(d + distance) * run.square;
        d += differences.row;
      }
      store<V>(sums + i, sum);
    };
    for_each([&](double product, std::size_t i) { sums[i] = product; });
    if (4 * (end - first) >= numbers)
      by_fours(count, add);
    else
      for_each([&](double, std::size_t i) { add.operator()<double, std::int64_t>(i); });
    for_each([&](double& product, std::size_t i) { product = sums[i]; });
  }
}

Moments Moments::merge(const Moments& a, const Moments& b) {
  const StatisticsLayout& l = *a.layout_;
  if (!(l == *b.layout_)) throw std::logic_error("moments of different layouts cannot be merged");
  Moments out(a.layout_);
  const std::size_t pairs = l.pairs().size();
  for (std::size_t t = 0, end = 0; t < l.times(); t = end) {
    const Shares share(a.counts_[t], b.counts_[t]);
    for (end = t;
         end < l.times() && a.counts_[end] == a.counts_[t] && b.counts_[end] == b.counts_[t]; ++end)
      out.counts_[end] = a.counts_[end] + b.counts_[end];
    const std::size_t first = a.at(t, 0);
    by_fours(a.at(end, 0) - first, [&]<class V, class Index>(std::size_t i) {
      const std::size_t k = first + i;
      const V m_a = load<V>(&a.means_[k]), d = load<V>(&b.means_[k]) - m_a, d2 = d * d;
      const V c_a = load<V>(&a.squares_[k]), c_b = load<V>(&b.squares_[k]);
      const V t_a = load<V>(&a.cubes_[k]), t_b = load<V>(&b.cubes_[k]);
      const V f_a = load<V>(&a.fourths_[k]), f_b = load<V>(&b.fourths_[k]);
      store<V>(&out.means_[k], m_a + d * share.b);
      store<V>(&out.squares_[k], (c_a + c_b) + d * d * share.weight);
      store<V>(&out.cubes_[k], (t_a + t_b) + d2 * share.weight * (share.a - share.b) * d +
                                   3.0 * d * (share.a * c_b - share.b * c_a));
      store<V>(
          &out.fourths_[k],
          (f_a + f_b) +
              d2 * share.weight * (share.a * share.a - share.a * share.b + share.b * share.b) * d2 +
              6.0 * d2 * (share.a * share.a * c_b + share.b * share.b * c_a) +
              4.0 * d * (share.a * t_b - share.b * t_a));
      const V low_a = load<V>(&a.minima_[k]), low_b = load<V>(&b.minima_[k]);
      store_extreme(low_a, low_b, load<Index>(&a.minimum_at_[k]), load<Index>(&b.minimum_at_[k]),
                    low_b < low_a, &out.minima_[k], &out.minimum_at_[k]);
      const V high_a = load<V>(&a.maxima_[k]), high_b = load<V>(&b.maxima_[k]);
      store_extreme(high_a, high_b, load<Index>(&a.maximum_at_[k]), load<Index>(&b.maximum_at_[k]),
                    high_b > high_a, &out.maxima_[k], &out.maximum_at_[k]);
    });
    for (; t < end; ++t)
      for (std::size_t p = 0; p < pairs; ++p) {
        const std::size_t k = t * pairs + p, i = a.at(t, l.pairs()[p].a),
                          j = a.at(t, l.pairs()[p].b);
        out.products_[k] = (a.products_[k] + b.products_[k]) +
                           (b.means_[i] - a.means_[i]) * (b.means_[j] - a.means_[j]) * share.weight;
      }
  }
  return out;
}

double Moments::mean(std::size_t time, std::size_t number) const {
  return counts_[time] == 0 ? nan : means_[at(time, number)];
}

double Moments::per_count_less_one(std::size_t time, double sum) const {
  const std::uint64_t n = counts_[time];
  return n < 2 ? nan : sum / static_cast<double>(n - 1);
}

double Moments::covariance(std::size_t time, std::size_t quantity, std::size_t a,
                           std::size_t b) const {
  if (a == b) return variance(time, layout_->number(quantity) + a);
  return per_count_less_one(
      time, products_[time * layout_->pairs().size() + layout_->pair(quantity, a, b)]);
}

double Moments::variance(std::size_t time, std::size_t number) const {
  return per_count_less_one(time, squares_[at(time, number)]);
}

double Moments::standard_deviation(std::size_t time, std::size_t number) const {
  return std::sqrt(variance(time, number));
}

double Moments::per_count(std::size_t time, double sum) const {
  return counts_[time] == 0 ? nan : sum / static_cast<double>(counts_[time]);
}

double Moments::third_moment(std::size_t time, std::size_t number) const {
  return per_count(time, cubes_[at(time, number)]);
}

double Moments::fourth_moment(std::size_t time, std::size_t number) const {
  return per_count(time, fourths_[at(time, number)]);
}

double Moments::minimum(std::size_t time, std::size_t number) const {
  return counts_[time] == 0 ? nan : minima_[at(time, number)];
}

double Moments::maximum(std::size_t time, std::size_t number) const {
  return counts_[time] == 0 ? nan : maxima_[at(time, number)];
}

std::int64_t Moments::minimum_realization(std::size_t time, std::size_t number) const {
  return minimum_at_[at(time, number)];
}

std::int64_t Moments::maximum_realization(std::size_t time, std::size_t number) const {
  return maximum_at_[at(time, number)];
}

void Moments::write(ByteWriter& out) const {
  out.array(counts_);
  out.array(means_);
  out.array(squares_);
  out.array(cubes_);
  out.array(fourths_);
  out.array(minima_);
  out.array(maxima_);
  out.array(minimum_at_);
  out.array(maximum_at_);
  out.array(products_);
}

Moments Moments::read(ByteReader& in, LayoutPointer layout) {
  const std::size_t row = layout->row();
  Moments m(layout);
  m.counts_ = in.array<std::uint64_t>(layout->times());
  // Who counts at a time counts at all times before it.
  in.require(std::is_sorted(m.counts_.rbegin(), m.counts_.rend()), "has counts that grow in time");
  m.means_ = in.array<double>(row);
  m.squares_ = in.array<double>(row);
  m.cubes_ = in.array<double>(row);
  m.fourths_ = in.array<double>(row);
  m.minima_ = in.array<double>(row);
  m.maxima_ = in.array<double>(row);
  m.minimum_at_ = in.array<std::int64_t>(row);
  m.maximum_at_ = in.array<std::int64_t>(row);
  m.products_ = in.array<double>(layout->times() * layout->pairs().size());
  return m;
}

std::size_t Moments::bytes() const {
  return 8 * (counts_.size() + 8 * means_.size() + products_.size());
}

}  // namespace tumble
