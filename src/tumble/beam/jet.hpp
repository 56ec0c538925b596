// Numbers that carry first derivatives with respect to N variables: exact tangents of kernels whose
// second derivatives nobody wants to write down. S may itself be a Jet, or a batch of lanes.
#pragma once
#include "tumble/math/scalar.hpp"

namespace tumble::beam {

/// 1/√a of a plain scalar.
template <class S>
TUMBLE_INLINE S inverse_sqrt(const S& a) {
  return S(1.0) / sqrt(a);
}

template <class S, int N>
struct Jet {
  S value{};
  S d[N]{};

  TUMBLE_INLINE Jet() = default;
  TUMBLE_INLINE Jet(double x) : value(x) {}  // implicit, so that 2.0 * x can be written
  TUMBLE_INLINE static Jet constant(const S& x) {
    Jet out;
    out.value = x;
    return out;
  }

  friend Jet operator+(const Jet& a, const Jet& b) {
    Jet out;
    out.value = a.value + b.value;
    for (int i = 0; i < N; ++i) out.d[i] = a.d[i] + b.d[i];
    return out;
  }
  friend Jet operator-(const Jet& a, const Jet& b) {
    Jet out;
    out.value = a.value - b.value;
    for (int i = 0; i < N; ++i) out.d[i] = a.d[i] - b.d[i];
    return out;
  }
  friend Jet operator-(const Jet& a) {
    Jet out;
    out.value = -a.value;
    for (int i = 0; i < N; ++i) out.d[i] = -a.d[i];
    return out;
  }
  friend Jet operator*(const Jet& a, const Jet& b) {
    Jet out;
    out.value = a.value * b.value;
    for (int i = 0; i < N; ++i) out.d[i] = a.value * b.d[i] + a.d[i] * b.value;
    return out;
  }
  /// 1/√a, with the derivative -½ a^(-3/2).
  friend Jet inverse_sqrt(const Jet& a) {
    Jet out;
    out.value = inverse_sqrt(a.value);
    const S slope = S(-0.5) * (out.value * out.value * out.value);
    for (int i = 0; i < N; ++i) out.d[i] = slope * a.d[i];
    return out;
  }
};

}  // namespace tumble::beam
