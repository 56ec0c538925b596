// The root of an increasing function, for set-up code that wants certainty rather than speed.
#pragma once
#include <concepts>

namespace tumble {

/// Halves [low, high] until no double is left between its ends. The caller knows that the function
/// increases and changes its sign in between.
template <std::invocable<double> F>
double root_by_bisection(const F& increasing, double low, double high) {
  for (;;) {
    const double middle = low + 0.5 * (high - low);
    if (middle <= low || middle >= high) return middle;
    const double value = increasing(middle);
    if (value == 0) return middle;
    (value < 0 ? low : high) = middle;
  }
}

}  // namespace tumble
