// The smallest batch: shows that kernels hold for a scalar that is not double.
#pragma once
#include <array>

#include "tumble/math/scalar.hpp"

namespace tumble {

struct TwoLanes {
  double a = 0, b = 0;
  TwoLanes() = default;
  explicit TwoLanes(double x) : a(x), b(x) {}
  TwoLanes(double x, double y) : a(x), b(y) {}
};

inline TwoLanes operator+(TwoLanes x, TwoLanes y) { return {x.a + y.a, x.b + y.b}; }
inline TwoLanes operator-(TwoLanes x, TwoLanes y) { return {x.a - y.a, x.b - y.b}; }
inline TwoLanes operator-(TwoLanes x) { return {-x.a, -x.b}; }
inline TwoLanes operator*(TwoLanes x, TwoLanes y) { return {x.a * y.a, x.b * y.b}; }
inline TwoLanes operator/(TwoLanes x, TwoLanes y) { return {x.a / y.a, x.b / y.b}; }
inline std::array<bool, 2> operator<(TwoLanes x, TwoLanes y) { return {x.a < y.a, x.b < y.b}; }
inline std::array<bool, 2> operator>(TwoLanes x, TwoLanes y) { return y < x; }
inline TwoLanes select(const std::array<bool, 2>& mask, TwoLanes x, TwoLanes y) {
  return {mask[0] ? x.a : y.a, mask[1] ? x.b : y.b};
}
inline TwoLanes sqrt(TwoLanes x) { return {sqrt(x.a), sqrt(x.b)}; }
inline TwoLanes exp(TwoLanes x) { return {exp(x.a), exp(x.b)}; }
inline TwoLanes atan2(TwoLanes y, TwoLanes x) { return {atan2(y.a, x.a), atan2(y.b, x.b)}; }
inline TwoLanes copysign(TwoLanes x, TwoLanes y) {
  return {copysign(x.a, y.a), copysign(x.b, y.b)};
}
inline SinCos<TwoLanes> sincos(TwoLanes x) {
  const SinCos<double> a = sincos(x.a), b = sincos(x.b);
  return {{a.sin, b.sin}, {a.cos, b.cos}};
}
inline TwoLanes sin(TwoLanes x) { return {sin(x.a), sin(x.b)}; }
inline TwoLanes cos(TwoLanes x) { return {cos(x.a), cos(x.b)}; }
inline TwoLanes abs(TwoLanes x) { return {abs(x.a), abs(x.b)}; }
inline TwoLanes min(TwoLanes x, TwoLanes y) { return {min(x.a, y.a), min(x.b, y.b)}; }
inline TwoLanes max(TwoLanes x, TwoLanes y) { return {max(x.a, y.a), max(x.b, y.b)}; }
inline TwoLanes fma(TwoLanes x, TwoLanes y, TwoLanes z) {
  return {fma(x.a, y.a, z.a), fma(x.b, y.b, z.b)};
}
inline TwoLanes fnma(TwoLanes x, TwoLanes y, TwoLanes z) { return fma(-x, y, z); }
inline double first_lane(TwoLanes x) { return x.a; }

inline std::array<int, 2> find_interval(const TwoLanes* knots, int n, const TwoLanes& x) {
  std::array<int, 2> i{0, 0};
  while (i[0] + 2 < n && x.a >= knots[i[0] + 1].a) ++i[0];
  while (i[1] + 2 < n && x.b >= knots[i[1] + 1].b) ++i[1];
  return i;
}
inline TwoLanes gather(const TwoLanes* values, const std::array<int, 2>& i) {
  return {values[i[0]].a, values[i[1]].b};
}

}  // namespace tumble
