#include "tumble/study/statistics/block_indices.hpp"

#include <bit>

namespace tumble {

std::vector<double> shapley_weights(std::size_t factors) {
  // |u|! (k - 1 - |u|)! / k! by its inverse, k times a binomial coefficient.
  std::vector<double> of_size(factors, 0);
  double binomial = 1;
  for (std::size_t size = 0; size < factors; ++size) {
    of_size[size] = 1 / (static_cast<double>(factors) * binomial);
    binomial *= static_cast<double>(factors - 1 - size) / static_cast<double>(size + 1);
  }
  const std::size_t sets = std::size_t{1} << factors;
  std::vector<double> weights;
  for (std::size_t i = 0; i < factors; ++i)
    for (std::size_t u = 0; u < sets; ++u) {
      const auto size = static_cast<std::size_t>(std::popcount(u));
      weights.push_back((u >> i & 1) != 0 ? of_size[size - 1] : -of_size[size]);
    }
  return weights;
}

}  // namespace tumble
