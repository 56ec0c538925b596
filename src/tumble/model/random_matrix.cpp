#include "tumble/model/random_matrix.hpp"

#include <limits>

#include "tumble/random/matrix/positive_definite_ensemble.hpp"

namespace tumble {

void vary(const RandomMatrix& random, int size, std::span<double> A) {
  const int n = static_cast<int>(random.rows.size());
  const auto count = static_cast<std::size_t>(n * n);
  std::vector<double> own(count), root(count), deviation(count), change(count);
  const auto entry = [&](std::size_t i, std::size_t k) -> double& {
    return A[static_cast<std::size_t>(random.rows[i] * size + random.rows[k])];
  };
  const auto rows = static_cast<std::size_t>(n);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k) own[i * rows + k] = entry(i, k);
  if (lower_root(n, own, root)) {
    normalized_deviation(n, random.germ, deviation);
    congruent(n, root, deviation, change);
  } else {
    change.assign(count, std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t k = 0; k < rows; ++k) entry(i, k) += change[i * rows + k];
}

}  // namespace tumble
