#include "tumble/random/centre/exponential_difference.hpp"

#include <cmath>
#include <stdexcept>

namespace tumble {
namespace {

constexpr std::size_t kMostNodes = 6;

// Nodes closer together than this are summed as a series, others by the recurrence. In the
// recurrence below the greater term is at least twice the smaller one for a spread of 4 and six
// nodes, so that a step loses no more than a factor of three of accuracy.
constexpr double kSeriesSpread = 4.0;

// With s_i = t_i - t_0 >= 0 and h_k the complete homogeneous polynomial of degree k in the s_i,
//   exp[t_0, ..., t_n] = exp(t_0) sum_k h_k / (n + k)!.
// All terms are positive: nothing cancels.
double by_series(std::span<const double> sorted) {
  const std::size_t n = sorted.size() - 1;
  std::array<double, kMostNodes> h;  // h_k of the first j + 1 nodes
  h.fill(1.0);
  double inverse_factorial = 1.0;
  for (std::size_t i = 2; i <= n; ++i) inverse_factorial /= static_cast<double>(i);
  double sum = inverse_factorial;
  for (std::size_t k = 1;; ++k) {
    h[0] = 0.0;
    for (std::size_t j = 1; j <= n; ++j) h[j] = h[j - 1] + (sorted[j] - sorted[0]) * h[j];
    inverse_factorial /= static_cast<double>(n + k);
    const double term = h[n] * inverse_factorial;
    sum += term;
    if (!(term > 0x1p-56 * sum)) break;
  }
  return std::exp(sorted[0]) * sum;
}

}  // namespace

// exp[t_i, ..., t_j] = (exp[t_{i+1}, ..., t_j] - exp[t_i, ..., t_{j-1}]) / (t_j - t_i) for sorted
// nodes that are far apart, the series for those that are close. (The idea of switching between the
// two: A. McCurdy, K. C. Ng, B. N. Parlett, Math. Comp. 43, 1984.)
double exponential_difference(std::span<const double> nodes) {
  if (nodes.empty() || nodes.size() > kMostNodes)
    throw std::invalid_argument("a divided difference is made for 1 to 6 nodes");
  std::array<double, kMostNodes> t{};
  std::copy(nodes.begin(), nodes.end(), t.begin());
  const std::size_t n = nodes.size() - 1;
  std::sort(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(nodes.size()));
  std::array<double, kMostNodes> d{};  // d[i] = exp[t_i, ..., t_{i+order}]
  const auto close = [&t](std::size_t i, std::size_t j) { return t[j] - t[i] <= kSeriesSpread; };
  for (std::size_t order = 0; order <= n; ++order)
    for (std::size_t i = 0; i + order <= n; ++i) {
      const std::size_t j = i + order;
      // An entry is wanted at the top, and by an entry above that is no series itself.
      const bool wanted = order == n || (i > 0 && !close(i - 1, j)) || (j < n && !close(i, j + 1));
      if (!wanted) continue;
      d[i] = close(i, j) ? by_series({t.data() + i, order + 1}) : (d[i + 1] - d[i]) / (t[j] - t[i]);
    }
  return d[0];
}

}  // namespace tumble
