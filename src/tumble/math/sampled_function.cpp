#include "tumble/math/sampled_function.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tumble {
namespace {

/// The parabola v - c (t - t0)^2 through a sample and its neighbours, c > 0.
struct Top {
  double value, time, curvature;
};

bool smooth_at(const SampledFunction& x, std::size_t i) {
  return i > 0 && i + 1 < x.size() && x.rough[i - 1] == 0 && x.rough[i] == 0;
}

double slope(const SampledFunction& x, std::size_t i) {
  return (x.value[i + 1] - x.value[i]) / (x.time[i + 1] - x.time[i]);
}

/// Half the second derivative of the parabola through a sample and its neighbours, downwards.
double bend(const SampledFunction& x, std::size_t i) {
  return (slope(x, i - 1) - slope(x, i)) / (x.time[i + 1] - x.time[i - 1]);
}

/// Three equal samples in a row, of which this is the first or the last: x is cut off there.
bool flat_beside(const SampledFunction& x, std::size_t i) {
  const auto equal = [&](std::size_t a, std::size_t b) {
    return x.value[a] == x.value[i] && x.value[b] == x.value[i];
  };
  return (i + 2 < x.size() && equal(i + 1, i + 2)) || (i > 1 && equal(i - 1, i - 2));
}

/// Whether x bends much more at a sample than two samples away on either side, or one away where an
/// end or a jump is nearer. A sine has no kinks if it is sampled nine times a period or more often.
bool kink_at(const SampledFunction& x, std::size_t i) {
  constexpr double much = 8;
  if (!smooth_at(x, i) || !smooth_at(x, i - 1) || !smooth_at(x, i + 1)) return false;
  const std::size_t left = i > 1 && smooth_at(x, i - 2) ? i - 2 : i - 1;
  const std::size_t right = smooth_at(x, i + 2) ? i + 2 : i + 1;
  return bend(x, i) > much * std::max(std::abs(bend(x, left)), std::abs(bend(x, right)));
}

/// None unless the sample is inside, not below its neighbours and above one of them, and nothing is
/// rough on either side.
std::optional<Top> top_at(const SampledFunction& x, std::size_t i) {
  if (i == 0 || i + 1 >= x.size() || x.rough[i - 1] != 0 || x.rough[i] != 0) return std::nullopt;
  const double before = x.value[i] - x.value[i - 1], after = x.value[i] - x.value[i + 1];
  if (!(before >= 0 && after >= 0 && before + after > 0) || kink_at(x, i) || flat_beside(x, i))
    return std::nullopt;
  const double h0 = x.time[i] - x.time[i - 1], h1 = x.time[i + 1] - x.time[i];
  // Newton's form about the sample: x_i + b s - c s^2.
  const double slope0 = before / h0, slope1 = -after / h1;
  const double c = (slope0 - slope1) / (h0 + h1);
  const double b = slope0 - c * h0;
  const double s = b / (2 * c);
  return Top{x.value[i] + 0.5 * b * s, x.time[i] + s, c};
}

/// The zero, between t[1] and t[2], of the cubic through four points with y[1] < 0 <= y[2].
double cubic_zero(const std::array<double, 4>& t, const std::array<double, 4>& y) {
  std::array<double, 4> d = y;  // divided differences
  for (std::size_t order = 1; order < 4; ++order)
    for (std::size_t i = 3; i >= order; --i) d[i] = (d[i] - d[i - 1]) / (t[i] - t[i - order]);
  const auto at = [&](double s) {
    return d[0] + (s - t[0]) * (d[1] + (s - t[1]) * (d[2] + (s - t[2]) * d[3]));
  };
  double low = t[1], high = t[2];
  while (true) {  // ends when no number lies between the two
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) return high;
    (at(middle) < 0 ? low : high) = middle;
  }
}

double zero_between(const SampledFunction& x, double level, std::size_t i) {
  const double below = x.value[i] - level, above = x.value[i + 1] - level;
  const bool smooth =
      i > 0 && i + 2 < x.size() && x.rough[i - 1] == 0 && x.rough[i] == 0 && x.rough[i + 1] == 0;
  if (!smooth) return x.time[i] + (x.time[i + 1] - x.time[i]) * (below / (below - above));
  return cubic_zero({x.time[i - 1], x.time[i], x.time[i + 1], x.time[i + 2]},
                    {x.value[i - 1] - level, below, above, x.value[i + 2] - level});
}

