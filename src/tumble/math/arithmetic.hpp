// The operations on one double from which everything else is built.
//
// Each of them is exact or correctly rounded, so its bits do not depend on compiler, CPU or
// instruction set. Batch<W> (batch.hpp) has the same names with the same meaning in every lane.
//
// Kernels are compiled for several instruction sets in one program. An inline function that one of
// those copies emits as a symbol could be the one that the linker keeps for all. Three things
// prevent that: built-ins instead of <cmath>, TUMBLE_INLINE, and an inline namespace named after
// the instruction set, which makes everything in it another symbol in every copy.
#pragma once
#ifdef __SSE2__
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__AVX512F__)
#define TUMBLE_INSTRUCTION_SET avx512
#define TUMBLE_NATIVE_LANES 8
#elif defined(__AVX2__) && defined(__FMA__)
#define TUMBLE_INSTRUCTION_SET avx2
#define TUMBLE_NATIVE_LANES 4
#elif defined(__SSE2__)
#define TUMBLE_INSTRUCTION_SET sse2
#define TUMBLE_NATIVE_LANES 2
#elif defined(__aarch64__)
#define TUMBLE_INSTRUCTION_SET neon
#define TUMBLE_NATIVE_LANES 2
#else
#define TUMBLE_INSTRUCTION_SET portable
#define TUMBLE_NATIVE_LANES 1
#endif

// Under a sanitizer every operation becomes so long that inlining all of them takes minutes.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TUMBLE_INLINE inline
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TUMBLE_INLINE inline
#endif
#ifndef TUMBLE_INLINE
#define TUMBLE_INLINE inline __attribute__((always_inline))
#endif

// For the few functions in which a step spends its time: everything they call is inlined, because
// small vectors returned through memory cost more than the arithmetic on them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TUMBLE_FLATTEN
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TUMBLE_FLATTEN
#endif
#endif
#ifndef TUMBLE_FLATTEN
#define TUMBLE_FLATTEN __attribute__((flatten))
#endif

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {

TUMBLE_INLINE double sqrt(double x) {
#ifdef __SSE2__
  // The built-in comes with a call into libm that sets errno for negative numbers.
  const __m128d v = _mm_set_sd(x);
  return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
#elif defined(__aarch64__)
  return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
#else
  return __builtin_sqrt(x);
#endif
}
TUMBLE_INLINE double abs(double x) { return __builtin_fabs(x); }
TUMBLE_INLINE double copysign(double size, double sign) { return __builtin_copysign(size, sign); }
TUMBLE_INLINE double min(double a, double b) { return a < b ? a : b; }
TUMBLE_INLINE double max(double a, double b) { return a > b ? a : b; }

/// a b + c with one rounding: an instruction of every CPU that Tumble is built for. Elsewhere it is
/// a call of the C library: exact, but slow.
TUMBLE_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
/// c - a b with one rounding.
TUMBLE_INLINE double fnma(double a, double b, double c) { return __builtin_fma(-a, b, c); }

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

/// From and to lane_count<S> doubles.
TUMBLE_INLINE void load_lanes(double& x, const double* lanes) { x = *lanes; }
TUMBLE_INLINE void store_lanes(double x, double* lanes) { *lanes = x; }

/// What all lanes of x share, such as the time of a break: the lanes must agree.
TUMBLE_INLINE double first_lane(double x) { return x; }

}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble
