// x^y for x >= 0 and y > 0 over any scalar S, with the same bits for a double and in every lane.
//
// y log x is kept as a rounded product and its error, so that exp() loses nothing:
//   x = 2^k m, m in [√½, √2),   log m = 2 atanh s,  s = (m - 1)/(m + 1),
// the series of atanh up to s^21, whose rest is below 2^-57. Below the smallest normal number the
// result is 0. power_test.cpp holds the error to 3.5 units in the last place.
#pragma once
#include "tumble/math/dual.hpp"
#include "tumble/math/scalar.hpp"

namespace tumble {
inline namespace TUMBLE_INSTRUCTION_SET {
namespace elementary {

/// log x as high + low, for normal x > 0.
template <class S>
TUMBLE_INLINE Pair<S> log_of_normal(const S& x) {
  constexpr int width = lane_count<S>;
  double lanes[width], exponents[width];
  store_lanes(x, lanes);
  for (int i = 0; i < width; ++i) {
    const auto bits = __builtin_bit_cast(unsigned long long, lanes[i]);
    const auto fraction = bits & 0xfffffffffffffull;
    const bool upper = fraction > 0x6a09e667f3bccull;  // m > √2: half of it
    exponents[i] = static_cast<double>(static_cast<int>(bits >> 52) - 1023 + (upper ? 1 : 0));
    lanes[i] = __builtin_bit_cast(double, fraction | (upper ? 0x3feull << 52 : 0x3ffull << 52));
  }
  S m, k;
  load_lanes(m, lanes), load_lanes(k, exponents);
  constexpr double p[] = {2.0 / 3,  2.0 / 5,  2.0 / 7,  2.0 / 9,  2.0 / 11,
                          2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21};
  const S s = (m - S(1.0)) / (m + S(1.0)), z = s * s;
  const S small = fma(s * z, polynomial(p, z), S(2.0) * s);
  // ln 2 in two parts; the first has 41 bits, so its product with k is exact.
  const S most = k * S(0x1.62e42fefa3p-1);
  const S high = most + small;
  const S low = ((most - high) + small) + k * S(0x1.3dep-42 + 0x1.abc9e3b39803fp-56);
  return {high, low};
}

template <class S>
TUMBLE_INLINE S power(const S& x, const S& y) {
  const auto normal = x >= S(0x1p-1022);
  const Pair<S> log = log_of_normal(select(normal, x, S(1.0)));
  const S product = y * log.high, rest = fma(y, log.high, -product) + y * log.low;
  const S most = exp(product);
  return select(normal, fma(most, rest, most), select(x == x, S(0.0), x));
}

}  // namespace elementary

template <class S>
TUMBLE_INLINE S power(const S& x, const S& y) {
  return elementary::power(x, y);
}

}  // namespace TUMBLE_INSTRUCTION_SET

inline Dual power(const Dual& x, const Dual& y) {
  const double value = elementary::power(x.value, y.value);
  if (!(value > 0)) return value;
  const auto log = elementary::log_of_normal(x.value);
  return {value, value * (y.slope * (log.high + log.low) + y.value * x.slope / x.value)};
}

}  // namespace tumble
