// Vectors and matrices of three, over any scalar S.
//
// Written by hand instead of taken from Eigen because the kernels that use them are compiled
// several times for different instruction sets: an inline Eigen function emitted in one of those
// copies could be the one the linker keeps for all (see ARCHITECTURE.md, "Why our own Vec3").
#pragma once
#include <array>
#include <cstddef>

#include "tumble/math/arithmetic.hpp"

namespace tumble {

template <class S>
struct Vec3 {
  S x{}, y{}, z{};

  TUMBLE_INLINE S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
  TUMBLE_INLINE const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
  TUMBLE_INLINE Vec3& operator+=(const Vec3& o) {
    x = x + o.x, y = y + o.y, z = z + o.z;
    return *this;
  }
  TUMBLE_INLINE Vec3& operator-=(const Vec3& o) {
    x = x - o.x, y = y - o.y, z = z - o.z;
    return *this;
  }
};

template <class S>
TUMBLE_INLINE Vec3<S> operator+(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class S>
TUMBLE_INLINE Vec3<S> operator-(const Vec3<S>& a, const Vec3<S>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class S>
TUMBLE_INLINE Vec3<S> operator-(const Vec3<S>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class S>
TUMBLE_INLINE Vec3<S> operator*(const S& s, const Vec3<S>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
/// a1 b1 + a2 b2 + a3 b3: what all products of this file consist of. Fused, so it is shorter and
/// mostly closer than three products and two sums; but it does not vanish exactly where products
/// of equal size should cancel.
template <class S>
TUMBLE_INLINE S sum_of_products(const S& a1, const S& b1, const S& a2, const S& b2, const S& a3,
                                const S& b3) {
  return fma(a1, b1, fma(a2, b2, a3 * b3));
}
template <class S>
TUMBLE_INLINE S dot(const Vec3<S>& a, const Vec3<S>& b) {
  return sum_of_products(a.x, b.x, a.y, b.y, a.z, b.z);
}
template <class S>
TUMBLE_INLINE Vec3<S> cross(const Vec3<S>& a, const Vec3<S>& b) {
  return {fnma(a.z, b.y, a.y * b.z), fnma(a.x, b.z, a.z * b.x), fnma(a.y, b.x, a.x * b.y)};
}
template <class S>
TUMBLE_INLINE S norm(const Vec3<S>& a) {
  return sqrt(dot(a, a));
}
/// max(|x|, |y|, |z|).
template <class S>
TUMBLE_INLINE S largest_entry(const Vec3<S>& a) {
  return max(abs(a.x), max(abs(a.y), abs(a.z)));
}

/// A 3 x 3 matrix, stored by rows.
template <class S>
struct Mat3 {
  S m[9]{};

  TUMBLE_INLINE S& operator()(int i, int j) { return m[3 * i + j]; }
  TUMBLE_INLINE const S& operator()(int i, int j) const { return m[3 * i + j]; }
  TUMBLE_INLINE Vec3<S> column(int j) const { return {m[j], m[3 + j], m[6 + j]}; }
  TUMBLE_INLINE Vec3<S> row(int i) const { return {m[3 * i], m[3 * i + 1], m[3 * i + 2]}; }

  TUMBLE_INLINE static Mat3 identity() {
    Mat3 r;
    r.m[0] = r.m[4] = r.m[8] = S(1.0);
    return r;
  }
  TUMBLE_INLINE static Mat3 from_columns(const Vec3<S>& a, const Vec3<S>& b, const Vec3<S>& c) {
    return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
  }
  TUMBLE_INLINE Mat3& operator+=(const Mat3& o) {
    for (int i = 0; i < 9; ++i) m[i] = m[i] + o.m[i];
    return *this;
  }
  TUMBLE_INLINE Mat3& operator-=(const Mat3& o) {
    for (int i = 0; i < 9; ++i) m[i] = m[i] - o.m[i];
    return *this;
  }
};

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

template <class S>
TUMBLE_INLINE Mat3<S> operator+(Mat3<S> a, const Mat3<S>& b) {
  return a += b;
}
template <class S>
TUMBLE_INLINE Mat3<S> operator-(Mat3<S> a, const Mat3<S>& b) {
  return a -= b;
}
template <class S>
TUMBLE_INLINE Mat3<S> operator-(const Mat3<S>& a) {
  Mat3<S> r;
  for (int i = 0; i < 9; ++i) r.m[i] = -a.m[i];
  return r;
}
template <class S>
TUMBLE_INLINE Mat3<S> operator*(const S& s, const Mat3<S>& a) {
  Mat3<S> r;
  for (int i = 0; i < 9; ++i) r.m[i] = s * a.m[i];
  return r;
}
template <class S>
TUMBLE_INLINE Vec3<S> operator*(const Mat3<S>& a, const Vec3<S>& v) {
  return {sum_of_products(a.m[0], v.x, a.m[1], v.y, a.m[2], v.z),
          sum_of_products(a.m[3], v.x, a.m[4], v.y, a.m[5], v.z),
          sum_of_products(a.m[6], v.x, a.m[7], v.y, a.m[8], v.z)};
}
template <class S>
TUMBLE_INLINE Mat3<S> operator*(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r(i, j) = sum_of_products(a(i, 0), b(0, j), a(i, 1), b(1, j), a(i, 2), b(2, j));
  return r;
}
template <class S>
TUMBLE_INLINE Mat3<S> transpose(const Mat3<S>& a) {
  return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}
/// Aᵀ v without forming the transpose.
template <class S>
TUMBLE_INLINE Vec3<S> transpose_times(const Mat3<S>& a, const Vec3<S>& v) {
  return {sum_of_products(a.m[0], v.x, a.m[3], v.y, a.m[6], v.z),
          sum_of_products(a.m[1], v.x, a.m[4], v.y, a.m[7], v.z),
          sum_of_products(a.m[2], v.x, a.m[5], v.y, a.m[8], v.z)};
}
/// Aᵀ B without forming the transpose.
template <class S>
TUMBLE_INLINE Mat3<S> transpose_times(const Mat3<S>& a, const Mat3<S>& b) {
  Mat3<S> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      r(i, j) = sum_of_products(a(0, i), b(0, j), a(1, i), b(1, j), a(2, i), b(2, j));
  return r;
}
/// The matrix of the cross product: skew(a) b = a x b.
template <class S>
TUMBLE_INLINE Mat3<S> skew(const Vec3<S>& a) {
  return {{S(0.0), -a.z, a.y, a.z, S(0.0), -a.x, -a.y, a.x, S(0.0)}};
}
/// The dyad a bᵀ.
template <class S>
TUMBLE_INLINE Mat3<S> outer(const Vec3<S>& a, const Vec3<S>& b) {
  return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y,
           a.z * b.z}};
}
/// Reads three consecutive scalars.
template <class S>
TUMBLE_INLINE Vec3<S> load3(const S* p) {
  return {p[0], p[1], p[2]};
}
/// Writes three consecutive scalars.
template <class S>
TUMBLE_INLINE void store3(S* p, const Vec3<S>& v) {
  p[0] = v.x, p[1] = v.y, p[2] = v.z;
}
/// Adds to three consecutive scalars.
template <class S>
TUMBLE_INLINE void add3(S* p, const Vec3<S>& v) {
  p[0] = p[0] + v.x, p[1] = p[1] + v.y, p[2] = p[2] + v.z;
}
/// Reads nine consecutive scalars as a matrix stored by rows.
template <class S>
TUMBLE_INLINE Mat3<S> load9(const S* p) {
  Mat3<S> r;
  for (int i = 0; i < 9; ++i) r.m[i] = p[i];
  return r;
}

}  // namespace tumble
