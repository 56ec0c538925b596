#include "tumble/study/statistics/moments.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/study/quantiles/double_four.hpp"

namespace tumble {

/// A realisation with its values from some time on, and what it counts for there.
struct Moments::Counted {
  std::int64_t realization;
  const double* values;
  double inverse_n, square, cube, fourth;

  void weigh(double count) {
    inverse_n = 1.0 / count;
    square = (count - 1.0) / count;  // exactly 0 for the first
    cube = square * (count - 2.0) / count;
    fourth = square * ((count * count - 3.0 * count + 3.0) / (count * count));
  }
};

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Counted = Moments::Counted;

/// Times and realisations worked on together: their values and sums fill an L1 cache.
constexpr std::size_t most_times = 16, most_runs = 16;

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
/// What lies `step` apart.
template <class V>
V gather(const double* from, std::size_t step) {
  if constexpr (sizeof(V) == sizeof(double))
    return *from;
  else
    return V{from[0], from[step], from[2 * step], from[3 * step]};
}

/// The sums of one number from some time on.
struct Sums {
  double *mean, *square, *cube, *fourth, *minimum, *maximum;
  std::int64_t *minimum_at, *maximum_at;
};

using Differences = double[most_runs][most_times];

/// One or four times of one number, whose values lie `step` apart: sums stay in registers while
/// they are added.
template <class V, class Index>
void add_times(const Sums& sums, std::size_t i, std::span<const Counted> runs, std::size_t number,
               std::size_t step, Differences& d) {
  V mean = load<V>(sums.mean + i), square = load<V>(sums.square + i), cube = load<V>(sums.cube + i),
    fourth = load<V>(sums.fourth + i), minimum = load<V>(sums.minimum + i),
    maximum = load<V>(sums.maximum + i);
  Index minimum_at = load<Index>(sums.minimum_at + i),
        maximum_at = load<Index>(sums.maximum_at + i);
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Counted& run = runs[r];
    const V value = gather<V>(run.values + i * step + number, step);
    const V difference = value - mean, e = difference * run.inverse_n, d2 = difference * difference;
    mean += e;
    // With the sums of lower powers as they were before this realisation. Weights come first:
    // where they are 0, powers that are no doubles do no harm.
    fourth += d2 * run.fourth * d2 + e * (6.0 * e * square - 4.0 * cube);
    cube += d2 * run.cube * difference - 3.0 * e * square;
    square += d2 * run.square;
    store<V>(d[r] + i, difference);
    const Index here = Index{} + run.realization;
    const auto lower = value<minimum, higher = value> maximum;
    minimum = lower ? value : minimum;
    minimum_at = lower ? here : minimum_at;
    maximum = higher ? value : maximum;
    maximum_at = higher ? here : maximum_at;
  }
  store<V>(sums.mean + i, mean);
  store<V>(sums.square + i, square);
  store<V>(sums.cube + i, cube);
  store<V>(sums.fourth + i, fourth);
  store<V>(sums.minimum + i, minimum);
  store<V>(sums.maximum + i, maximum);
  store<Index>(sums.minimum_at + i, minimum_at);
  store<Index>(sums.maximum_at + i, maximum_at);
}

/// The same for the products of two numbers' differences.
template <class V>
void add_products(double* sum, std::size_t i, std::span<const Counted> runs, const Differences& a,
                  const Differences& b) {
  V total = load<V>(sum + i);
  for (std::size_t r = 0; r < runs.size(); ++r)
    total += load<V>(a[r] + i) * load<V>(b[r] + i) * runs[r].square;
  store<V>(sum + i, total);
}

}  // namespace

Moments::Moments(LayoutPointer layout)
    : layout_(std::move(layout)),
      counts_(layout_->times(), 0),
      means_(layout_->row(), 0.0),
      co_moments_(layout_->times() * layout_->pairs(), 0.0),
      cubes_(layout_->row(), 0.0),
      fourths_(layout_->row(), 0.0),
      minima_(layout_->row(), infinity),
      maxima_(layout_->row(), -infinity),
      minimum_at_(layout_->row(), no_realization),
      maximum_at_(layout_->row(), no_realization) {}

