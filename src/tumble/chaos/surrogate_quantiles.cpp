#include "tumble/chaos/surrogate_quantiles.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>

namespace tumble {

std::vector<double> surrogate_quantiles(const SurrogateSample& sample, const Expansion& expansion,
                                        std::span<const double> probabilities, int threads) {
  // Bounds the memory of a thread: 32 MiB of values.
  const std::size_t at_once =
      std::clamp<std::size_t>((std::size_t{4} << 20) / sample.size(), 1, expansion.outputs() + 1);
  std::vector<double> quantiles(expansion.outputs() * probabilities.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      while (true) {
        const std::size_t first = next.fetch_add(at_once);
        if (first >= expansion.outputs()) return;
        std::vector<std::size_t> outputs(std::min(at_once, expansion.outputs() - first));
        std::iota(outputs.begin(), outputs.end(), first);
        const DenseMatrix sorted = sample.sorted_values(expansion, outputs);
        for (std::size_t o = 0; o < outputs.size(); ++o)
          for (std::size_t p = 0; p < probabilities.size(); ++p)
            quantiles[(first + o) * probabilities.size() + p] =
                sorted_quantile(sorted.row(o), probabilities[p]);
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
