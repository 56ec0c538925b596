#include "tumble/math/elementary.hpp"

#include <bit>
#include <cstdint>
#include <limits>

namespace tumble::elementary {
namespace {

__extension__ typedef unsigned __int128 Uint128;

/// Binary digits of 2/π, after 64 zeros that stand for the digits before the point.
constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// 64 of those digits from position p on.
std::uint64_t digits(int p) {
  const int word = p / 64, shift = p % 64;
  return shift == 0 ? two_over_pi[word]
                    : two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

}  // namespace

// M. Payne & R. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18 (1983):
// with |x| = m 2^e, those digits of 2/π that contribute only multiples of 4 to m 2^e 2/π are left
// out; of the rest, 192 are enough because no double comes closer than 2^-62 to a multiple of π/2.
ReducedAngle<double> reduce_large_angle(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) return {0.0, x == x ? std::numeric_limits<double>::quiet_NaN() : x, 0.0};
  const std::uint64_t m = (bits & 0xfffffffffffff) | 0x10000000000000;
  const int e = exponent - 1075;

  // The digit of weight 2^-i is at position i + 63; the first one needed has weight 2^(1-e). The
  // product, taken modulo 2^192, is x 2/π modulo 4 in units of 2^-190.
  const int start = e + 62;
  const Uint128 low = Uint128(m) * digits(start + 128);
  const Uint128 middle = Uint128(m) * digits(start + 64) + (low >> 64);
  const std::uint64_t high = m * digits(start) + static_cast<std::uint64_t>(middle >> 64);

  // Nearest multiple of π/2, and the signed rest as 126 digits after the point.
  Uint128 fraction = Uint128(high) << 64 | static_cast<std::uint64_t>(middle);
  int quadrant = static_cast<int>(high >> 62);
  fraction <<= 2;
  const bool negative = fraction >> 127 != 0;
  if (negative) {
    fraction = -fraction;
    quadrant = (quadrant + 1) % 4;
  }
  fraction |= 1;  // x 2/π is never an integer; the bit is far below what counts
  const auto top = static_cast<std::uint64_t>(fraction >> 64);
  const int zeros = top != 0 ? std::countl_zero(top)
                             : 64 + std::countl_zero(static_cast<std::uint64_t>(fraction));
  const auto normal = static_cast<std::uint64_t>(fraction << zeros >> 64);

  // Times π/2 = 0xc90fdaa22168c235 2^-63; 64 digits, of which `high` takes 53.
  const auto rest = static_cast<std::uint64_t>(Uint128(normal) * 0xc90fdaa22168c235 >> 64);
  const double unit = power_of_two(-63 - zeros);
  const double sign = negative == (x < 0) ? 1.0 : -1.0;
  return {x < 0 ? -quadrant + (quadrant == 3 ? 4.0 : 0.0) : quadrant - (quadrant == 3 ? 4.0 : 0.0),
          sign * unit * static_cast<double>(rest & ~std::uint64_t{0x7ff}),
          sign * unit * static_cast<double>(rest & 0x7ff)};
}

}  // namespace tumble::elementary
