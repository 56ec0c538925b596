#include "tumble/convert/fixed_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace tumble::convert {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

[[noreturn]] void too_few() {
  throw std::invalid_argument(
      "the mass matrix leaves fewer vibrations of the body that is held than modes are asked for");
}

/// Vectors that contain something of every vibration, without chance: golden-section steps fill
/// (-1, 1) evenly.
MatrixXd first_vectors(Index n, Index count) {
  MatrixXd X(n, count);
  double x = 0.5;
  for (Index j = 0; j < count; ++j)
    for (Index i = 0; i < n; ++i) {
      x += 0.6180339887498949 + 1e-4 * static_cast<double>(j);
      x -= std::floor(x);
      X(i, j) = 2 * x - 1;
    }
  return X;
}

/// All at once, where most are asked for or there are few: M x = μ K x with μ = 1/λ.
FixedModes dense_modes(const Eigen::SparseMatrix<double>& K, const Eigen::SparseMatrix<double>& M,
                       int count) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver{MatrixXd(M), MatrixXd(K)};
  const VectorXd inverse = solver.eigenvalues().reverse().head(count);
  if (!(inverse.minCoeff() > 1e-15 * inverse.maxCoeff())) too_few();
  FixedModes found;
  found.shapes = solver.eigenvectors().rowwise().reverse().leftCols(count);
  for (Index j = 0; j < count; ++j) {
    found.eigenvalues.push_back(1 / inverse(j));
    found.shapes.col(j) /= std::sqrt(inverse(j));
  }
  return found;
}

}  // namespace

// X ← K⁻¹ M X, then the vibrations within the space of X by Ritz's method. The values within are
// those of the inverted problem, μ = 1/λ, so that directions without mass are the smallest ones and
// need no care.
FixedModes fixed_modes(const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>& factor_of_K,
                       const Eigen::SparseMatrix<double>& K, const Eigen::SparseMatrix<double>& M,
                       int count) {
  const Index n = K.rows();
  const Index size = std::min<Index>(n, std::max<Index>(2 * count, count + 8));
  constexpr Index few = 300;
  if (size == n || n <= few) return dense_modes(K, M, count);
  MatrixXd X = first_vectors(n, size);
  VectorXd before = VectorXd::Zero(count);
  constexpr int most = 300;
  for (int iteration = 1;; ++iteration) {
    X = factor_of_K.solve(M * X);
    // Orthonormal in the metric of K, twice: nearly parallel columns lose digits the first time.
    for (int again = 0; again < 2; ++again) {
      MatrixXd k = X.transpose() * (K * X);
      const Eigen::SelfAdjointEigenSolver<MatrixXd> metric(0.5 * (k + k.transpose()));
      const VectorXd& values = metric.eigenvalues();
      const double floor = 1e-14 * values.maxCoeff();
      const Index kept = (values.array() > floor).count();
      if (kept < count) too_few();
      X = X * metric.eigenvectors().rightCols(kept) *
          values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
    }
    MatrixXd m = X.transpose() * (M * X);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (m + m.transpose()));
    X = X * solver.eigenvectors().rowwise().reverse();
    const VectorXd inverse = solver.eigenvalues().reverse().head(count);
    if (!(inverse.minCoeff() > 1e-15 * inverse.maxCoeff())) too_few();
    const double change = ((inverse - before).array() / inverse.array()).abs().maxCoeff();
    before = inverse;
    if (change < 1e-13 || iteration == most) {
      if (change > 1e-6)
        throw std::invalid_argument("the vibrations of the body that is held do not converge");
      FixedModes found;
      found.shapes = X.leftCols(count);
      for (Index j = 0; j < count; ++j) {
        found.eigenvalues.push_back(1 / inverse(j));
        // Of unit stiffness so far.
        found.shapes.col(j) /= std::sqrt(inverse(j));
      }
      return found;
    }
  }
}

}  // namespace tumble::convert
