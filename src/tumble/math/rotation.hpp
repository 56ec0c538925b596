// The rotation group: unit quaternions, exponential, logarithm and their tangent maps.
//
// Conventions. A rotation R_WB takes components in body axes B to components in world axes W. A
// quaternion q = (w, x, y, z) of unit length stands for the same rotation. Increments are body
// increments: R <- R exp(u), u a rotation vector [rad] in body axes.
#pragma once
#include "tumble/math/vec3.hpp"

namespace tumble {

template <class S>
struct Quaternion {
  S w{S(1.0)}, x{}, y{}, z{};
  Vec3<S> vector() const { return {x, y, z}; }
};

template <class S>
Quaternion<S> operator*(const Quaternion<S>& a, const Quaternion<S>& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class S>
Quaternion<S> conjugate(const Quaternion<S>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class S>
Quaternion<S> normalized(const Quaternion<S>& q) {
  const S s = S(1.0) / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// The same for a quaternion that has left unit length by rounding only: 1/√n to first order in
/// n - 1, which is exact there.
template <class S>
Quaternion<S> renormalized(const Quaternion<S>& q) {
  const S s = S(1.5) - S(0.5) * (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

/// The rotation matrix of a unit quaternion.
template <class S>
Mat3<S> matrix(const Quaternion<S>& q) {
  const S two(2.0), one(1.0);
  const S xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const S xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const S wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy), two * (xy + wz),
           one - two * (xx + zz), two * (yz - wx), two * (xz - wy), two * (yz + wx),
           one - two * (xx + yy)}};
}

/// Functions of t = θ² that occur in the exponential map, accurate at and near θ = 0.
/// Below t = 1 their Taylor series are used (remainder below 1e-17), above sin and cos.
template <class S>
struct RotationCoefficients {
  S sinc;       ///< sin θ / θ
  S cosc;       ///< (1 - cos θ) / θ²
  S sinc_rest;  ///< (θ - sin θ) / θ³
};

template <class S>
RotationCoefficients<S> rotation_coefficients(const S& t) {
  // Horner form of Σ (-t)^k / (2k+1)!, Σ (-t)^k / (2k+2)!, Σ (-t)^k / (2k+3)!.
  const auto series = [&t](int first) {
    S sum(1.0);
    for (int k = 8; k >= 1; --k) {
      const double d = double(2 * k + first) * double(2 * k + first - 1);
      sum = S(1.0) - t * (sum * S(1.0 / d));
    }
    return sum;
  };
  RotationCoefficients<S> c{series(1), S(0.5) * series(2), S(1.0 / 6.0) * series(3)};
  const auto large = t > S(1.0);
  if (any(large)) {
    const S safe = select(large, t, S(1.0));
    const S angle = sqrt(safe), s = sin(angle);
    c.sinc = select(large, s / angle, c.sinc);
    c.cosc = select(large, (S(1.0) - cos(angle)) / safe, c.cosc);
    c.sinc_rest = select(large, (angle - s) / (safe * angle), c.sinc_rest);
  }
  return c;
}

/// exp of a rotation vector, as a quaternion. One is computed per body and iteration, so the series
/// in the square t of the half angle is cut where a step never goes: terms up to t⁶ leave less
/// than 1e-16 below t = 1/16, half a radian of rotation.
template <class S>
Quaternion<S> exp_quaternion(const Vec3<S>& u) {
  const S t = S(0.25) * dot(u, u);
  S cosine(1.0), sinc(1.0);
  for (int k = 6; k >= 1; --k) {
    cosine = S(1.0) - t * (cosine * S(1.0 / (2.0 * k * (2.0 * k - 1.0))));
    sinc = S(1.0) - t * (sinc * S(1.0 / (2.0 * k * (2.0 * k + 1.0))));
  }
  const auto large = t > S(0.0625);
  if (any(large)) {
    const auto c = rotation_coefficients(t);
    cosine = select(large, S(1.0) - t * c.cosc, cosine);
    sinc = select(large, c.sinc, sinc);
  }
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

/// Rotation vector of a unit quaternion, length in [0, π].
template <class S>
Vec3<S> rotation_vector(const Quaternion<S>& q) {
  const S sign = select(q.w < S(0.0), S(-1.0), S(1.0));
  const S w = sign * q.w;
  const Vec3<S> v = sign * q.vector();
  const S s2 = dot(v, v);
  // θ/|v| = 2 atan2(|v|, w)/|v|; for small |v| the series of 2 asin(|v|)/|v|.
  S sum(1.0);
  for (int k = 11; k >= 1; --k) {
    // asin(x)/x = Σ a_k x^2k with a_k / a_{k-1} = (2k-1)² / (2k (2k+1)).
    const double ratio = double(2 * k - 1) * (2 * k - 1) / (double(2 * k) * (2 * k + 1));
    sum = S(1.0) + s2 * (sum * S(ratio));
  }
  S factor = S(2.0) * sum;
  const auto large = s2 > S(0.03);
  if (any(large)) {
    const S length = sqrt(select(large, s2, S(1.0)));
    factor = select(large, S(2.0) * atan2(length, w) / length, factor);
  }
  return factor * v;
}

/// c(θ) = (1 - (θ/2) cot(θ/2)) / θ² and its derivative (dc/dθ)/θ, functions of t = θ² < (2π)².
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
  S c(a[9]), slope(9 * a[9]);
  for (int k = 8; k >= 0; --k) c = S(a[k]) + t * c;
  for (int k = 8; k >= 1; --k) slope = S(k * a[k]) + t * slope;
  slope = S(2.0) * slope;
  const auto large = t > S(1.0);
  if (any(large)) {
    const S safe = select(large, t, S(1.0));
    const S angle = sqrt(safe), half = S(0.5) * angle;
    const S sine = sin(half), cotangent = cos(half) / sine;
    c = select(large, (S(1.0) - half * cotangent) / safe, c);
    const S derivative = S(-2.0) / (safe * angle) + cotangent / (S(2.0) * safe) +
                         S(1.0) / (S(4.0) * angle * sine * sine);
    slope = select(large, derivative / angle, slope);
  }
  return {c, slope};
}

}  // namespace tumble