void Moments::add(std::int64_t realization, std::span<const Run> runs, std::size_t stride) {
  const std::size_t step = layout_->numbers() * stride;
  std::vector<Counted> counted(runs.size());
  std::size_t end = 0;
  for (std::size_t t = 0; t < layout_->times(); t = end) {
    // The same realisations count for the same at all times of a round.
    end = std::min(t + most_times, layout_->times());
    counted.clear();
    for (std::size_t r = 0; r < runs.size(); ++r) {
      if (runs[r].valid_times <= t) continue;
      end = std::min(end, runs[r].valid_times);
      counted.push_back(
          {realization + static_cast<std::int64_t>(r), runs[r].values + t * step, 0, 0, 0, 0});
    }
    const std::uint64_t before = counts_[t];
    end = static_cast<std::size_t>(
        std::find_if(counts_.begin() + static_cast<std::ptrdiff_t>(t),
                     counts_.begin() + static_cast<std::ptrdiff_t>(end),
                     [before](std::uint64_t count) { return count != before; }) -
        counts_.begin());
    for (std::size_t r = 0; r < counted.size(); ++r)
      counted[r].weigh(static_cast<double>(before + r + 1));
    for (std::size_t i = t; i < end; ++i) counts_[i] += counted.size();
    for (std::size_t first = 0; first < counted.size(); first += most_runs)
      add_counted(t, end - t,
                  std::span<const Counted>(counted).subspan(
                      first, std::min(most_runs, counted.size() - first)),
                  stride);
  }
}

/// At the times [t, t + times), at which all of them count.
void Moments::add_counted(std::size_t t, std::size_t times, std::span<const Counted> runs,
                          std::size_t stride) {
  const StatisticsLayout& l = *layout_;
  const std::size_t step = l.numbers() * stride;
  Differences d[StatisticsLayout::max_quantity_size];
  for (std::size_t q = 0; q < l.quantities(); ++q) {
    const std::size_t s = l.size(q);
    for (std::size_t a = 0; a < s; ++a) {
      const std::size_t number = l.number(q) + a, k = at(t, number);
      const Sums sums{&means_[k],      &co_moments_[at(t, l.diagonal(number))],
                      &cubes_[k],      &fourths_[k],
                      &minima_[k],     &maxima_[k],
                      &minimum_at_[k], &maximum_at_[k]};
      std::size_t i = 0;
      for (; i + 4 <= times; i += 4)
        add_times<DoubleFour, IndexFour>(sums, i, runs, number * stride, step, d[a]);
      for (; i < times; ++i)
        add_times<double, std::int64_t>(sums, i, runs, number * stride, step, d[a]);
    }
    std::size_t pair = l.pair(q, 0, 0);
    for (std::size_t a = 0; a < s; ++a) {
      ++pair;  // that of a with itself is done
      for (std::size_t b = a + 1; b < s; ++b, ++pair) {
        double* c = &co_moments_[at(t, pair)];
        std::size_t i = 0;
        for (; i + 4 <= times; i += 4) add_products<DoubleFour>(c, i, runs, d[a], d[b]);
        for (; i < times; ++i) add_products<double>(c, i, runs, d[a], d[b]);
      }
    }
  }
}

