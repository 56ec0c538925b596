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
/// which two numbers a quantile should lie, and only what lies there is looked at closely.
class QuantileFinder {
 public:
  explicit QuantileFinder(std::size_t size)
      : part_(std::min<std::size_t>(size, 512)), between_(size + 1) {}

  struct Quantile {
    double value, density;  ///< density: of values next to it, per unit; not finite if they are one
  };

  void take(std::span<const double> values) {
    values_ = values;
    // The first points of a Sobol' sequence fill the space as all of them do.
    std::copy_n(values.begin(), part_.size(), part_.begin());
    std::ranges::sort(part_);
  }

  Quantile find(double probability) {
    const auto n = static_cast<double>(values_.size());
    const double place = probability * (n - 1);
    const auto rank = std::min(static_cast<std::size_t>(place), values_.size() - 1);
    const auto last = static_cast<double>(part_.size() - 1);
    const auto bound = [&](double index, double beyond) {
      return index < 0 || index > last ? beyond : part_[static_cast<std::size_t>(index)];
    };
    std::size_t below = 0;
    const auto found_near = [&](double index, double margin) {
      below = collect(bound(index - margin, -infinity), bound(index + margin, infinity));
      return rank >= below && rank + 1 < below + count_;
    };
    // Where the part is off, the ranks of its members among all values say by how much.
    const double guess = probability * last;
    if (!found_near(guess, 6)) {
      const double off = place - static_cast<double>(below) - 0.5 * static_cast<double>(count_);
      if (!found_near(guess + off * static_cast<double>(part_.size()) / n, 6))
        below = collect(-infinity, infinity);
    }
    const auto begin = between_.begin(), end = begin + static_cast<std::ptrdiff_t>(count_);
    const auto at = begin + static_cast<std::ptrdiff_t>(rank - below);
    const auto [least, most] = std::minmax_element(begin, end);
    const double density = static_cast<double>(count_) / (n * (*most - *least));
    std::nth_element(begin, at, end);
    const double next = at + 1 == end ? *at : *std::min_element(at + 1, end);
    return {*at + (place - static_cast<double>(rank)) * (next - *at), density};
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Values from `low` to `high` go to between_, count_ of them; returns how many are less.
  std::size_t collect(double low, double high) {
    constexpr std::size_t at_once = 16;  // most such rows of values hold none
    std::int64_t below = 0;  // as wide as the values, so that both fill the same registers
    count_ = 0;
    for (std::size_t first = 0; first < values_.size(); first += at_once) {
      const auto some = values_.subspan(first, std::min(at_once, values_.size() - first));
      std::int64_t inside = 0;
      for (const double value : some) {
        below += value < low ? 1 : 0;
        inside += (value >= low ? 1 : 0) & (value <= high ? 1 : 0);
      }
      if (inside == 0) continue;
      for (const double value : some) {  // without a branch that nobody could predict
        between_[count_] = value;
        count_ += (value >= low ? 1U : 0U) & (value <= high ? 1U : 0U);
      }
    }
    return static_cast<std::size_t>(below);
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
      DenseMatrix values;
      while (true) {
        const std::size_t first = next.fetch_add(at_once);
        if (first >= outputs) return;
        if (const std::size_t rows = std::min(at_once, outputs - first); values.rows() != rows)
          values = DenseMatrix(rows, sample.size());
        sample.fill(first, values);
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
