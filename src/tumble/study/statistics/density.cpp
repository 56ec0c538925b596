#include "tumble/study/statistics/density.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "tumble/study/quantiles/quantile_rule.hpp"
#include "tumble/study/statistics/copy_moments.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Beyond so many bandwidths a kernel is below 2^-53 of its largest value.
constexpr double reach = 8.6;

/// Sums over the kernels of one copy, or of all.
struct KernelSums {
  double first = 0, square = 0;
};

}  // namespace

double silverman_bandwidth(std::span<const double> ascending) {
  if (ascending.size() < 2) return nan;
  const auto n = static_cast<double>(ascending.size());
  const double mean = std::accumulate(ascending.begin(), ascending.end(), 0.0) / n;
  double squares = 0;
  for (const double x : ascending) squares += (x - mean) * (x - mean);
  const auto quartile = [&](double p) {
    const QuantilePosition at(ascending.size(), p);
    return at.interpolate(ascending[at.lower], ascending[at.upper]);
  };
  if (ascending.front() == ascending.back()) return 0;
  const double s = std::sqrt(squares / (n - 1)), range = (quartile(0.75) - quartile(0.25)) / 1.34;
  return 0.9 * (range > 0 ? std::min(s, range) : s) * std::pow(n, -0.2);
}

KernelDensity kernel_density(std::span<const double> values,
                             std::span<const std::uint64_t> realizations,
                             const DensityOptions& options) {
  const std::size_t points = options.points, n = values.size();
  const std::uint64_t copies = options.sampling.in_copies() ? options.sampling.randomizations : 1;
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ascending;
  for (const std::size_t i : order) ascending.push_back(values[i]);

  KernelDensity result;
  result.bandwidth = options.bandwidth_factor * silverman_bandwidth(ascending);
  for (auto* curve : {&result.at, &result.density, &result.error}) curve->assign(points, nan);
  const double h = result.bandwidth;
  if (!(h > 0)) return result;

  std::vector<std::uint64_t> counts(copies);
  for (const std::uint64_t realization : realizations) ++counts[realization % copies];
  const double low = ascending.front() - 4 * h, high = ascending.back() + 4 * h;
  const double norm = 1 / (h * std::sqrt(2 * std::numbers::pi));
  std::vector<KernelSums> sums(copies);
  for (std::size_t k = 0; k < points; ++k) {
    const double x =
        low + (high - low) * (static_cast<double>(k) / static_cast<double>(points - 1));
    std::fill(sums.begin(), sums.end(), KernelSums{});
    const auto first = std::lower_bound(ascending.begin(), ascending.end(), x - reach * h);
    const auto end = std::upper_bound(first, ascending.end(), x + reach * h);
    for (auto i = first; i != end; ++i) {
      const double z = (x - *i) / h, kernel = norm * std::exp(-0.5 * z * z);
      const std::size_t value = order[static_cast<std::size_t>(i - ascending.begin())];
      KernelSums& sum = sums[copies == 1 ? 0 : realizations[value] % copies];
      sum.first += kernel;
      sum.square += kernel * kernel;
    }
    KernelSums all;
    std::vector<double> of_copies;
    for (std::size_t c = 0; c < copies; ++c) {
      all.first += sums[c].first;
      all.square += sums[c].square;
      of_copies.push_back(counts[c] == 0 ? 0 : sums[c].first / static_cast<double>(counts[c]));
    }
    const auto count = static_cast<double>(n);
    const double f = all.first / count;
    result.at[k] = x;
    result.density[k] = f;
    // Kernels far away are 0, so nothing cancels where the density is small.
    const double variance = std::max(0.0, all.square / count - f * f) * (count / (count - 1));
    if (!options.sampling.has_errors()) continue;
    result.error[k] = options.sampling.in_copies()
                          ? error_from_copies(of_copies, counts)
                          : std::sqrt(variance / options.sampling.worth(n));
  }
  return result;
}

std::vector<std::vector<KernelDensity>> ensemble_densities(const StoredValues& values,
                                                           std::span<const std::size_t> times,
                                                           const DensityOptions& options) {
  std::vector<std::vector<KernelDensity>> result(times.size());
  const auto one_time = [&](std::size_t i) {
    values.for_each_column(times[i], times[i] + 1, [&](const StoredValues::Column& column) {
      result[i].push_back(kernel_density(column.values, column.realizations, options));
    });
  };
  with_workers(options.threads,
               [&] { oneapi::tbb::parallel_for(std::size_t{0}, times.size(), one_time); });
  return result;
}

}  // namespace tumble