Moments Moments::merge(const Moments& a, const Moments& b) {
  const StatisticsLayout& l = *a.layout_;
  if (!(l == *b.layout_)) throw std::logic_error("moments of different layouts cannot be merged");
  const std::size_t times = l.times();
  Moments out(a.layout_);
  // Where one side is empty its mean is 0 and the weights are 0 and 1: the other side is kept
  // without a rounding error.
  std::vector<double> share_a(times), share_b(times), weight(times);
  for (std::size_t t = 0; t < times; ++t) {
    out.counts_[t] = a.counts_[t] + b.counts_[t];
    if (out.counts_[t] == 0) continue;
    const auto n_a = static_cast<double>(a.counts_[t]), n_b = static_cast<double>(b.counts_[t]);
    share_a[t] = n_a / (n_a + n_b);
    share_b[t] = n_b / (n_a + n_b);
    weight[t] = n_a * share_b[t];
  }
  std::vector<double> d(StatisticsLayout::max_quantity_size * times);
  for (std::size_t q = 0; q < l.quantities(); ++q) {
    const std::size_t s = l.size(q);
    for (std::size_t c = 0; c < s; ++c) {
      const std::size_t begin = a.at(0, l.number(q) + c);
      double* d_c = &d[c * times];
      for (std::size_t t = 0; t < times; ++t) {
        const std::size_t k = begin + t;
        d_c[t] = b.means_[k] - a.means_[k];
        out.means_[k] = a.means_[k] + d_c[t] * share_b[t];
      }
      const std::size_t squares = a.at(0, l.diagonal(l.number(q) + c));
      for (std::size_t t = 0; t < times; ++t) {
        const std::size_t k = begin + t;
        const double d_t = d_c[t], d2 = d_t * d_t, p_a = share_a[t], p_b = share_b[t];
        const double c_a = a.co_moments_[squares + t], c_b = b.co_moments_[squares + t];
        out.cubes_[k] = (a.cubes_[k] + b.cubes_[k]) + d2 * weight[t] * (p_a - p_b) * d_t +
                        3.0 * d_t * (p_a * c_b - p_b * c_a);
        out.fourths_[k] = (a.fourths_[k] + b.fourths_[k]) +
                          d2 * weight[t] * (p_a * p_a - p_a * p_b + p_b * p_b) * d2 +
                          6.0 * d2 * (p_a * p_a * c_b + p_b * p_b * c_a) +
                          4.0 * d_t * (p_a * b.cubes_[k] - p_b * a.cubes_[k]);
      }
    }
    std::size_t pair = l.pair(q, 0, 0);
    for (std::size_t c = 0; c < s; ++c) {
      for (std::size_t e = c; e < s; ++e, ++pair) {
        const std::size_t begin = a.at(0, pair);
        const double *d_c = &d[c * times], *d_e = &d[e * times];
        for (std::size_t t = 0; t < times; ++t) {
          const std::size_t k = begin + t;
          out.co_moments_[k] = (a.co_moments_[k] + b.co_moments_[k]) + d_c[t] * d_e[t] * weight[t];
        }
      }
    }
  }
  const auto extreme = [](double x_a, double x_b, std::int64_t at_a, std::int64_t at_b,
                          bool b_beyond, double& x, std::int64_t& at) {
    const bool take_b = b_beyond || (x_a == x_b && at_b < at_a);
    x = take_b ? x_b : x_a;
    at = take_b ? at_b : at_a;
  };
  for (std::size_t k = 0; k < l.row(); ++k) {
    extreme(a.minima_[k], b.minima_[k], a.minimum_at_[k], b.minimum_at_[k],
            b.minima_[k] < a.minima_[k], out.minima_[k], out.minimum_at_[k]);
    extreme(a.maxima_[k], b.maxima_[k], a.maximum_at_[k], b.maximum_at_[k],
            b.maxima_[k] > a.maxima_[k], out.maxima_[k], out.maximum_at_[k]);
  }
  return out;
}

double Moments::mean(std::size_t time, std::size_t number) const {
  return counts_[time] == 0 ? nan : means_[at(time, number)];
}

double Moments::co_moment(std::size_t time, std::size_t pair) const {
  const std::uint64_t n = counts_[time];
  return n < 2 ? nan : co_moments_[at(time, pair)] / static_cast<double>(n - 1);
}

double Moments::covariance(std::size_t time, std::size_t quantity, std::size_t a,
                           std::size_t b) const {
  return co_moment(time, layout_->pair(quantity, a, b));
}

double Moments::variance(std::size_t time, std::size_t number) const {
  return co_moment(time, layout_->diagonal(number));
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
  out.array(co_moments_);
  out.array(cubes_);
  out.array(fourths_);
  out.array(minima_);
  out.array(maxima_);
  out.array(minimum_at_);
  out.array(maximum_at_);
}

Moments Moments::read(ByteReader& in, LayoutPointer layout) {
  const std::size_t row = layout->row();
  Moments m(layout);
  m.counts_ = in.array<std::uint64_t>(layout->times());
  // Who counts at a time counts at all times before it.
  in.require(std::is_sorted(m.counts_.rbegin(), m.counts_.rend()), "has counts that grow in time");
  m.means_ = in.array<double>(row);
  m.co_moments_ = in.array<double>(layout->times() * layout->pairs());
  m.cubes_ = in.array<double>(row);
  m.fourths_ = in.array<double>(row);
  m.minima_ = in.array<double>(row);
  m.maxima_ = in.array<double>(row);
  m.minimum_at_ = in.array<std::int64_t>(row);
  m.maximum_at_ = in.array<std::int64_t>(row);
  return m;
}

std::size_t Moments::bytes() const {
  return 8 * (counts_.size() + means_.size() + co_moments_.size() + 6 * minima_.size());
}

}  // namespace tumble
