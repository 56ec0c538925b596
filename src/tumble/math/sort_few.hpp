// Sorting few values without a decision that a processor could guess wrongly.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace tumble {

/// The most values that sort_few() sorts.
inline constexpr std::size_t most_few = 128;

#ifdef __AVX2__

namespace sort_few_detail {

/// Puts the smaller numbers of each lane into `a`. Of +0 and -0 both survive: of equals either
/// instruction takes its second number.
inline void order(__m256d& a, __m256d& b) {
  const __m256d low = _mm256_min_pd(a, b);
  b = _mm256_max_pd(b, a);
  a = low;
}

/// Batcher's odd-even merge sort of N (D. E. Knuth, The Art of Computer Programming 3, section
/// 5.2.2, algorithm M): which places are compared, one after the other.
template <std::size_t N>
constexpr auto comparisons() {
  struct List {
    std::array<std::pair<std::uint8_t, std::uint8_t>, N * N> pairs{};
    std::size_t size = 0;
  } list;
  for (std::size_t p = 1; p < N; p *= 2)
    for (std::size_t k = p; k > 0; k /= 2)
      for (std::size_t j = k % p; j + k < N; j += 2 * k)
        for (std::size_t i = j; i < j + k && i + k < N; ++i)
          if (i / (2 * p) == (i + k) / (2 * p))
            list.pairs[list.size++] = {static_cast<std::uint8_t>(i),
                                       static_cast<std::uint8_t>(i + k)};
  return list;
}

/// Each of four columns of N.
template <std::size_t N>
void sort_columns(__m256d* rows) {
  constexpr auto list = comparisons<N>();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (order(rows[list.pairs[I].first], rows[list.pairs[I].second]), ...);
  }
  (std::make_index_sequence<list.size>{});
}

/// Four numbers that rise and then fall, or the other way round, in order.
inline __m256d in_order(__m256d x) {
  __m256d other = _mm256_permute2f128_pd(x, x, 1);
  x = _mm256_blend_pd(_mm256_min_pd(x, other), _mm256_max_pd(x, other), 0b1100);
  other = _mm256_permute_pd(x, 0b0101);
  return _mm256_blend_pd(_mm256_min_pd(x, other), _mm256_max_pd(x, other), 0b1010);
}

/// Two ascending runs of N fours each, one after the other, into one (K. E. Batcher's bitonic
/// merge).
template <std::size_t N>
void merge_neighbours(__m256d* fours) {
  for (std::size_t i = 0; i < N / 2; ++i) {
    // The second run backwards makes the whole rise and fall.
    const __m256d front = _mm256_permute4x64_pd(fours[2 * N - 1 - i], 0b00011011);
    const __m256d back = _mm256_permute4x64_pd(fours[N + i], 0b00011011);
    fours[N + i] = front;
    fours[2 * N - 1 - i] = back;
  }
  if constexpr (N == 1) fours[1] = _mm256_permute4x64_pd(fours[1], 0b00011011);
  for (std::size_t apart = N; apart > 0; apart /= 2)
    for (std::size_t first = 0; first < 2 * N; first += 2 * apart)
      for (std::size_t i = first; i < first + apart; ++i) order(fours[i], fours[i + apart]);
  for (std::size_t i = 0; i < 2 * N; ++i) fours[i] = in_order(fours[i]);
}

/// 4 N values.
template <std::size_t N>
void sort_fours(double* values) {
  __m256d rows[N], runs[N];
  for (std::size_t i = 0; i < N; ++i) rows[i] = _mm256_loadu_pd(values + 4 * i);
  sort_columns<N>(rows);
  constexpr std::size_t run = N / 4;  // of a column, in fours
  for (std::size_t i = 0; i < run; ++i) {
    const __m256d a = _mm256_unpacklo_pd(rows[4 * i], rows[4 * i + 1]),
                  b = _mm256_unpackhi_pd(rows[4 * i], rows[4 * i + 1]),
                  c = _mm256_unpacklo_pd(rows[4 * i + 2], rows[4 * i + 3]),
                  d = _mm256_unpackhi_pd(rows[4 * i + 2], rows[4 * i + 3]);
    runs[i] = _mm256_permute2f128_pd(a, c, 0x20);
    runs[run + i] = _mm256_permute2f128_pd(b, d, 0x20);
    runs[2 * run + i] = _mm256_permute2f128_pd(a, c, 0x31);
    runs[3 * run + i] = _mm256_permute2f128_pd(b, d, 0x31);
  }
  merge_neighbours<run>(runs);
  merge_neighbours<run>(runs + 2 * run);
  merge_neighbours<2 * run>(runs);
  for (std::size_t i = 0; i < N; ++i) _mm256_storeu_pd(values + 4 * i, runs[i]);
}

}  // namespace sort_few_detail

/// At most `most_few` values that are no NaN: by a sorting network for 16, 32, 64 or 128 of them.
inline void sort_few(double* values, std::size_t count) {
  alignas(32) std::array<double, most_few> padded;
  const std::size_t size = count <= 16 ? 16 : count <= 32 ? 32 : count <= 64 ? 64 : 128;
  std::copy_n(values, count, padded.begin());
  for (std::size_t i = count; i < size; ++i) padded[i] = std::numeric_limits<double>::infinity();
  switch (size) {
    case 16:
      sort_few_detail::sort_fours<4>(padded.data());
      break;
    case 32:
      sort_few_detail::sort_fours<8>(padded.data());
      break;
    case 64:
      sort_few_detail::sort_fours<16>(padded.data());
      break;
    default:
      sort_few_detail::sort_fours<32>(padded.data());
  }
  std::copy_n(padded.begin(), count, values);
}

#else

/// At most `most_few` values that are no NaN.
inline void sort_few(double* values, std::size_t count) { std::sort(values, values + count); }

#endif

}  // namespace tumble
