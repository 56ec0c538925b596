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

/// None unless the sample is inside, not below its neighbours and above one of them, and nothing is
/// rough on either side.
std::optional<Top> top_at(const SampledFunction& x, std::size_t i) {
  if (i == 0 || i + 1 >= x.size() || x.rough[i - 1] != 0 || x.rough[i] != 0) return std::nullopt;
  const double before = x.value[i] - x.value[i - 1], after = x.value[i] - x.value[i + 1];
  if (!(before >= 0 && after >= 0 && before + after > 0)) return std::nullopt;
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
