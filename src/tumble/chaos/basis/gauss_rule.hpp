// Gauss quadrature for the expectation under a law: E{f(X)} = sum of w_i f(x_i), exact for
// polynomials up to degree 2 n - 1 with n points.
#pragma once
#include <vector>

#include "tumble/chaos/basis/orthonormal_polynomials.hpp"

namespace tumble {

/// Weights add up to 1.
struct QuadratureRule {
  std::vector<double> nodes, weights;
};

/// Nodes in ascending order; `points` is at most polynomials.degree() + 1.
///
/// G. H. Golub, J. H. Welsch, "Calculation of Gauss quadrature rules", Math. Comp. 23 (1969): the
/// nodes are the eigenvalues of the symmetric tridiagonal matrix of the recurrence. Weights are
/// 1 / sum of p_k(x_i)^2 over k < n, which keeps the small ones accurate where squared components
/// of eigenvectors do not. A symmetric law gets a symmetric rule, to the last bit.
QuadratureRule gauss_rule(const OrthonormalPolynomials& polynomials, int points);

}  // namespace tumble
