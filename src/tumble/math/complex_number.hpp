// A complex number as the scalar of a factorisation (static_lu.hpp).
//
// std::complex follows Annex G of the C standard, which asks after infinities at every product; and
// it has no order, while a factorisation compares sizes of pivots. Here a comparison is one of real
// parts, and abs() is real: |x| + |y|, within √2 of the modulus.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {

struct ComplexNumber {
  double re = 0, im = 0;
  constexpr ComplexNumber() = default;
  constexpr explicit ComplexNumber(double x, double y = 0) : re(x), im(y) {}
};

TUMBLE_INLINE ComplexNumber operator+(ComplexNumber a, ComplexNumber b) {
  return ComplexNumber(a.re + b.re, a.im + b.im);
}
TUMBLE_INLINE ComplexNumber operator-(ComplexNumber a, ComplexNumber b) {
  return ComplexNumber(a.re - b.re, a.im - b.im);
}
TUMBLE_INLINE ComplexNumber operator*(ComplexNumber a, ComplexNumber b) {
  return ComplexNumber(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
TUMBLE_INLINE ComplexNumber operator*(double a, ComplexNumber b) {
  return ComplexNumber(a * b.re, a * b.im);
}
/// By |b|²: entries of matrices are far from where that overflows.
TUMBLE_INLINE ComplexNumber operator/(ComplexNumber a, ComplexNumber b) {
  const double scale = 1 / (b.re * b.re + b.im * b.im);
  return ComplexNumber((a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale);
}
TUMBLE_INLINE bool operator<(ComplexNumber a, ComplexNumber b) { return a.re < b.re; }
TUMBLE_INLINE bool operator<=(ComplexNumber a, ComplexNumber b) { return a.re <= b.re; }
TUMBLE_INLINE bool operator>=(ComplexNumber a, ComplexNumber b) { return a.re >= b.re; }
TUMBLE_INLINE ComplexNumber abs(ComplexNumber a) { return ComplexNumber(abs(a.re) + abs(a.im)); }
TUMBLE_INLINE ComplexNumber select(bool which, ComplexNumber a, ComplexNumber b) {
  return which ? a : b;
}
/// c - a b
TUMBLE_INLINE ComplexNumber fnma(ComplexNumber a, ComplexNumber b, ComplexNumber c) {
  return c - a * b;
}

}  // namespace TUMBLE_INSTRUCTION_SET
}  // namespace tumble
