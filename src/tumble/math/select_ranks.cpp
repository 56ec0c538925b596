#include "tumble/math/select_ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "tumble/math/compress_four.hpp"
#include "tumble/math/sort_few.hpp"

namespace tumble {
namespace {

enum class First { less, less_or_equal };

template <First F>
bool goes_first(double x, double pivot) {
  return F == First::less ? x < pivot : x <= pivot;
}

#ifdef __AVX2__

/// Moves the values that go before the pivot to the front, and says how many they are. By fours;
/// what goes to the back waits in `aside`, which has room for four more: working from both ends,
/// which needs no such place, is slower than one value at a time because each read waits for all
/// writes before it.
template <First F>
std::size_t partition(double* values, std::size_t count, double pivot, double* aside) {
  const __m256d pivots = _mm256_set1_pd(pivot);
  double *front = values, *back = aside;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m256d four = _mm256_loadu_pd(values + i);
    const __m256d first = F == First::less ? _mm256_cmp_pd(four, pivots, _CMP_LT_OQ)
                                           : _mm256_cmp_pd(four, pivots, _CMP_LE_OQ);
    const auto set = static_cast<unsigned>(_mm256_movemask_pd(first));
    _mm256_storeu_pd(front, lanes_first(four, set));
    _mm256_storeu_pd(back, lanes_first(four, set ^ 15U));
    const auto firsts = std::popcount(set);
    front += firsts;
    back += 4 - firsts;
  }
  for (; i < count; ++i) {
    const double x = values[i];
    *(goes_first<F>(x, pivot) ? front++ : back++) = x;
  }
  std::copy(aside, back, front);
  return static_cast<std::size_t>(front - values);
}

#else

/// Moves the values that go before the pivot to the front, and says how many they are.
template <First F>
std::size_t partition(double* values, std::size_t count, double pivot, double*) {
  std::size_t front = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = values[i];
    values[i] = values[front];
    values[front] = x;
    front += goes_first<F>(x, pivot) ? 1 : 0;
  }
  return front;
}

#endif

/// A value whose rank is probably near `rank`: the one of a sample that has the same share of the
/// sample below it.
double sampled(const double* values, std::size_t count, std::size_t rank) {
  constexpr std::size_t size = 16;
  std::array<double, size> sample;
  for (std::size_t i = 0; i < size; ++i) sample[i] = values[(2 * i + 1) * count / (2 * size)];
  sort_few(sample.data(), size);
  return sample[std::min(size - 1, rank * size / count)];
}

/// All ranks lie in [first, end), and so do the values that belong there.
void select(double* values, std::size_t first, std::size_t end, std::span<const std::size_t> ranks,
            double* aside) {
  // Far more rounds than random values take; values made to mislead the sample end here.
  for (int round = 0; !ranks.empty(); ++round) {
    const std::size_t count = end - first;
    if (count <= most_few) return sort_few(values + first, count);
    if (round == 100) return std::sort(values + first, values + end);
    const double pivot = sampled(values + first, count, ranks[ranks.size() / 2] - first);
    std::size_t split = first + partition<First::less>(values + first, count, pivot, aside);
    if (split == first) {  // nothing is below the pivot: its equals have found their place
      split += partition<First::less_or_equal>(values + first, count, pivot, aside);
      while (!ranks.empty() && ranks.front() < split) ranks = ranks.subspan(1);
    } else {
      const auto after = std::lower_bound(ranks.begin(), ranks.end(), split);
      const auto before = static_cast<std::size_t>(after - ranks.begin());
      select(values, first, split, ranks.first(before), aside);
      ranks = ranks.subspan(before);
    }
    first = split;
  }
}

}  // namespace

void select_ranks(std::span<double> values, std::span<const std::size_t> ranks) {
  thread_local std::vector<double> aside;
  if (aside.size() < values.size() + 4) aside.resize(values.size() + 4);
  select(values.data(), 0, values.size(), ranks, aside.data());
}

}  // namespace tumble
