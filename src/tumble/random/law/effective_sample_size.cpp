#include "tumble/random/law/effective_sample_size.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace tumble {
namespace {

/// (1/n) sum_i d_i d_{i+lag}, with d the deviations from the mean.
double autocovariance(std::span<const double> values, double mean, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = 0; i + lag < values.size(); ++i)
    sum += (values[i] - mean) * (values[i + lag] - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace

// For a reversible chain the sums of two neighbours, Gamma_k = g_2k + g_2k+1 of the autocovariances
// g, are positive and decrease with k. They are added up to the first that is not positive, each
// capped by the one before; 1 + 2 sum of correlations = (2 sum_k Gamma_k - g_0) / g_0.
double effective_sample_size(std::span<const double> values) {
  const auto n = static_cast<double>(values.size());
  if (values.empty()) return 0.0;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  const double variance = autocovariance(values, mean, 0);
  if (!(variance > 0)) return n;
  double sum = 0, previous = 2.0 * variance;
  for (std::size_t lag = 0; lag + 1 < values.size(); lag += 2) {
    const double pair = autocovariance(values, mean, lag) + autocovariance(values, mean, lag + 1);
    if (!(pair > 0)) break;
    previous = std::min(previous, pair);
    sum += previous;
  }
  return std::min(n, n * variance / std::max(2.0 * sum - variance, variance / n));
}

}  // namespace tumble
