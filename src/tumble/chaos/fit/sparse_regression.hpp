// Expansions with few terms from few points: the terms are chosen by the data.
//
// G. Blatman, B. Sudret, "Adaptive sparse polynomial chaos expansion based on least angle
// regression", J. Comput. Phys. 230 (2011): hybrid LARS. Least angle regression says in which order
// terms enter; after each entry an ordinary least squares fit on the terms so far is judged by its
// corrected leave-one-out error, and the best one is kept. Degrees are tried upwards.
#pragma once
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/basis/polynomial_basis.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

enum class TermSharing {
  /// Terms are chosen for the principal components of all outputs (each scaled to unit variance),
  /// the largest first; the terms of as many components as serve all of them best are taken
  /// together, and all outputs are fitted on these with one factorisation. Thousands of outputs
  /// cost little more than a dozen, and neighbouring times have the same terms, so that curves stay
  /// smooth.
  principal,
  /// Every output chooses for itself: shorter expansions, at the cost of one selection each.
  each_output
};

struct SparseOptions {
  int most_degree = 10;
  double q = 0.75;  ///< of the hyperbolic sets that terms are chosen from; 1: total degree
  TermSharing sharing = TermSharing::principal;
  double principal_variance = 0.999;   ///< share of the scaled variance that is looked at
  std::size_t most_principal = 12;     ///< but not more components than these
  double enough = 1e-12;               ///< relative error at which no higher degree is tried
  std::size_t most_candidates = 5000;  ///< terms to choose from
};

struct SparseFit {
  PolynomialBasis basis;
  DenseMatrix coefficients;  ///< one row per term, one column per output
  /// Relative, one per output, see least_squares.hpp. That the terms were chosen with the same data
  /// makes it a little too small.
  std::vector<double> corrected_leave_one_out;
  int degree = 0;              ///< total degree of the highest term that was chosen
  std::size_t selections = 0;  ///< how many responses terms were chosen for
  double condition = 1;        ///< of the least squares; the largest of all
};

/// Points and values: one row per run. @throws std::invalid_argument for fewer than 4 points.
SparseFit fit_sparse(const InputSpace& space, const DenseMatrix& points, const DenseMatrix& values,
                     const SparseOptions& options = {});

}  // namespace tumble
