#include "tumble/chaos/basis/nested_rule.hpp"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/chaos/basis/gauss_rule.hpp"

namespace tumble {

std::vector<double> leja_points(const OrthonormalPolynomials& polynomials, int points) {
  if (points < 1 || 4 * points > polynomials.degree())
    throw std::invalid_argument(
        fmt::format("Leja points: {} of them, from polynomials up to degree {}; there must be at "
                    "least 1, and a quarter of that degree at most",
                    points, polynomials.degree()));
  // An odd number of candidates, so that a symmetric rule holds the mean.
  const QuadratureRule rule = gauss_rule(polynomials, polynomials.degree() / 2 * 2 + 1);
  std::vector<double> x = {polynomials.a(0)};
  std::vector<double> weight = {1};
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    if (rule.nodes[i] != x[0]) {
      x.push_back(rule.nodes[i]);
      weight.push_back(rule.weights[i]);
    }
  const auto rows = static_cast<Eigen::Index>(x.size());
  Eigen::MatrixXd matrix(rows, points);
  std::vector<double> p(static_cast<std::size_t>(points));
  for (Eigen::Index i = 0; i < rows; ++i) {
    const auto place = static_cast<std::size_t>(i);
    polynomials.evaluate(x[place], p);
    matrix.row(i) =
        std::sqrt(weight[place]) * Eigen::Map<const Eigen::RowVectorXd>(p.data(), points);
  }
  std::vector<double> chosen;
  std::vector<char> taken(x.size(), 0);
  const auto take = [&](Eigen::Index pivot) {
    const auto column = static_cast<Eigen::Index>(chosen.size());
    const Eigen::RowVectorXd row = matrix.row(pivot) / matrix(pivot, column);
    for (Eigen::Index i = 0; i < rows; ++i)
      if (i != pivot) matrix.row(i) -= matrix(i, column) * row;
    taken[static_cast<std::size_t>(pivot)] = 1;
    chosen.push_back(x[static_cast<std::size_t>(pivot)]);
  };
  const auto best = [&] {
    const auto column = static_cast<Eigen::Index>(chosen.size());
    Eigen::Index pivot = -1;
    for (Eigen::Index i = 0; i < rows; ++i)
      if (!taken[static_cast<std::size_t>(i)] &&
          (pivot < 0 || std::abs(matrix(i, column)) > std::abs(matrix(pivot, column))))
        pivot = i;
    return pivot;
  };
  take(0);
  const auto count = static_cast<std::size_t>(points);
  while (chosen.size() < count) {
    const Eigen::Index pivot = best();
    take(pivot);
    // Candidates 1, 2, ... of a symmetric rule ascend: the mirrored one counts from the other end.
    if (polynomials.is_symmetric() && chosen.size() < count) take(rows - pivot);
  }
  return chosen;
}

}  // namespace tumble
