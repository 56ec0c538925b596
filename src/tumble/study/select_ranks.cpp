#include "tumble/study/select_ranks.hpp"

#include <algorithm>
#include <array>

namespace tumble {
namespace {

/// Moves the values for which `goes_first` holds to the front, and says how many they are.
template <class F>
std::size_t partition(double* values, std::size_t count, F goes_first) {
  std::size_t front = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = values[i];
    values[i] = values[front];
    values[front] = x;
    front += goes_first(x) ? 1 : 0;
  }
  return front;
}

/// A value whose rank is probably near `rank`: the one of a sample that has the same share of the
/// sample below it.
double sampled(const double* values, std::size_t count, std::size_t rank) {
  constexpr std::size_t size = 15;
  std::array<double, size> sample;
  for (std::size_t i = 0; i < size; ++i) sample[i] = values[(2 * i + 1) * count / (2 * size)];
  std::sort(sample.begin(), sample.end());
  return sample[std::min(size - 1, rank * size / count)];
}

/// All ranks lie in [first, end), and so do the values that belong there.
void select(double* values, std::size_t first, std::size_t end,
            std::span<const std::size_t> ranks) {
  constexpr std::size_t few = 24;
  // Far more rounds than random values take; values made to mislead the sample end here.
  for (int round = 0; !ranks.empty(); ++round) {
    const std::size_t count = end - first;
    if (count <= few || round == 100) {
      std::sort(values + first, values + end);
      return;
    }
    const double pivot = sampled(values + first, count, ranks[ranks.size() / 2] - first);
    std::size_t split =
        first + partition(values + first, count, [pivot](double x) { return x < pivot; });
    if (split == first) {  // nothing is below the pivot: its equals have found their place
      split += partition(values + first, count, [pivot](double x) { return x <= pivot; });
      while (!ranks.empty() && ranks.front() < split) ranks = ranks.subspan(1);
    } else {
      const auto after = std::lower_bound(ranks.begin(), ranks.end(), split);
      const auto before = static_cast<std::size_t>(after - ranks.begin());
      select(values, first, split, ranks.first(before));
      ranks = ranks.subspan(before);
    }
    first = split;
  }
}

}  // namespace

void select_ranks(std::span<double> values, std::span<const std::size_t> ranks) {
  select(values.data(), 0, values.size(), ranks);
}

}  // namespace tumble
