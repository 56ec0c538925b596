// A number with its derivative by one parameter: value + slope ε, ε² = 0.
//
// Kernels are templates over their scalar; run on these they give derivatives of whatever they
// compute, by the rules of the product and the chain at each operation and exact but for rounding.
// Comparisons look at values, so that a run takes the branches that it takes without slopes.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {

struct Dual {
  double value = 0, slope = 0;

  Dual() = default;
  Dual(double x) : value(x) {}  // implicit, as with Batch: constants have no slope
  Dual(double x, double d) : value(x), slope(d) {}

  friend Dual operator-(const Dual& a) { return {-a.value, -a.slope}; }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value + b.value, a.slope + b.slope};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value - b.value, a.slope - b.slope};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value / b.value;
    return {quotient, (a.slope - quotient * b.slope) / b.value};
  }
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }

  friend Dual select(bool mask, const Dual& if_true, const Dual& if_false) {
    return mask ? if_true : if_false;
  }
  friend Dual min(const Dual& a, const Dual& b) { return a < b ? a : b; }
  friend Dual max(const Dual& a, const Dual& b) { return a > b ? a : b; }
  friend Dual fma(const Dual& a, const Dual& b, const Dual& c) {
    return {tumble::fma(a.value, b.value, c.value),
            tumble::fma(a.slope, b.value, tumble::fma(a.value, b.slope, c.slope))};
  }
  friend Dual fnma(const Dual& a, const Dual& b, const Dual& c) { return fma(-a, b, c); }
};

/// f(x) by the chain rule, given f and f' at x.value.
inline Dual chain(const Dual& x, double f, double f1) { return {f, f1 * x.slope}; }

/// Where a root or an angle has no derivative, at zero, kernels take another branch: what is given
/// up there must not be infinite.
inline Dual sqrt(const Dual& x) {
  const double root = sqrt(x.value);
  return chain(x, root, root > 0 ? 0.5 / root : 0.0);
}
inline Dual abs(const Dual& x) { return x.value < 0 ? -x : x; }
inline Dual copysign(const Dual& size, const Dual& sign) {
  const double value = copysign(size.value, sign.value);
  return {value, (value < 0) == (size.value < 0) ? size.slope : -size.slope};
}
inline Dual round(const Dual& x) { return round(x.value); }
inline Dual sin(const Dual& x) {
  const SinCos<double> at = sincos(x.value);
  return chain(x, at.sin, at.cos);
}
inline Dual cos(const Dual& x) {
  const SinCos<double> at = sincos(x.value);
  return chain(x, at.cos, -at.sin);
}
inline SinCos<Dual> sincos(const Dual& x) {
  const SinCos<double> at = sincos(x.value);
  return {chain(x, at.sin, at.cos), chain(x, at.cos, -at.sin)};
}
inline Dual exp(const Dual& x) {
  const double value = exp(x.value);
  return chain(x, value, value);
}
inline Dual atan2(const Dual& y, const Dual& x) {
  const double square = x.value * x.value + y.value * y.value;
  return {atan2(y.value, x.value),
          square > 0 ? (x.value * y.slope - y.value * x.slope) / square : 0.0};
}
inline double first_lane(const Dual& x) { return x.value; }
/// The interval of values, as find_interval() of cubic_spline.hpp finds it.
inline int find_interval(const Dual* knots, int n, const Dual& x) {
  int low = 0, high = n > 1 ? n - 1 : 1;
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (x >= knots[middle] ? low : high) = middle;
  }
  return low;
}

}  // namespace tumble
