// The lowest vibrations of a body that is held: K x = λ M x with sparse matrices, by subspace
// iteration (Bathe and Wilson, "Large eigenvalue problems in dynamic analysis", J. Eng. Mech. Div.
// ASCE 98, 1972).
#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <vector>

namespace tumble::convert {

struct FixedModes {
  std::vector<double> eigenvalues;  ///< increasing
  Eigen::MatrixXd shapes;           ///< columns of unit modal mass
};

/// The `count` lowest. @throws std::invalid_argument if M has too few motions with mass.
FixedModes fixed_modes(const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>& factor_of_K,
                       const Eigen::SparseMatrix<double>& K, const Eigen::SparseMatrix<double>& M,
                       int count);

}  // namespace tumble::convert
