// The operations on one double from which everything else is built.
//
// Each of them is exact or correctly rounded, so its bits do not depend on compiler, CPU or
// instruction set. Batch<W> (batch.hpp) has the same names with the same meaning in every lane.
// Built-ins instead of <cmath>: the headers of kernels are compiled for several instruction sets in
// one program, and a standard inline function emitted out of line by one of those copies could be
// the one that the linker keeps for all. TUMBLE_INLINE keeps our own functions from that fate.
#pragma once
#ifdef __SSE2__
#include <immintrin.h>
#endif

/// Inlined in every build, unoptimised ones too: such a function never becomes a symbol.
#define TUMBLE_INLINE inline __attribute__((always_inline))

namespace tumble {

TUMBLE_INLINE double sqrt(double x) {
#ifdef __SSE2__
  // The built-in comes with a call into libm that sets errno for negative numbers.
  const __m128d v = _mm_set_sd(x);
  return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
#else
  return __builtin_sqrt(x);
#endif
}
TUMBLE_INLINE double abs(double x) { return __builtin_fabs(x); }
TUMBLE_INLINE double copysign(double size, double sign) {
  return __builtin_copysign(size, sign);
}
TUMBLE_INLINE double min(double a, double b) { return a < b ? a : b; }
TUMBLE_INLINE double max(double a, double b) { return a > b ? a : b; }

/// a b + c with one rounding. Without -mfma this is a call of the C library: exact, but slow.
TUMBLE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

TUMBLE_INLINE double select(bool mask, double if_true, double if_false) {
  return mask ? if_true : if_false;
}
TUMBLE_INLINE bool any(bool mask) { return mask; }
TUMBLE_INLINE bool all(bool mask) { return mask; }
TUMBLE_INLINE bool none(bool mask) { return !mask; }

/// To the nearest integer, ties to even, keeping the sign of zero. Adding 2^52 pushes the fraction
/// out of the significand; from there on every number is an integer.
template <class S>
TUMBLE_INLINE S round_to_even(const S& x) {
  const S size = abs(x), shift(0x1p52);
  return copysign(select(size < shift, (size + shift) - shift, size), x);
}
TUMBLE_INLINE double round(double x) { return round_to_even(x); }

/// 2^n for an integer n in [-1022, 1023]: n + 1023 is moved into the exponent field.
TUMBLE_INLINE double power_of_two(double n) {
  const auto bits = __builtin_bit_cast(unsigned long long, n + (0x1p52 + 1023.0));
  return __builtin_bit_cast(double, bits << 52);
}

/// How many realisations one value of S carries.
template <class S>
inline constexpr int lane_count = 1;

TUMBLE_INLINE double get_lane(double x, int) { return x; }
TUMBLE_INLINE void set_lane(double& x, int, double value) { x = value; }

/// What all lanes of x share, such as the time of a break: the lanes must agree.
TUMBLE_INLINE double first_lane(double x) { return x; }

}  // namespace tumble
