// What samples of a function of time say about it between them: extremes, crossings, means.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
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
  /// The same with both limits at each of `breaks`, ascending, where x may jump; samples at a break
  /// are its left limits. A limit that was not sampled is where the straight line through the two
  /// nearest samples of its side leads, or, with degree 2, the parabola through three; or, where
  /// the third turns the other way, the nearest sample. Between the limits lies a rough interval of
  /// no length, or, where several breaks follow each other without a sample, from the first of them
  /// to the last.
  SampledFunction with_limits(std::span<const double> breaks, int degree = 1) const;
};

struct Extreme {
  double value, time;
};

/// The largest value and the first time it is taken: of all samples, and of the tops of parabolas
/// through each sample that is not below its neighbours. With samples a distance h apart a smooth
/// peak is found up to terms of third order in h, where the largest sample alone is wrong by second
/// order. No parabola is laid where x seems to have a kink: where it bends much more than two
/// samples away on either side, or where it is cut off.
Extreme highest(const SampledFunction& x);

/// By how much a kink at the largest sample may top it: where the straight lines from either side
/// meet. Zero where there is none.
double kink_above(const SampledFunction& x);

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
