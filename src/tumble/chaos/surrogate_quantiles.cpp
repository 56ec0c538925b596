#include "tumble/chaos/surrogate_quantiles.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <mutex>
#include <thread>

#include "tumble/math/select_ranks.hpp"

namespace tumble {
namespace {

/// Where among sorted values one quantile stands, and between which of them the density of values
/// next to it is taken.
struct QuantilePlaces {
  QuantilePlaces(std::size_t size, double probability) {
    const double place = probability * static_cast<double>(size - 1);
    rank = std::min(static_cast<std::size_t>(place), size - 1);
    next = std::min(rank + 1, size - 1);
    fraction = place - static_cast<double>(rank);
    const std::size_t reach = std::max<std::size_t>(size / 64, 1);
    low = rank < reach ? 0 : rank - reach;
    high = std::min(rank + reach, size - 1);
  }
  double value(std::span<const double> values) const {
    return values[rank] + fraction * (values[next] - values[rank]);
  }
  /// Per unit; not finite if all these values are one.
  double density(std::span<const double> values) const {
    return static_cast<double>(high - low) /
           (static_cast<double>(values.size()) * (values[high] - values[low]));
  }
  std::size_t rank, next, low, high;
  double fraction;
};

}  // namespace

SurrogateQuantiles surrogate_quantiles(const SurrogateSample& sample,
                                       std::span<const double> probabilities, int threads) {
  const std::size_t outputs = sample.expansion().outputs();
  // Bounds the memory of a thread: 4 MiB of values, which a cache may hold.
  const std::size_t at_once =
      std::clamp<std::size_t>((std::size_t{1} << 19) / sample.size(), 1, outputs + 1);
  const auto n = static_cast<double>(sample.size());
  const auto germs = static_cast<double>(sample.expansion().basis().variables());
  const double fraction_error = 2 * std::pow(n, -0.5 - 0.5 / germs);
  SurrogateQuantiles quantiles;
  quantiles.values.resize(outputs * probabilities.size());
  quantiles.sampling_errors.resize(outputs * probabilities.size());
  std::vector<QuantilePlaces> places;
  std::vector<std::size_t> ranks;
  for (const double probability : probabilities) {
    const QuantilePlaces& p = places.emplace_back(sample.size(), probability);
    ranks.insert(ranks.end(), {p.low, p.rank, p.next, p.high});
  }
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      DenseMatrix values;
      while (true) {
        const std::size_t first = next.fetch_add(at_once);
        if (first >= outputs) return;
        if (const std::size_t rows = std::min(at_once, outputs - first); values.rows() != rows)
          values = DenseMatrix(rows, sample.size());
        sample.fill(first, values);
        for (std::size_t o = 0; o < values.rows(); ++o) {
          const std::span<double> row = values.row(o);
          select_ranks(row, ranks);
          for (std::size_t p = 0; p < probabilities.size(); ++p) {
            const double density = places[p].density(row);
            const std::size_t at = (first + o) * probabilities.size() + p;
            const double spread = std::sqrt(probabilities[p] * (1 - probabilities[p]));
            quantiles.values[at] = places[p].value(row);
            quantiles.sampling_errors[at] =
                std::isfinite(density) ? fraction_error * spread / density : 0;
          }
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
  return quantiles;
}

}  // namespace tumble
