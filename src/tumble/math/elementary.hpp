// sin, cos, exp and atan2 over any scalar S, with the same bits for a double and for every lane of
// every Batch<W>.
//
// They consist of + - * /, fma, comparisons, select and the exact operations of arithmetic.hpp, in
// an order that is written down here, so the bits follow from IEEE 754 alone (the build turns
// contraction off, see cmake/CompilerFlags.cmake). fma makes the reductions of the argument exact
// with whole doubles as constants; what is left of rounding errors there is carried along.
//
// Largest errors seen in 10^7 random arguments, in units in the last place: sin and cos 0.81 (up to
// 1e9 rad; beyond 2^20 the reduction is another one, good for every finite angle), exp 0.84, atan2
// 1.50. elementary_test.cpp holds them to 0.85, 0.9 (1.5 for subnormal results) and 1.6.
//
// The polynomials interpolate at Chebyshev points (with the roots at 0 that their leading factors
// bring) and were computed with 400 bits; their own error is below 2^-56 relative.
#pragma once
#include "tumble/math/arithmetic.hpp"

namespace tumble {

/// For |x| > 2^20, inf and NaN: x = quadrant π/2 + (high + low) as below; returns the quadrant. In
/// integers, good to 2^-62 of the result for every double.
double reduce_large_angle(double x, double& high, double& low);

inline namespace TUMBLE_INSTRUCTION_SET {

template <class S>
struct SinCos {
  S sin, cos;
};

namespace elementary {

/// x = quadrant π/2 + (high + low), |high| <= π/4, quadrant an integer in [-2, 2].
template <class S>
struct ReducedAngle {
  S quadrant, high, low;
};

/// Up to here the multiple of π/2 has at most 20 bits.
constexpr double largest_fast_angle = 0x1p20;

/// Σ c_k x^k, even and odd powers apart: two chains of half the length.
template <class S, int n>
TUMBLE_INLINE S polynomial(const double (&c)[n], const S& x) {
  const S square = x * x;
  S first(c[n - 1]), second(c[n - 2]);
  int k = n - 3;
  for (; k >= 1; k -= 2) {
    first = fma(first, square, S(c[k]));
    second = fma(second, square, S(c[k - 1]));
  }
  return k == 0 ? fma(second, x, fma(first, square, S(c[0]))) : fma(first, x, second);
}

/// a - b as a rounded difference and its rounding error (Knuth, The Art of Computer Programming 2,
/// 4.2.2, Theorem B).
template <class S>
struct Pair {
  S high, low;
};
template <class S>
TUMBLE_INLINE Pair<S> exact_difference(const S& a, const S& b) {
  const S high = a - b, part = high - a;
  return {high, (a - (high - part)) - (b + part)};
}

/// To the nearest integer, |x| < 2^51. Shorter than round(), loses the sign of zero.
template <class S>
TUMBLE_INLINE S round_small(const S& x) {
  const S shift(0x1.8p52);
  return (x + shift) - shift;
}

/// Replaces the lanes of `angle` whose x is too large, one by one and through memory: they are
/// rare.
template <class S>
TUMBLE_INLINE void reduce_large_lanes(const S& x, ReducedAngle<S>& angle) {
  constexpr int width = lane_count<S>;
  double values[width], quadrant[width], high[width], low[width];
  store_lanes(x, values);
  store_lanes(angle.quadrant, quadrant), store_lanes(angle.high, high), store_lanes(angle.low, low);
  for (int i = 0; i < width; ++i) {
    if (abs(values[i]) <= largest_fast_angle) continue;
    quadrant[i] = reduce_large_angle(values[i], high[i], low[i]);
  }
  load_lanes(angle.quadrant, quadrant), load_lanes(angle.high, high), load_lanes(angle.low, low);
}

template <class S>
TUMBLE_INLINE ReducedAngle<S> reduce_angle(const S& x) {
  // π/2 = c0 + c1 + c2, doubles. The first difference is exact: below 1, and a multiple of 2^-53
  // because c0 and any x with n != 0 are. The second is so as a pair, with the rounding error of
  // the product.
  const S n = round_small(x * S(0x1.45f306dc9c883p-1));  // 2/π
  const S c1(0x1.1a62633145c07p-54), product = n * c1;
  const Pair<S> most = exact_difference(fnma(n, S(0x1.921fb54442d18p+0), x), product);
  const S product_error = fma(n, c1, -product);
  const S rest = fma(n, S(0x1.f1976b7ed8fbcp-110), most.low - product_error);  // c2 is negative
  ReducedAngle<S> angle;
  angle.high = most.high + rest;
  angle.low = (most.high - angle.high) + rest;
  angle.quadrant = n - S(4.0) * round_small(S(0.25) * n);
  const auto fast = abs(x) <= S(largest_fast_angle);  // false for NaN
  if (!all(fast)) reduce_large_lanes(x, angle);
  return angle;
}

/// sin(high + low) for |high| <= π/4: high + high³ P(high²) + low cos(high).
template <class S>
TUMBLE_INLINE S sin_reduced(const S& high, const S& low) {
  constexpr double p[] = {-0x1.5555555555549p-3, 0x1.111111110f877p-7,   -0x1.a01a019c11285p-13,
                          0x1.71de35775aa1ap-19, -0x1.ae5e65f69cb37p-26, 0x1.5d92ee4ed54dfp-33};
  const S z = high * high;
  return high + fma(high * z, polynomial(p, z), low * fnma(S(0.5), z, S(1.0)));
}

/// cos(high + low): 1 - high²/2 + high⁴ P(high²) - low sin(high), the first difference kept whole.
template <class S>
TUMBLE_INLINE S cos_reduced(const S& high, const S& low) {
  constexpr double p[] = {0x1.5555555555552p-5,   -0x1.6c16c16c15fc7p-10, 0x1.a01a019e1526ep-16,
                          -0x1.27e4f90803912p-22, 0x1.1eea963240b9cp-29,  -0x1.90055bad49129p-37};
  const S z = high * high, half = S(0.5) * z, one(1.0), most = one - half;
  return most + (((one - most) - half) + fma(z * z, polynomial(p, z), -(high * low)));
}

template <class S>
TUMBLE_INLINE SinCos<S> sincos(const S& x) {
  const ReducedAngle<S> r = reduce_angle(x);
  const S sine = sin_reduced(r.high, r.low), cosine = cos_reduced(r.high, r.low);
  const S q = r.quadrant;
  const auto odd = abs(q) == S(1.0);
  const S s = select(odd, cosine, sine), c = select(odd, sine, cosine);
  SinCos<S> result;
  result.sin = select((q < S(0.0)) | (q > S(1.5)), -s, s);
  result.cos = select((q > S(0.5)) | (q < S(-1.5)), -c, c);
  // Here x is the nearest double to its sine; also keeps the sign of zero.
  result.sin = select(abs(x) < S(0x1p-27), x, result.sin);
  return result;
}
template <class S>
TUMBLE_INLINE S sin(const S& x) {
  return sincos(x).sin;
}
template <class S>
TUMBLE_INLINE S cos(const S& x) {
  return sincos(x).cos;
}

/// e^x = 2^n e^r, x = n ln 2 + r. Overflows to inf, underflows gradually to 0.
template <class S>
TUMBLE_INLINE S exp(const S& x) {
  // r + r²/2 + r³ P(r)
  constexpr double p[] = {0x1.555555555555dp-3,  0x1.5555555555558p-5,  0x1.111111110e4fep-7,
                          0x1.6c16c16c152e9p-10, 0x1.a01a01b5d7813p-13, 0x1.a01a01ac85a00p-16,
                          0x1.71ddeb1e547c8p-19, 0x1.27e4ce35a85f7p-22, 0x1.af738d0ad1912p-26,
                          0x1.1f8883fbea158p-29};
  // Beyond these bounds nothing changes any more; NaN passes both.
  const S below = select(x > S(710.0), S(710.0), x);
  const S held = select(below < S(-746.0), S(-746.0), below);
  const S n = round_small(held * S(0x1.71547652b82fep+0));  // 1 / ln 2
  // ln 2 in two doubles. The first difference is exact: below 1/2, and a multiple of 2^-54.
  const S most = fnma(n, S(0x1.62e42fefa39efp-1), held), ln2_low(0x1.abc9e3b39803fp-56);
  const S r = fnma(n, ln2_low, most), low = fnma(n, ln2_low, most - r), square = r * r;
  const S e = S(1.0) + (r + fma(square, fma(r, polynomial(p, r), S(0.5)), low));
  // In two factors, because 2^n alone need not be a double; only the second product can round.
  const S half = round_small(S(0.5) * n);
  return e * power_of_two(half) * power_of_two(n - half);
}

/// The angle of the point (x, y) in [-π, π], with the signs of zeros as in IEEE 754: the cut is
/// along the negative x axis, y = +0 above and y = -0 below.
template <class S>
TUMBLE_INLINE S atan2(const S& y, const S& x) {
  const S zero(0.0), one(1.0), infinity(__builtin_inf());
  const S size_x = abs(x), size_y = abs(y);
  const auto steep = size_y > size_x;
  S a = select(steep, size_y, size_x), b = select(steep, size_x, size_y);  // b/a in [0, 1]
  const auto infinite = a == infinity;
  b = select(infinite, select(b == infinity, one, zero), b);
  a = select(infinite | (a == zero), one, a);
  const S scale = select(a > S(0x1p1000), S(0x1p-100), one);  // so that 2 a + b does not overflow
  a = a * scale, b = b * scale;

  // atan(b/a) = atan(c) + atan(t), t = (b - c a)/(a + c b), with c = 0, 1/2 or 1: |t| < 7/16. Where
  // c is not 0, t is small beside the result and so are its errors.
  const auto middle = b > S(0.4375) * a, upper = b > S(0.6875) * a;
  const S numerator = select(upper, b - a, select(middle, S(2.0) * b - a, b));
  const S denominator = select(upper, a + b, select(middle, S(2.0) * a + b, a));
  const S base =
      select(upper, S(0x1.921fb54442d18p-1), select(middle, S(0x1.dac670561bb4fp-2), zero));
  const S base_low =
      select(upper, S(0x1.1a62633145c07p-55), select(middle, S(0x1.a2b7f222f65e2p-56), zero));
  constexpr double p[] = {-0x1.5555555555507p-2, 0x1.999999998e0c5p-3,  -0x1.2492491fcc235p-3,
                          0x1.c71c6fcdc8b7ep-4,  -0x1.745cda5641eb4p-4, 0x1.3b0f0c15aab94p-4,
                          -0x1.10d5382b50e24p-4, 0x1.ddd3aa94f1dcbp-5,  -0x1.977907f47cf6ep-5,
                          0x1.2abfc6475a642p-5,  -0x1.09d5d4ae84d5bp-6};
  const S t = numerator / denominator, z = t * t;
  S angle = base + (t + fma(t * z, polynomial(p, z), base_low));

  angle = select(steep, S(0x1.921fb54442d18p+0) - (angle - S(0x1.1a62633145c07p-54)), angle);
  const auto left = copysign(one, x) < zero;
  angle = select(left, S(0x1.921fb54442d18p+1) - (angle - S(0x1.1a62633145c07p-53)), angle);
  return select((x != x) | (y != y), x + y, copysign(angle, y));
}

}  // namespace elementary
}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble
