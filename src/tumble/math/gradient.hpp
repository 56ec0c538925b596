// A number with its derivatives by n others, over any scalar S: forward differentiation inside a
// kernel.
//
// A kernel that is written over its number type once gives force and tangent; both go through the
// same operations, so that lanes keep the bits of single runs. Comparisons look at values.
#pragma once
#include <type_traits>

#include "tumble/math/power.hpp"
#include "tumble/math/vec3.hpp"

namespace tumble {

template <class S, int n>
struct Gradient {
  S value{};
  S slope[n]{};

  Gradient() = default;
  Gradient(const S& x) : value(x) {}  // implicit: constants have no slopes

  /// f(x) by the chain rule, given f and f' at x.value.
  static Gradient chain(const Gradient& x, const S& f, const S& f1) {
    Gradient r;
    r.value = f;
    for (int i = 0; i < n; ++i) r.slope[i] = f1 * x.slope[i];
    return r;
  }

  friend Gradient operator-(const Gradient& a) {
    Gradient r;
    r.value = -a.value;
    for (int i = 0; i < n; ++i) r.slope[i] = -a.slope[i];
    return r;
  }
  friend Gradient operator+(const Gradient& a, const Gradient& b) {
    Gradient r;
    r.value = a.value + b.value;
    for (int i = 0; i < n; ++i) r.slope[i] = a.slope[i] + b.slope[i];
    return r;
  }
  friend Gradient operator-(const Gradient& a, const Gradient& b) {
    Gradient r;
    r.value = a.value - b.value;
    for (int i = 0; i < n; ++i) r.slope[i] = a.slope[i] - b.slope[i];
    return r;
  }
  friend Gradient operator*(const Gradient& a, const Gradient& b) {
    Gradient r;
    r.value = a.value * b.value;
    for (int i = 0; i < n; ++i) r.slope[i] = fma(a.slope[i], b.value, a.value * b.slope[i]);
    return r;
  }
  friend Gradient operator/(const Gradient& a, const Gradient& b) {
    Gradient r;
    r.value = a.value / b.value;
    const S inverse = S(1.0) / b.value;
    for (int i = 0; i < n; ++i) r.slope[i] = inverse * fnma(r.value, b.slope[i], a.slope[i]);
    return r;
  }
  friend Gradient fma(const Gradient& a, const Gradient& b, const Gradient& c) {
    Gradient r;
    r.value = fma(a.value, b.value, c.value);
    for (int i = 0; i < n; ++i)
      r.slope[i] = fma(a.slope[i], b.value, fma(a.value, b.slope[i], c.slope[i]));
    return r;
  }
  friend Gradient fnma(const Gradient& a, const Gradient& b, const Gradient& c) {
    Gradient r;
    r.value = fnma(a.value, b.value, c.value);
    for (int i = 0; i < n; ++i)
      r.slope[i] = fnma(a.slope[i], b.value, fnma(a.value, b.slope[i], c.slope[i]));
    return r;
  }
  friend auto operator<(const Gradient& a, const Gradient& b) { return a.value < b.value; }
  friend auto operator>(const Gradient& a, const Gradient& b) { return a.value > b.value; }

  template <class M>
  friend Gradient select(const M& mask, const Gradient& if_true, const Gradient& if_false) {
    Gradient r;
    r.value = select(mask, if_true.value, if_false.value);
    for (int i = 0; i < n; ++i) r.slope[i] = select(mask, if_true.slope[i], if_false.slope[i]);
    return r;
  }
  /// At zero kernels take another branch: what is given up there must not be infinite.
  friend Gradient sqrt(const Gradient& x) {
    const S root = sqrt(x.value);
    const auto some = root > S(0.0);
    return chain(x, root, select(some, S(0.5) / select(some, root, S(1.0)), S(0.0)));
  }
  friend Gradient exp(const Gradient& x) {
    const S value = exp(x.value);
    return chain(x, value, value);
  }
  /// The exponent is a constant.
  friend Gradient power(const Gradient& x, const Gradient& y) {
    const S value = power(x.value, y.value);
    const auto some = value > S(0.0);
    return chain(x, value, select(some, y.value * value / select(some, x.value, S(1.0)), S(0.0)));
  }
};

/// What select() and comparisons look at.
template <class S>
const S& value_of(const S& x) {
  return x;
}
template <class S, int n>
const S& value_of(const Gradient<S, n>& x) {
  return x.value;
}
template <class T>
auto value_of(const Vec3<T>& v) {
  using S = std::remove_cvref_t<decltype(value_of(v.x))>;
  return Vec3<S>{value_of(v.x), value_of(v.y), value_of(v.z)};
}

}  // namespace tumble
