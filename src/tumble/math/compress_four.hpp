// Bringing some of four doubles to the front, where the processor works on four at a time.
#pragma once
#ifdef __AVX2__
#include <immintrin.h>

#include <array>

namespace tumble {

/// For each set of lanes the order, in halves of lanes, that brings them to the front and the
/// others to the back.
alignas(32) inline constexpr std::array<std::array<int, 8>, 16> lane_orders = [] {
  std::array<std::array<int, 8>, 16> all{};
  for (unsigned set = 0; set < 16; ++set) {
    std::size_t at = 0;
    for (const bool first : {true, false})
      for (int lane = 0; lane < 4; ++lane)
        if (((set >> lane & 1U) != 0) == first) {
          all[set][at++] = 2 * lane;
          all[set][at++] = 2 * lane + 1;
        }
  }
  return all;
}();

/// The lanes of `set`, a bit each, and then the others.
inline __m256d lanes_first(__m256d four, unsigned set) {
  const auto* const order = reinterpret_cast<const __m256i*>(lane_orders[set].data());
  return _mm256_castsi256_pd(
      _mm256_permutevar8x32_epi32(_mm256_castpd_si256(four), _mm256_load_si256(order)));
}

}  // namespace tumble
#endif
