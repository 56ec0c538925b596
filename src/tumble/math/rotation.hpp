// The rotation group: unit quaternions, exponential, logarithm and their tangent maps.
//
// Conventions. A rotation R_WB takes components in body axes B to components in world axes W. A
// quaternion q = (w, x, y, z) of unit length stands for the same rotation. Increments are body
// increments: R <- R exp(u), u a rotation vector [rad] in body axes.
//
// Most rotations met here are small: increments of a step, the twist of a bushing. So every series
// has a short form for small angles, which is inlined; the long one, and the closed form for large
// angles, are computed only where a lane needs them. Which form a lane gets depends on its own
// angle alone.
#pragma once
#include "tumble/math/scalar.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble {

template <class S>
struct Quaternion {
  S w{S(1.0)}, x{}, y{}, z{};
  Vec3<S> vector() const { return {x, y, z}; }
};

template <class S>
TUMBLE_INLINE Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {fnma(a.x, b.x, fnma(a.y, b.y, fnma(a.z, b.z, a.w * b.w))),
          fma(a.w, b.x, fma(a.x, b.w, fnma(a.z, b.y, a.y * b.z))),
          fma(a.w, b.y, fma(a.y, b.w, fnma(a.x, b.z, a.z * b.x))),
          fma(a.w, b.z, fma(a.z, b.w, fnma(a.y, b.x, a.x * b.y)))};
}
template <class S>
TUMBLE_INLINE Quaternion<S> conjugate(const Quaternion<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class S>
TUMBLE_INLINE S square(const Quaternion<S>& q) {
  return fma(q.w, q.w, dot(q.vector(), q.vector()));
}
template <class S>
TUMBLE_INLINE Quaternion<S> normalized(const Quaternion<S>& q) {
  const S s = S(1.0) / sqrt(square(q));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// The same for a quaternion that has left unit length by rounding only: 1/√n to first order in
/// n - 1, which is exact there.
template <class S>
TUMBLE_INLINE Quaternion<S> renormalized(const Quaternion<S>& q) {
  const S s = fnma(S(0.5), square(q), S(1.5));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// The rotation matrix of a unit quaternion.
template <class S>
TUMBLE_INLINE Mat3<S> matrix(const Quaternion<S>& q) {
  const S one(1.0), x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const S wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const S xx = fnma(q.x, x2, one), yy = fnma(q.y, y2, one);
  return {{fnma(q.z, z2, yy), fma(q.x, y2, -wz), fma(q.x, z2, wy), fma(q.x, y2, wz),
           fnma(q.z, z2, xx), fma(q.y, z2, -wx), fma(q.x, z2, -wy), fma(q.y, z2, wx),
           fnma(q.y, y2, xx)}};
}

/// Functions of t = θ² that occur in the exponential map, accurate at and near θ = 0.
template <class S>
struct RotationCoefficients {
  S sinc;       ///< sin θ / θ
  S cosc;       ///< (1 - cos θ) / θ²
  S sinc_rest;  ///< (θ - sin θ) / θ³
};

/// Σ (-t)^k first! / (2k + first)!, k < terms.
template <int first, int terms, class S>
TUMBLE_INLINE S alternating_series(const S& t) {
  struct Coefficients {
    double c[terms];
    constexpr Coefficients() : c{} {
      long double term = 1;  // so that each is rounded once
      for (int k = 0; k < terms; ++k) {
        c[k] = static_cast<double>(term);
        term /= -static_cast<long double>(2 * k + first + 1) * (2 * k + first + 2);
      }
    }
  };
  constexpr Coefficients coefficients;
  return elementary::polynomial(coefficients.c, t);
}

/// Below t = 1 Taylor series are used (remainder below 1e-17), above sin and cos.
template <class S>
RotationCoefficients<S> rotation_coefficients(const S& t) {
  const S half(0.5), sixth(1.0 / 6.0);
  RotationCoefficients<S> c{alternating_series<1, 4>(t), half * alternating_series<2, 4>(t),
                            sixth * alternating_series<3, 4>(t)};
  const auto small = t < S(0x1p-10);
  if (all(small)) return c;
  c.sinc = select(small, c.sinc, alternating_series<1, 9>(t));
  c.cosc = select(small, c.cosc, half * alternating_series<2, 9>(t));
  c.sinc_rest = select(small, c.sinc_rest, sixth * alternating_series<3, 9>(t));
  const auto large = t > S(1.0);
  if (any(large)) {
    const S safe = select(large, t, S(1.0));
    const S angle = sqrt(safe);
    const auto both = sincos(angle);
    c.sinc = select(large, both.sin / angle, c.sinc);
    c.cosc = select(large, (S(1.0) - both.cos) / safe, c.cosc);
    c.sinc_rest = select(large, (angle - both.sin) / (safe * angle), c.sinc_rest);
  }
  return c;
}

/// The exponential of angles that are not small: cos and sinc of the half angle, of square t, where
/// t is not below `small`.
template <class S>
[[gnu::noinline]] void exponential_of_large(const S& t, const S& small, S& cosine, S& sinc) {
  const auto keep = t < small;
  cosine = select(keep, cosine, alternating_series<0, 7>(t));
  sinc = select(keep, sinc, alternating_series<1, 7>(t));
  const auto large = t > S(0.0625);
  if (any(large)) {
    const auto c = rotation_coefficients(t);
    cosine = select(large, fnma(t, c.cosc, S(1.0)), cosine);
    sinc = select(large, c.sinc, sinc);
  }
}

/// exp of a rotation vector, as a quaternion. The series are in the square t of the half angle;
/// what they leave out is below 1e-17 (to t³ below 1/2048, 0.04 rad of rotation; to t⁶ below 1/16,
/// half a radian).
template <class S>
TUMBLE_INLINE Quaternion<S> exp_quaternion(const Vec3<S>& u) {
  const S t = S(0.25) * dot(u, u), small(0x1p-11);
  S cosine = alternating_series<0, 4>(t), sinc = alternating_series<1, 4>(t);
  if (!all(t < small)) exponential_of_large(t, small, cosine, sinc);
  const S half_sinc = S(0.5) * sinc;
  return {cosine, half_sinc * u.x, half_sinc * u.y, half_sinc * u.z};
}

/// Right tangent T(u): with R = R0 exp(u), the body rate of R is T(u) du/dt.
/// T(u) = I - (1-cos θ)/θ² ũ + (θ - sin θ)/θ³ ũ²  (Brüls, Cardona & Arnold 2012, Eq. 8).
template <class S>
Mat3<S> right_tangent(const Vec3<S>& u) {
  const auto c = rotation_coefficients(dot(u, u));
  const Mat3<S> k = skew(u);
  Mat3<S> r = c.sinc_rest * (k * k) - c.cosc * k;
  for (int i = 0; i < 3; ++i) r(i, i) = r(i, i) + S(1.0);
  return r;
}

/// 2 asin(x)/x = Σ a_k x^2k.
inline constexpr double arcsine_series[] = {2.0,
                                            1.0 / 3,
                                            3.0 / 20,
                                            5.0 / 56,
                                            35.0 / 576,
                                            63.0 / 1408,
                                            231.0 / 6656,
                                            143.0 / 5120,
                                            6435.0 / 278528,
                                            12155.0 / 622592,
                                            46189.0 / 2752512,
                                            88179.0 / 6029312};

/// θ/|v| of angles that are not small: where s2 = |v|² is not below `small`.
template <class S>
[[gnu::noinline]] S logarithm_of_large(const S& s2, const S& w, const S& small, const S& factor) {
  S result = select(s2 < small, factor, elementary::polynomial(arcsine_series, s2));
  const auto large = s2 > S(0.03);
  if (any(large)) {
    const S length = sqrt(select(large, s2, S(1.0)));
    result = select(large, S(2.0) * atan2(length, w) / length, result);
  }
  return result;
}

/// Rotation vector of a unit quaternion, length in [0, π].
template <class S>
TUMBLE_INLINE Vec3<S> rotation_vector(const Quaternion<S>& q) {
  const S sign = select(q.w < S(0.0), S(-1.0), S(1.0));
  const Vec3<S> v = sign * q.vector();
  // θ/|v| = 2 atan2(|v|, w)/|v|; for small |v| the series of 2 asin(|v|)/|v|.
  constexpr double short_series[] = {arcsine_series[0], arcsine_series[1], arcsine_series[2],
                                     arcsine_series[3], arcsine_series[4]};
  const S s2 = dot(v, v), small(0x1p-11);
  S factor = elementary::polynomial(short_series, s2);
  if (!all(s2 < small)) factor = logarithm_of_large(s2, abs(q.w), small, factor);
  return factor * v;
}

/// Of all rotation vectors of a unit quaternion, which lie 2π apart on a line, the one nearest to
/// `expected`. Where that is the shortest, its bits are those of rotation_vector().
template <class S>
[[gnu::noinline]] Vec3<S> rotation_vector_near(const Quaternion<S>& q, const Vec3<S>& expected) {
  const S turn(6.283185307179586476925286766559), one(1.0), zero(0.0);
  const Vec3<S> shortest = rotation_vector(q);
  const S length = sqrt(dot(shortest, shortest));
  // Whole turns have no axis of their own: there the expected one stands for it.
  const auto whole = length < S(1e-7);
  const S safe = select(whole, one, length);
  const S turns = select(whole, zero, round((dot(shortest, expected) / safe - length) / turn));
  const S factor = select(turns == zero, one, fma(turn, turns, length) / safe);
  Vec3<S> result = factor * shortest;
  if (any(whole)) {
    const S size = sqrt(dot(expected, expected)), count = round(size / turn);
    const auto wound = whole & (count > zero);
    const S along = turn * count / select(wound, size, one);
    for (int k = 0; k < 3; ++k)
      result[k] = select(wound, fma(along, expected[k], shortest[k]), result[k]);
  }
  return result;
}

/// c(θ) = (1 - (θ/2) cot(θ/2)) / θ² and its derivative (dc/dθ)/θ, functions of t = θ². They have
/// poles at whole turns, where the direction of the rotation vector is undetermined; a rotation
/// about a fixed axis passes them, as there is nothing across it for them to multiply. Within 2e-8
/// of a pole they stay what they are there, so that rounding errors across it stay small too.
/// They carry the inverse tangents: T⁻¹(u) = I + ½ ũ + c ũ² (right), I - ½ ũ + c ũ² (left).
template <class S>
struct InverseTangentCoefficients {
  S c;
  S slope;
};

template <class S>
InverseTangentCoefficients<S> inverse_tangent_coefficients(const S& t) {
  // c = Σ |B_2n| t^(n-1) / (2n)!  with the Bernoulli numbers B_2n.
  constexpr double a[] = {1.0 / 12,
                          1.0 / 720,
                          1.0 / 30240,
                          1.0 / 1209600,
                          1.0 / 47900160,
                          5.284190138687493e-10,
                          1.3382536530684679e-11,
                          3.3896802963225827e-13,
                          8.586062056277845e-15,
                          2.174868698558062e-16};
  constexpr double b[] = {2 * a[1],  4 * a[2],  6 * a[3],  8 * a[4], 10 * a[5],
                          12 * a[6], 14 * a[7], 16 * a[8], 18 * a[9]};
  constexpr double first_a[] = {a[0], a[1], a[2], a[3]};
  constexpr double first_b[] = {b[0], b[1], b[2], b[3]};
  S c = elementary::polynomial(first_a, t), slope = elementary::polynomial(first_b, t);
  const auto small = t < S(0x1p-10);
  if (all(small)) return {c, slope};
  c = select(small, c, elementary::polynomial(a, t));
  slope = select(small, slope, elementary::polynomial(b, t));
  const auto large = t > S(1.0);
  if (any(large)) {
    const S safe = select(large, t, S(1.0));
    const S angle = sqrt(safe), half = S(0.5) * angle;
    const auto both = sincos(half);
    const S near(1e-8),
        sine = select(abs(both.sin) < near, select(both.sin < S(0.0), -near, near), both.sin),
        cotangent = both.cos / sine;
    c = select(large, (S(1.0) - half * cotangent) / safe, c);
    const S derivative = S(-2.0) / (safe * angle) + cotangent / (S(2.0) * safe) +
                         S(1.0) / (S(4.0) * angle * sine * sine);
    slope = select(large, derivative / angle, slope);
  }
  return {c, slope};
}

}  // namespace tumble
