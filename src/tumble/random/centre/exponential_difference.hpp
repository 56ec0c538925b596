// Divided differences of the exponential function: what integrals of exp over simplices are made
// of.
//
// Hermite and Genocchi: over the simplex of barycentric coordinates b_0 + ... + b_n = 1, b_i >= 0,
//   integral of exp(b_0 t_0 + ... + b_n t_n) db = exp[t_0, ..., t_n],
// and a factor b_i in front of exp is the derivative by t_i: the same difference with t_i repeated.
// Intervals, balls and tetrahedra all reduce to this one function.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace tumble {

/// exp[t_0, ..., t_n], 1 to 6 nodes in any order, equal ones allowed. Relative error below 1e-14
/// wherever the nodes are: see the .cpp file. Overflows with exp(largest node): shift nodes first.
double exponential_difference(std::span<const double> nodes);

/// Integrals over the simplex of b: of exp, of b_i exp and of b_i b_j exp, exp that of sum b_i t_i.
template <std::size_t N>
struct SimplexMoments {
  double value = 0;
  std::array<double, N> first{};
  std::array<std::array<double, N>, N> second{};
};

template <std::size_t N>
SimplexMoments<N> simplex_moments(const std::array<double, N>& t) {
  SimplexMoments<N> m;
  std::array<double, N + 2> nodes{};
  std::copy(t.begin(), t.end(), nodes.begin());
  const std::span<const double> all(nodes);
  m.value = exponential_difference(all.first(N));
  for (std::size_t i = 0; i < N; ++i) {
    nodes[N] = t[i];
    m.first[i] = exponential_difference(all.first(N + 1));
    for (std::size_t j = 0; j <= i; ++j) {
      nodes[N + 1] = t[j];
      const double difference = exponential_difference(all);
      // Both of two equal nodes move with t_i, so its second derivative is twice the difference.
      m.second[i][j] = m.second[j][i] = i == j ? 2.0 * difference : difference;
    }
  }
  return m;
}

}  // namespace tumble
