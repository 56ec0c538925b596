// Tensor and sparse grids of germs, and the coefficients that values at their points give.
//
// A tensor grid has in every variable the points of a one-dimensional rule. A sparse grid is a sum
// of small tensor grids with integer factors (Smolyak's combination technique). Both are the same
// thing here: a list of tensor grids with factors, the first kind having a list of one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tumble/chaos/basis/input_space.hpp"
#include "tumble/chaos/basis/multi_index.hpp"
#include "tumble/chaos/basis/polynomial_basis.hpp"
#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// The one-dimensional rules of levels 0, 1, 2, ... of a sparse grid. Either is exact for
/// polynomials up to degree 2 l + 1 on level l.
enum class GridRule {
  gauss,  ///< l + 1 Gauss points. Most accurate; levels share the mean at best.
  leja    ///< 2 l + 1 points of a Leja sequence (2 l + 2 if the law is not symmetric): nested, so
          ///< that a grid holds those of lower levels. A discrete law of few values has Gauss.
};

/// What users should know before they run it.
struct GridReport {
  std::size_t points = 0;
  std::size_t negative_weights = 0;
  /// Sum of |w_i|, where the sum of w_i is 1: how much errors of single values may grow in a mean.
  double absolute_weights = 1;
  /// Points that serve the error estimate alone: they belong to the next lower level only.
  std::size_t extra_points = 0;
  std::vector<std::string> warnings;
};

/// Immutable; may be used by many threads.
class CollocationGrid {
 public:
  static constexpr std::size_t most_points = 200'000;

  /// degrees[k] + 1 Gauss points in variable k, the first variable varying slowest, and all
  /// products of polynomials up to these degrees: Wu et al. (2016), Eqs. (46)-(48).
  static CollocationGrid tensor(const InputSpace& space, std::span<const int> degrees);

  /// Level L >= 0: the sum over levels l with L - m < l_1 + ... + l_m <= L of
  /// (-1)^(L - |l|) binomial(m - 1, L - |l|) times the tensor grid of levels l (G. W. Wasilkowski,
  /// H. Wozniakowski, J. Complexity 11, 1995). Means are exact for polynomials of total degree
  /// 2 L + 1 (E. Novak, K. Ritter, Constr. Approx. 15, 1999). Points of level L - 1 that level L
  /// does not have are added, for the error estimate.
  static CollocationGrid sparse(const InputSpace& space, int level, GridRule rule);

  /// One row per point, one column per germ.
  const DenseMatrix& points() const { return points_; }
  /// Of the mean.
  const std::vector<double>& weights() const { return weights_; }
  const GridReport& report() const { return report_; }
  const PolynomialBasis& basis() const { return basis_; }

  /// Coefficients, one row per term of basis(), from values, one row per point.
  ///
  /// Each tensor grid gives those of its own polynomials, and these are added up with the factors:
  /// a sparse pseudospectral approximation. To integrate each product of value and polynomial with
  /// the weights of the sparse grid instead would be wrong: high polynomials would alias (P.
  /// Constantine, M. Eldred, E. Phipps, Comput. Methods Appl. Mech. Eng. 229-232, 2012).
  DenseMatrix coefficients(const DenseMatrix& values) const;

  /// Whether the next lower level is there to compare with: in sparse grids above level 0.
  bool has_lower_level() const { return !lower_.empty(); }
  /// Coefficients by the next lower level, rows as above; terms it does not have are 0.
  DenseMatrix lower_level_coefficients(const DenseMatrix& values) const;

 private:
  /// The rule of one variable on one level.
  struct Rule {
    std::vector<double> nodes;
    DenseMatrix transform;  ///< from values at the nodes to coefficients of p_0, p_1, ...
  };
  struct Part {
    std::vector<std::uint8_t> levels;
    double factor = 1;
    std::vector<std::size_t> points;  ///< rows of points_, last variable fastest
    std::vector<std::size_t> terms;   ///< rows of coefficients, likewise
  };
  struct Builder;
  CollocationGrid(Builder&& builder);

  DenseMatrix sum_of_parts(const std::vector<Part>& parts, const DenseMatrix& values) const;

  std::vector<std::vector<Rule>> rules_;  ///< by variable and level
  std::vector<Part> parts_, lower_;
  DenseMatrix points_;
  std::vector<double> weights_;
  PolynomialBasis basis_;
  GridReport report_;
};

/// How many points a sparse grid of Gauss rules without shared points has at most; infinite where
/// that is beyond counting.
double sparse_grid_points_bound(std::size_t variables, int level);

}  // namespace tumble
