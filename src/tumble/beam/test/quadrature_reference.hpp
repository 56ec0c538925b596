// Elastic force and tangent of an element in the continuum formulation by Gauss quadrature: the
// textbook way, written without the library's shape functions and invariants.
#pragma once
#include <Eigen/Dense>
#include <functional>
#include <vector>

#include "tumble/beam/gauss_points.hpp"
#include "tumble/beam/material.hpp"
#include "tumble/beam/section.hpp"

namespace tumble::beam::testing {

struct QuadratureResult {
  double energy = 0;
  Eigen::VectorXd force;
  Eigen::MatrixXd tangent;
};

/// ∂s_i/∂(x, y, z) of all vectors, node by node.
template <int D>
Eigen::MatrixXd textbook_gradients(double L, double x, double y, double z) {
  const double t = x / L;
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(2 * (D + 1), D);
  g(0, 0) = (-6 * t + 6 * t * t) / L;
  g(1, 0) = 1 - 4 * t + 3 * t * t;
  g(D + 1, 0) = (6 * t - 6 * t * t) / L;
  g(D + 2, 0) = -2 * t + 3 * t * t;
  g(2, 0) = -y / L, g(2, 1) = 1 - t;
  g(D + 3, 0) = y / L, g(D + 3, 1) = t;
  if constexpr (D == 3) {
    g(3, 0) = -z / L, g(3, 2) = 1 - t;
    g(D + 4, 0) = z / L, g(D + 4, 2) = t;
  }
  return g;
}

/// `material` is a function of x/L; `reference` and `e` are coordinates, node by node.
template <int D>
QuadratureResult quadrature_force(double L, const SectionAlong& section,
                                  const Eigen::VectorXd& reference, const Eigen::VectorXd& e,
                                  const std::function<Lame(double)>& material, int axial = 5,
                                  int order = 3) {
  using Matrix = Eigen::Matrix<double, D, D>;
  const int vectors = 2 * (D + 1), size = D * vectors;
  QuadratureResult out{0, Eigen::VectorXd::Zero(size), Eigen::MatrixXd::Zero(size, size)};
  const Eigen::Map<const Eigen::MatrixXd> E0(reference.data(), D, vectors),
      E1(e.data(), D, vectors);
  for (const auto& a : gauss_points(axial))
    for (const auto& p : section(a.place).points(order)) {
      const Eigen::MatrixXd parameter = textbook_gradients<D>(L, a.place * L, p.y, p.z);
      const Matrix J0 = E0 * parameter;
      const Eigen::MatrixXd g = parameter * J0.inverse();
      const double weight = a.weight * L * p.weight * J0.determinant();
      const Lame m = material(a.place);
      const Matrix F = E1 * g, I = Matrix::Identity();
      const Matrix strain = 0.5 * (F.transpose() * F - I);
      const auto stress_of = [&](const Matrix& s) -> Matrix {
        return m.lambda * s.trace() * I + 2 * m.shear * s;
      };
      const Matrix S = stress_of(strain);
      out.energy += weight * 0.5 * (S.cwiseProduct(strain)).sum();
      const Eigen::MatrixXd force = weight * (F * S) * g.transpose();
      for (int i = 0; i < vectors; ++i) out.force.segment<D>(D * i) += force.col(i);
      for (int j = 0; j < vectors; ++j)
        for (int c = 0; c < D; ++c) {
          Matrix dF = Matrix::Zero();
          dF.row(c) = g.row(j);
          const Matrix dE = 0.5 * (F.transpose() * dF + dF.transpose() * F);
          const Eigen::MatrixXd dP = weight * (dF * S + F * stress_of(dE)) * g.transpose();
          for (int i = 0; i < vectors; ++i) out.tangent.block<D, 1>(D * i, D * j + c) += dP.col(i);
        }
    }
  return out;
}

}  // namespace tumble::beam::testing
