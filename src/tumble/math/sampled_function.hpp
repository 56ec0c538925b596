// What samples of a function of time say about it between them: extremes, crossings, means.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace tumble {

/// Samples x(t) at increasing times; entries of `rough` are 1 for intervals [i, i + 1] in which x
/// may jump or have a kink: no polynomial is laid over those.
struct SampledFunction {
  std::vector<double> time, value;
  std::vector<std::uint8_t> rough;  ///< one less than samples

  std::size_t size() const { return time.size(); }
  /// Samples 0, 2, 4, ... and the last one: what half as many would have said.
  SampledFunction every_second() const;
};

struct Extreme {
  double value, time;
};

/// The largest value and the first time it is taken: of all samples, and of the tops of parabolas
/// through each sample that is not below its neighbours. With samples a distance h apart a smooth
/// peak is found up to terms of third order in h, where the largest sample alone is wrong by second
/// order.
Extreme highest(const SampledFunction& x);

/// When x gets from below `level` to it for the first time; none if it does not. Between samples on
/// either side of the level by the cubic through the two samples before and the two behind, or the
/// straight line where that would reach over an end or a rough interval: up to terms of fourth and
/// second order in their distance. Where samples stay below but the top of a parabola, as above,
/// does not, by that parabola: so x crosses whatever is not above its highest().
std::optional<double> first_rise(const SampledFunction& x, double level);

/// Over time, by the trapezoidal rule; of a single sample its value.
double time_mean(const SampledFunction& x);
/// The same of x^2.
double time_mean_square(const SampledFunction& x);

}  // namespace tumble
