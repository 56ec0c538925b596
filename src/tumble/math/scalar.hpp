// The functions a kernel may apply to its scalar S.
//
// Kernels are templates over S: one double, or one double per lane of a batch. They never call
// <cmath> and never branch on a value of S; they go through these names, so that a batch type
// brings its own overloads and its comparisons may yield a mask instead of a bool.
// Nothing here calls libm, whose bits depend on the CPU; only fma() may, and that one is exact.
#pragma once
#include <algorithm>
#include <cmath>

#include "tumble/math/arithmetic.hpp"
#include "tumble/math/elementary.hpp"

namespace tumble {

TUMBLE_INLINE double sin(double x) { return elementary::sin(x); }
TUMBLE_INLINE double cos(double x) { return elementary::cos(x); }
TUMBLE_INLINE SinCos<double> sincos(double x) { return elementary::sincos(x); }
TUMBLE_INLINE double exp(double x) { return elementary::exp(x); }
TUMBLE_INLINE double atan2(double y, double x) { return elementary::atan2(y, x); }

/// The mask type of S: what comparing two values of S yields.
template <class S>
using Mask = decltype(S{} < S{});

}  // namespace tumble
