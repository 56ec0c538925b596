#include "tumble/chaos/surrogate_quantiles.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

namespace tumble {
namespace {

/// Finds order statistics of many values without sorting them: a sorted part of them tells between
/// which two numbers a quantile must lie, and only what lies there is looked at closely.
class QuantileFinder {
 public:
  explicit QuantileFinder(std::size_t size) : part_(std::min<std::size_t>(size, 512)) {
    between_.resize(size);
  }

  struct Quantile {
    double value, density;  ///< density: of the values next to it, per unit; NaN if they are one
  };

  void take(std::span<const double> values) {
    values_ = values;
    // The first points of a Sobol' sequence fill the space as all of them do.
    std::copy_n(values.begin(), part_.size(), part_.begin());
    std::ranges::sort(part_);
  }

  Quantile find(double probability) {
    const auto n = static_cast<double>(values_.size()), m = static_cast<double>(part_.size());
    const double place = probability * (n - 1);
    const auto rank = std::min(static_cast<std::size_t>(place), values_.size() - 1);
    const double margin = 3 + 1.5 * std::sqrt(m * probability * (1 - probability));
    const double first = probability * m - margin, last = probability * m + margin;
    double low = first < 0 ? -infinity : part_[static_cast<std::size_t>(first)];
    double high = last > m - 1 ? infinity : part_[static_cast<std::size_t>(last)];
    std::size_t below = collect(low, high);
    if (rank < below || rank + 1 >= below + count_) {
      low = -infinity, high = infinity;
      below = collect(low, high);
    }
    const auto begin = between_.begin(), end = begin + static_cast<std::ptrdiff_t>(count_);
    const auto at = begin + static_cast<std::ptrdiff_t>(rank - below);
    std::nth_element(begin, at, end);
    const double next = at + 1 == end ? *at : *std::min_element(at + 1, end);
    const double value = *at + (place - static_cast<double>(rank)) * (next - *at);
    const auto [least, most] = std::minmax_element(begin, end);
    return {value, static_cast<double>(count_) / (n * (*most - *least))};
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Values between `low` and `high` go to between_, count_ of them; returns how many are less.
  std::size_t collect(double low, double high) {
    std::size_t below = 0, count = 0;
    for (const double value : values_) {
      below += value < low ? 1 : 0;
      between_[count] = value;
      count += value >= low && value <= high ? 1 : 0;
    }
    count_ = count;
    return below;
  }

  std::span<const double> values_;
  std::vector<double> part_, between_;
  std::size_t count_ = 0;
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
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      QuantileFinder finder(sample.size());
      while (true) {
        const std::size_t first = next.fetch_add(at_once);
        if (first >= outputs) return;
        const DenseMatrix values = sample.values(first, std::min(at_once, outputs - first));
        for (std::size_t o = 0; o < values.rows(); ++o) {
          finder.take(values.row(o));
          for (std::size_t p = 0; p < probabilities.size(); ++p) {
            const auto [value, density] = finder.find(probabilities[p]);
            const std::size_t at = (first + o) * probabilities.size() + p;
            const double spread = std::sqrt(probabilities[p] * (1 - probabilities[p]));
            quantiles.values[at] = value;
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
