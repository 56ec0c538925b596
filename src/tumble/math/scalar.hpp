// The functions a kernel may apply to its scalar S.
//
// Kernels are templates over S: one double, or one double per lane of a batch. They never call
// <cmath> and never branch on a value of S; they go through these names, so that a batch type
// brings its own overloads and its comparisons may yield a mask instead of a bool.
#pragma once
#include <algorithm>
#include <cmath>

namespace tumble {

inline double sqrt(double x) { return std::sqrt(x); }
inline double sin(double x) { return std::sin(x); }
inline double cos(double x) { return std::cos(x); }
inline double exp(double x) { return std::exp(x); }
inline double atan2(double y, double x) { return std::atan2(y, x); }
inline double abs(double x) { return std::fabs(x); }
inline double min(double a, double b) { return a < b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline double round(double x) { return std::nearbyint(x); }

/// The mask type of S: what comparing two values of S yields.
template <class S>
using Mask = decltype(S{} < S{});

inline double select(bool mask, double if_true, double if_false) {
  return mask ? if_true : if_false;
}
inline bool any(bool mask) { return mask; }
inline bool all(bool mask) { return mask; }

/// What all lanes of x share, such as the time of a break: the lanes must agree.
inline double first_lane(double x) { return x; }

}  // namespace tumble
