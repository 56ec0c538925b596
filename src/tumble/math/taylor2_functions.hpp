// Sums, products and elementary functions of numbers with their time derivatives.
//
// Imposed motions need u, u' and u'' consistently; carrying the three through sums, products and
// elementary functions makes every composite drive exact without deriving anything by hand.
#pragma once
#include "tumble/math/scalar.hpp"
#include "tumble/math/taylor2.hpp"

namespace tumble {

template <class S>
Taylor2<S> operator+(const Taylor2<S>& a, const Taylor2<S>& b) {
  return {a.value + b.value, a.rate + b.rate, a.second + b.second};
}
template <class S>
Taylor2<S> operator-(const Taylor2<S>& a, const Taylor2<S>& b) {
  return {a.value - b.value, a.rate - b.rate, a.second - b.second};
}
template <class S>
Taylor2<S> operator-(const Taylor2<S>& a) {
  return {-a.value, -a.rate, -a.second};
}
template <class S>
Taylor2<S> operator*(const Taylor2<S>& a, const Taylor2<S>& b) {
  return {a.value * b.value, fma(a.rate, b.value, a.value * b.rate),
          fma(a.second, b.value, fma(S(2.0) * a.rate, b.rate, a.value * b.second))};
}
template <class S>
Taylor2<S> operator*(const S& s, const Taylor2<S>& a) {
  return {s * a.value, s * a.rate, s * a.second};
}

/// f(a) by the chain rule, given f, f' and f'' at a.value.
template <class S>
Taylor2<S> chain(const Taylor2<S>& a, const S& f, const S& f1, const S& f2) {
  return {f, f1 * a.rate, fma(f2, a.rate * a.rate, f1 * a.second)};
}
template <class S>
Taylor2<S> sin(const Taylor2<S>& a) {
  const S s = sin(a.value), c = cos(a.value);
  return chain(a, s, c, -s);
}
template <class S>
Taylor2<S> cos(const Taylor2<S>& a) {
  const S s = sin(a.value), c = cos(a.value);
  return chain(a, c, -s, -c);
}

}  // namespace tumble
