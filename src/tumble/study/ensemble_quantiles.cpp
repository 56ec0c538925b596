#include "tumble/study/ensemble_quantiles.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tumble/study/workers.hpp"

namespace tumble {

std::vector<double> ensemble_quantiles(const LeafStatistics& statistics, const StoredValues* values,
                                       std::span<const double> probabilities, int threads) {
  const StatisticsLayout& layout = statistics.moments().layout();
  if (values == nullptr && statistics.sketch() == nullptr)
    throw std::logic_error("quantiles need stored values or sketches");
  const std::size_t count = probabilities.size(), numbers = layout.numbers();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return probabilities[a] < probabilities[b]; });
  std::vector<double> ascending;
  for (const std::size_t i : order) ascending.push_back(probabilities[i]);

  std::vector<double> result(layout.times() * numbers * count);
  const auto one_time = [&](std::size_t t) {
    std::vector<double> sorted(numbers * count);
    if (values != nullptr) {
      values->quantiles(t, t + 1, ascending, sorted.data());
    } else {
      for (std::size_t n = 0; n < numbers; ++n)
        statistics.sketch()->quantiles(t, n, ascending, &sorted[n * count]);
    }
    for (std::size_t n = 0; n < numbers; ++n)
      for (std::size_t p = 0; p < count; ++p)
        result[(t * numbers + n) * count + order[p]] = sorted[n * count + p];
  };
  with_workers(threads,
               [&] { oneapi::tbb::parallel_for(std::size_t{0}, layout.times(), one_time); });
  return result;
}

}  // namespace tumble
