#include "tumble/study/statistics/rank_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tumble {

SampleBatches make_batches(std::size_t values) {
  constexpr std::size_t size = 128, fewest = 8, most = 64;
  SampleBatches batches;
  batches.count = std::clamp(values / size, fewest, most);
  for (std::size_t i = 0; i < values; ++i) batches.of.push_back(i % batches.count);
  return batches;
}

RatioEstimate rank_index(std::span<const double> x, std::span<const double> y,
                         const SampleBatches& batches, double level) {
  const auto n = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double size = 0, squares = 0;
  for (const double each : y) {
    size = std::max(size, std::abs(each));
    squares += (each - mean) * (each - mean);
  }
  const double deviation = std::sqrt(squares / n);
  ControlledRatios ratio(1);
  std::vector<std::vector<std::size_t>> members(batches.count);
  for (std::size_t i = 0; i < y.size(); ++i) members[batches.of[i]].push_back(i);
  std::uint64_t count = 0;
  for (std::vector<std::size_t>& batch : members) {
    if (batch.size() < 2 || !(deviation > 1e-12 * size)) continue;
    std::ranges::stable_sort(batch, {}, [&](std::size_t i) { return x[i]; });
    double products = 0, variances = 0;
    for (std::size_t k = 0; k + 1 < batch.size(); ++k) {
      const double a = (y[batch[k]] - mean) / deviation, b = (y[batch[k + 1]] - mean) / deviation;
      products += a * b;
      variances += (a * a + b * b) / 2;
    }
    ratio.add(0, products, variances, 0);
    ++count;
  }
  // Sums of a batch are nearly normal.
  const double t = count < 4 ? std::numeric_limits<double>::quiet_NaN()
                             : student_quantile(static_cast<double>(count - 1), level);
  return ratio.estimate(0, count, t);
}

}  // namespace tumble
