#include "tumble/chaos/basis/gauss_rule.hpp"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>

namespace tumble {
namespace {

/// Eigen's iterations stop at a bound relative to neighbours in the matrix; a mean of each mirrored
/// pair makes the rule as symmetric as its law.
void make_symmetric(std::vector<double>& nodes, double centre) {
  const std::size_t n = nodes.size();
  for (std::size_t i = 0; i < n / 2; ++i) {
    const double half = 0.5 * (nodes[n - 1 - i] - nodes[i]);
    nodes[i] = centre - half;
    nodes[n - 1 - i] = centre + half;
  }
  if (n % 2 == 1) nodes[n / 2] = centre;
}

}  // namespace

QuadratureRule gauss_rule(const OrthonormalPolynomials& polynomials, int points) {
  if (points < 1 || points > polynomials.degree() + 1)
    throw std::invalid_argument(
        fmt::format("Gauss rule: points = {} must lie between 1 and {}, one more than the degree "
                    "of the polynomials",
                    points, polynomials.degree() + 1));
  const auto n = static_cast<std::size_t>(points);
  Eigen::VectorXd diagonal(points), beside(points - 1);
  for (int k = 0; k < points; ++k) diagonal[k] = polynomials.a(k);
  for (int k = 1; k < points; ++k) beside[k - 1] = std::sqrt(polynomials.b(k));
  QuadratureRule rule;
  if (n == 1) {
    rule.nodes = {diagonal[0]};
  } else {
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
    solver.computeFromTridiagonal(diagonal, beside, Eigen::EigenvaluesOnly);
    if (solver.info() != Eigen::Success)
      throw std::runtime_error(
          fmt::format("Gauss rule of {} points: eigenvalues did not converge", points));
    const Eigen::VectorXd& found = solver.eigenvalues();
    rule.nodes.assign(found.data(), found.data() + points);
  }
  if (polynomials.is_symmetric()) make_symmetric(rule.nodes, polynomials.a(0));

  std::vector<double> p(n);
  for (const double x : rule.nodes) {
    polynomials.evaluate(x, p);
    double sum = 0;
    for (const double value : p) sum += value * value;
    rule.weights.push_back(1 / sum);
  }
  return rule;
}

}  // namespace tumble