template <class F>
double trapezoidal_mean(const SampledFunction& x, const F& f) {
  if (x.size() == 1) return f(x.value[0]);
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i)
    sum += 0.5 * (x.time[i + 1] - x.time[i]) * (f(x.value[i]) + f(x.value[i + 1]));
  return sum / (x.time.back() - x.time.front());
}

}  // namespace

SampledFunction SampledFunction::every_second() const {
  SampledFunction half;
  std::uint8_t rough_since = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) rough_since |= rough[i - 1];
    if (i % 2 != 0 && i + 1 < size()) continue;
    half.time.push_back(time[i]);
    half.value.push_back(value[i]);
    if (half.size() > 1) half.rough.push_back(rough_since);
    rough_since = 0;
  }
  return half;
}

SampledFunction SampledFunction::with_limits(std::span<const double> breaks, int degree) const {
  SampledFunction result;
  if (time.empty()) return result;
  const double rounding = 1e-9 * (std::abs(time.back()) + std::abs(time.front()));
  const auto append = [&result](double at, double x, bool after_jump) {
    if (!result.time.empty()) result.rough.push_back(after_jump ? 1 : 0);
    result.time.push_back(at);
    result.value.push_back(x);
  };
  // From samples 0, 1, 2 of a side, nearest first, as many as there are.
  const auto limit = [this, degree](double at, std::size_t nearest, std::ptrdiff_t away,
                                    std::size_t count) {
    const auto sample = [&](std::ptrdiff_t k) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(nearest) + k * away);
    };
    if (count < 2) return value[nearest];
    const double step = value[nearest] - value[sample(1)];
    if (count > 2 && step * (value[sample(1)] - value[sample(2)]) < 0) return value[nearest];
    const double first = step / (time[nearest] - time[sample(1)]);
    const double line = value[nearest] + first * (at - time[nearest]);
    if (degree < 2 || count < 3) return line;
    const double second =
        (value[sample(1)] - value[sample(2)]) / (time[sample(1)] - time[sample(2)]);
    return line + (first - second) / (time[nearest] - time[sample(2)]) * (at - time[nearest]) *
                      (at - time[sample(1)]);
  };
  std::size_t piece = 0;  // its first sample
  auto next = breaks.begin();
  for (std::size_t i = 0; i < size(); ++i) {
    append(time[i], value[i], false);
    while (next != breaks.end() && *next < time[i] - rounding) ++next;
    if (i + 1 == size() || next == breaks.end() || *next >= time[i + 1] - rounding) continue;
    const double from = std::max(*next, time[i]);
    while (std::next(next) != breaks.end() && *std::next(next) < time[i + 1] - rounding) ++next;
    const double to = std::max(*next, time[i]);
    const auto following = std::next(next);
    if (from > time[i] + rounding) append(from, limit(from, i, -1, i + 1 - piece), false);
    std::size_t end = i + 2;  // of the next piece
    while (end < size() && (following == breaks.end() || time[end] <= *following + rounding)) ++end;
    append(to, limit(to, i + 1, 1, end - i - 1), true);
    piece = i + 1;
  }
  return result;
}

double kink_above(const SampledFunction& x) {
  const auto i =
      static_cast<std::size_t>(std::max_element(x.value.begin(), x.value.end()) - x.value.begin());
  if (!kink_at(x, i)) return 0;
  // Lines y_k + s_k (t - t_k) from i - 1 and i + 1.
  const double s0 = slope(x, i - 2), s1 = slope(x, i + 1);
  if (!(s0 > s1)) return 0;
  const double t =
      (x.value[i + 1] - x.value[i - 1] - s1 * x.time[i + 1] + s0 * x.time[i - 1]) / (s0 - s1);
  return std::max(0.0, x.value[i - 1] + s0 * (t - x.time[i - 1]) - x.value[i]);
}

Extreme highest(const SampledFunction& x) {
  Extreme best{x.value[0], x.time[0]};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x.value[i] > best.value) best = {x.value[i], x.time[i]};
    if (const auto top = top_at(x, i); top && top->value > best.value)
      best = {top->value, top->time};
  }
  return best;
}

std::optional<double> first_rise(const SampledFunction& x, double level) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x.value[i] < level)) continue;
    if (const auto top = top_at(x, i); top && top->value >= level)
      return top->time - std::sqrt((top->value - level) / top->curvature);
    if (i + 1 < x.size() && x.value[i + 1] >= level) return zero_between(x, level, i);
  }
  return std::nullopt;
}

double time_mean(const SampledFunction& x) {
  return trapezoidal_mean(x, [](double v) { return v; });
}

double time_mean_square(const SampledFunction& x) {
  return trapezoidal_mean(x, [](double v) { return v * v; });
}

}  // namespace tumble
