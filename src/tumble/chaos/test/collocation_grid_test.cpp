// Grids: the paper's points and its Theorem 1, degrees of exactness of sparse grids, nestedness,
// and coefficients of polynomials, which must come out as they went in.
#include "tumble/chaos/fit/collocation_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/basis/gauss_rule.hpp"
#include "tumble/chaos/basis/nested_rule.hpp"
#include "tumble/chaos/fit/least_squares.hpp"

namespace tumble {
namespace {

InputSpace normals(std::size_t count) {
  InputSpace space;
  space.add_standard_normals("xi", count);
  return space;
}

/// Symmetric and not, bounded and not, with and without a classical family.
InputSpace mixed() {
  InputSpace space;
  space.add("a", ScalarLaw(UniformLaw{.min = 0, .max = 1}));
  space.add("b", ScalarLaw(GammaLaw{.shape = 2, .scale = 1}));
  space.add("c", ScalarLaw(TriangularLaw{.min = 0, .mode = 0.2, .max = 1}));
  return space;
}

template <class F>
DenseMatrix values_at(const DenseMatrix& points, const F& f) {
  DenseMatrix values(points.rows(), 1);
  for (std::size_t i = 0; i < points.rows(); ++i) values(i, 0) = f(points.row(i));
  return values;
}

TEST(TensorGrid, IsThatOfThePaper) {
  const auto pendulum = CollocationGrid::tensor(normals(2), std::vector<int>{5, 5});
  EXPECT_EQ(pendulum.points().rows(), 36U);
  EXPECT_EQ(pendulum.basis().size(), 36U);
  EXPECT_NEAR(pendulum.points()(0, 0), -3.3243, 5e-5);
  EXPECT_NEAR(pendulum.points()(1, 0), -3.3243, 5e-5);  // the first variable varies slowest
  EXPECT_NEAR(pendulum.points()(1, 1), -1.8892, 5e-5);
  EXPECT_EQ(pendulum.report().negative_weights, 0U);
  EXPECT_NEAR(pendulum.report().absolute_weights, 1, 1e-13);
  const auto double_pendulum = CollocationGrid::tensor(normals(3), std::vector<int>{2, 2, 2});
  EXPECT_EQ(double_pendulum.points().rows(), 27U);
  EXPECT_NEAR(double_pendulum.points()(26, 1), 1.7321, 5e-5);
}

double rough(std::span<const double> g) {
  double sum = 0.3;
  for (std::size_t k = 0; k < g.size(); ++k)
    sum += std::exp(0.4 * g[k]) / (1 + 0.2 * g[0] * g[0]) + std::sin(g[k] + 0.5 * g[0]);
  return sum;
}

// Wu et al. (2016), Theorem 1: on Gauss points least squares and quadrature give the same
// coefficients. Here for the paper's Hermite polynomials and for any others.
TEST(TensorGrid, LeastSquaresEqualsQuadrature) {
  for (const auto& [space, degrees] : {std::pair{normals(2), std::vector<int>{5, 5}},
                                       std::pair{normals(3), std::vector<int>{2, 2, 2}},
                                       std::pair{mixed(), std::vector<int>{3, 4, 2}}}) {
    const auto grid = CollocationGrid::tensor(space, degrees);
    const DenseMatrix values = values_at(grid.points(), rough);
    const DenseMatrix quadrature = grid.coefficients(values);
    const DenseMatrix psi = grid.basis().at(grid.points());
    const DenseMatrix squares = LeastSquares(psi).fit(values).coefficients;
    for (std::size_t term = 0; term < grid.basis().size(); ++term) {
      // Eq. (38) written out.
      double sum = 0;
      for (std::size_t i = 0; i < values.rows(); ++i)
        sum += grid.weights()[i] * psi(i, term) * values(i, 0);
      EXPECT_NEAR(quadrature(term, 0), sum, 1e-12);
      EXPECT_NEAR(squares(term, 0), sum, 1e-11);
    }
  }
}

/// E{p_i p_j ...} of monomials in the germs, by tensor Gauss rules that are exact for them.
double exact_moment(const InputSpace& space, const std::vector<int>& powers) {
  double product = 1;
  for (std::size_t k = 0; k < powers.size(); ++k) {
    const QuadratureRule rule = gauss_rule(space.germ(k).polynomials(12), 13);
    double sum = 0;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      sum += rule.weights[i] * std::pow(rule.nodes[i], powers[k]);
    product *= sum;
  }
  return product;
}

double error_of_moment(const CollocationGrid& grid, const InputSpace& space,
                       const std::vector<int>& powers) {
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < grid.points().rows(); ++i) {
    double value = grid.weights()[i];
    for (std::size_t k = 0; k < powers.size(); ++k)
      value *= std::pow(grid.points()(i, k), powers[k]);
    sum += value;
    size += std::abs(value);
  }
  const double exact = exact_moment(space, powers);
  return std::abs(sum - exact) / std::max({1.0, size, std::abs(exact)});
}

// Exact for every monomial of total degree 2 L + 1, and not for all of degree 2 L + 2 (Novak &
// Ritter 1999).
TEST(SparseGrid, HasTheDegreeOfExactness) {
  for (const GridRule rule : {GridRule::gauss, GridRule::leja})
    for (const InputSpace& space : {normals(3), mixed()})
      for (const int level : {0, 1, 2, 3, 4}) {
        const auto grid = CollocationGrid::sparse(space, level, rule);
        double worst = 0, beyond = 0;
        for (int i = 0; i <= 2 * level + 2; ++i)
          for (int j = 0; i + j <= 2 * level + 2; ++j)
            for (int k = 0; i + j + k <= 2 * level + 2; ++k) {
              double& error = i + j + k <= 2 * level + 1 ? worst : beyond;
              error = std::max(error, error_of_moment(grid, space, {i, j, k}));
            }
        EXPECT_LT(worst, 1e-11) << level;
        EXPECT_GT(beyond, 1e-4) << level;
      }
}

TEST(SparseGrid, HasKnownNumbersOfPoints) {
  // Gauss-Hermite with l + 1 points, m variables: 1 + 2 m on level 1; level 2 adds 2 m axis points
  // and 4 for each pair, less what levels share.
  EXPECT_EQ(CollocationGrid::sparse(normals(5), 0, GridRule::gauss).points().rows(), 1U);
  EXPECT_EQ(CollocationGrid::sparse(normals(5), 1, GridRule::gauss).points().rows(), 11U);
  EXPECT_EQ(CollocationGrid::sparse(normals(5), 2, GridRule::gauss).points().rows(), 61U);
  // Nested, 2 l + 1 points: 1 + 2 m, then 2 m and 4 for each pair more.
  EXPECT_EQ(CollocationGrid::sparse(normals(5), 1, GridRule::leja).points().rows(), 11U);
  EXPECT_EQ(CollocationGrid::sparse(normals(5), 2, GridRule::leja).points().rows(), 61U);
  // One variable: the rule itself, and for Gauss the one below for the estimate.
  EXPECT_EQ(CollocationGrid::sparse(normals(1), 3, GridRule::leja).points().rows(), 7U);
  const auto gauss = CollocationGrid::sparse(normals(1), 3, GridRule::gauss);
  EXPECT_EQ(gauss.points().rows(), 7U);
  EXPECT_EQ(gauss.report().extra_points, 3U);
}

TEST(SparseGrid, ReportsNegativeWeights) {
  const auto grid = CollocationGrid::sparse(normals(5), 2, GridRule::gauss);
  const auto& weights = grid.weights();
  const auto negative =
      std::count_if(weights.begin(), weights.end(), [](double w) { return w < 0; });
  EXPECT_GT(negative, 0);
  EXPECT_EQ(grid.report().negative_weights, static_cast<std::size_t>(negative));
  EXPECT_GT(grid.report().absolute_weights, 1.5);
  EXPECT_EQ(grid.report().warnings.size(), 1U);
}

TEST(SparseGrid, LejaGridsAreNested) {
  for (const InputSpace& space : {normals(3), mixed()}) {
    std::set<std::vector<double>> before;
    for (const int level : {0, 1, 2, 3}) {
      const auto grid = CollocationGrid::sparse(space, level, GridRule::leja);
      EXPECT_EQ(grid.report().extra_points, 0U);
      std::set<std::vector<double>> points;
      for (std::size_t i = 0; i < grid.points().rows(); ++i)
        points.emplace(grid.points().row(i).begin(), grid.points().row(i).end());
      EXPECT_EQ(points.size(), grid.points().rows());
      EXPECT_TRUE(std::includes(points.begin(), points.end(), before.begin(), before.end()));
      before = points;
    }
  }
}

// A polynomial of the grid's own terms comes out with its coefficients, others zero: no aliasing.
TEST(SparseGrid, ReproducesItsPolynomials) {
  for (const GridRule rule : {GridRule::gauss, GridRule::leja})
    for (const InputSpace& space : {normals(3), mixed()}) {
      const auto grid = CollocationGrid::sparse(space, 3, rule);
      const PolynomialBasis& basis = grid.basis();
      std::vector<double> psi(basis.size()), wanted(basis.size());
      for (std::size_t term = 0; term < basis.size(); ++term)
        wanted[term] = std::cos(3.0 * static_cast<double>(term));
      const DenseMatrix found =
          grid.coefficients(values_at(grid.points(), [&](std::span<const double> g) {
            basis.evaluate(g, psi);
            double sum = 0;
            for (std::size_t term = 0; term < psi.size(); ++term) sum += wanted[term] * psi[term];
            return sum;
          }));
      for (std::size_t term = 0; term < basis.size(); ++term)
        EXPECT_NEAR(found(term, 0), wanted[term], 1e-10) << term;
      // Gauss: exactly the polynomials of total degree 3.
      if (rule == GridRule::gauss) {
        EXPECT_EQ(basis.size(), 20U);
      }
    }
}

TEST(SparseGrid, LowerLevelIsTheGridOfThatLevel) {
  const InputSpace space = mixed();
  const auto fine = CollocationGrid::sparse(space, 3, GridRule::gauss);
  const auto coarse = CollocationGrid::sparse(space, 2, GridRule::gauss);
  const DenseMatrix lower = fine.lower_level_coefficients(values_at(fine.points(), rough));
  const DenseMatrix own = coarse.coefficients(values_at(coarse.points(), rough));
  for (std::size_t term = 0; term < fine.basis().size(); ++term) {
    const std::size_t place = coarse.basis().terms().find(fine.basis().terms()[term]);
    EXPECT_NEAR(lower(term, 0), place < own.rows() ? own(place, 0) : 0, 1e-12);
  }
}

TEST(Grids, TakeDiscreteLawsToTheirLastDegree) {
  InputSpace space;
  space.add("coin", ScalarLaw(DiscreteLaw{.values = {-1, 1}}));
  space.add("x", ScalarLaw(NormalLaw{.mean = 0, .std = 1}));
  EXPECT_EQ(space.degrees_up_to(4), (std::vector<int>{1, 4}));
  for (const GridRule rule : {GridRule::gauss, GridRule::leja}) {
    const auto grid = CollocationGrid::sparse(space, 3, rule);
    // E{(2 + coin)^3 x^2} = 2^3 + 3 * 2 = 14
    double mean = 0;
    for (std::size_t i = 0; i < grid.points().rows(); ++i)
      mean += grid.weights()[i] * std::pow(2 + grid.points()(i, 0), 3) *
              std::pow(grid.points()(i, 1), 2);
    EXPECT_NEAR(mean, 14, 1e-11);
  }
  EXPECT_THROW(CollocationGrid::tensor(space, std::vector<int>{2, 2}), std::invalid_argument);
}

TEST(Grids, RefuseToExplode) {
  EXPECT_THROW(CollocationGrid::tensor(normals(10), std::vector<int>(10, 5)),
               std::invalid_argument);
  EXPECT_THROW(CollocationGrid::sparse(normals(100), 6, GridRule::gauss), std::invalid_argument);
  EXPECT_THROW(CollocationGrid::sparse(InputSpace(), 2, GridRule::gauss), std::invalid_argument);
  const auto grid = CollocationGrid::tensor(normals(1), std::vector<int>{2});
  EXPECT_THROW(grid.coefficients(DenseMatrix(2, 1)), std::invalid_argument);
  // A bound is a bound.
  for (const int level : {1, 2, 3})
    EXPECT_GE(sparse_grid_points_bound(4, level),
              static_cast<double>(
                  CollocationGrid::sparse(normals(4), level, GridRule::gauss).points().rows()));
}

TEST(LejaPoints, GrowOneByOneAndInterpolateWell) {
  const auto hermite = hermite_polynomials(100);
  const std::vector<double> points = leja_points(hermite, 15);
  EXPECT_EQ(points[0], 0);
  for (std::size_t i = 1; i + 1 < 15; i += 2) EXPECT_EQ(points[i], -points[i + 1]);
  EXPECT_EQ(std::set<double>(points.begin(), points.end()).size(), 15U);
  // Interpolation at the first n points: exp(x / 2) at x = 1 to few digits with 5, to many with 15.
  double error_5 = 0, error_15 = 0;
  for (const std::size_t n : {5UL, 15UL}) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      double factor = std::exp(points[i] / 2);
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) factor *= (1.3 - points[j]) / (points[i] - points[j]);
      sum += factor;
    }
    (n == 5 ? error_5 : error_15) = std::abs(sum - std::exp(0.65));
  }
  EXPECT_LT(error_5, 0.05);
  EXPECT_LT(error_15, 1e-8);
  EXPECT_THROW(leja_points(hermite, 26), std::invalid_argument);
}

}  // namespace
}  // namespace tumble
