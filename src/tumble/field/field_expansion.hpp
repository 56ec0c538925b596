// A Gaussian random field as a sum of a few random variables times functions of position.
//
// The field Z has zero mean, unit variance and the correlation rho(x, x'). With nodes x_j, weights
// w_j and the eigenvectors psi_i, eigenvalues lambda_i of the matrix sqrt(w_j w_k) rho(x_j, x_k),
//
//   Z(x) ~ sum_i xi_i g_i(x),    g_i(x) = sum_j sqrt(w_j) psi_ij rho(x, x_j) / sqrt(lambda_i),
//
// where xi_i are independent standard normal variables. Weights 1 make it the expansion optimal
// linear estimation (EOLE) of C. C. Li and A. Der Kiureghian, J. Eng. Mech. 119 (1993), Eqs.
// (22)-(24) of Wu et al. (2016); weights of quadrature make it the Karhunen-Loeve expansion
// (13)-(16), its integral equation solved by Nystroem's method. For both, g_i(x) is the covariance
// of Z(x) and xi_i, so the variance of the error is 1 - sum g_i(x)^2, Eq. (25), at every x and for
// every number of terms. Derivation: docs/theory/random-fields.md.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "tumble/field/correlation_kernel.hpp"
#include "tumble/field/field_nodes.hpp"
#include "tumble/field/mode_matrix.hpp"

namespace tumble {

/// How many terms an expansion has.
struct Truncation {
  /// The fewest whose largest relative variance error over the probes is below this. A tenth of it
  /// is what a correlation may differ from a positive definite one.
  double tolerance = 0.05;
  /// Or this number, whatever the error.
  std::optional<std::size_t> terms = {};
};

struct ExpansionReport {
  std::size_t nodes = 0;
  std::size_t terms = 0;
  double largest_error = 0;     ///< of the variance, relative, over the probes
  Vec3d largest_error_place{};  ///< the first probe that has it
  double mean_error = 0;        ///< over the probes
  /// Largest error over the probes with 1, 2, ..., `terms` terms.
  std::vector<double> largest_error_by_terms = {};
  /// Relative, at the worst node, by which a correlation that is not positive definite makes the
  /// variance of the expansion too large; rounding errors otherwise. See
  /// docs/theory/random-fields.md, "Lognormal fields".
  double excess_variance = 0;
  /// Of the weighted matrix of correlations, descending, as far as they exceed rounding errors.
  std::vector<double> eigenvalues = {};
};

/// Immutable; may be used by many threads.
class FieldExpansion {
 public:
  /// Throws std::invalid_argument if the weights are not positive or not as many as the nodes, if
  /// the function is no correlation function on the nodes, and if the nodes are too few for the
  /// terms or the tolerance.
  FieldExpansion(FieldNodes nodes, CorrelationFunction correlation,
                 const Truncation& truncation = {});

  std::size_t terms() const { return report_.terms; }
  const ExpansionReport& report() const { return report_; }
  std::span<const Vec3d> nodes() const { return nodes_; }
  std::span<const Vec3d> probes() const { return probes_; }

  /// g_i at the points: Z = modes times xi. A row depends on its point alone.
  ModeMatrix modes(std::span<const Vec3d> points) const;
  /// 1 - sum g_i(x)^2 at the points: the relative error of the variance as a function of position.
  std::vector<double> variance_error(std::span<const Vec3d> points) const;

 private:
  /// The first modes at a point, as many as `g` has room for.
  void evaluate(const Vec3d& x, std::span<double> g) const;
  std::size_t fewest_terms(double tolerance) const;
  void measure_error();

  std::vector<Vec3d> nodes_, probes_;
  CorrelationFunction correlation_;
  ModeMatrix coefficients_;  ///< [node][term]: sqrt(w_j) psi_ij / sqrt(lambda_i)
  ExpansionReport report_;
};

}  // namespace tumble
