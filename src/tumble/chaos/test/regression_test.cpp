// Least squares and leave-one-out errors against brute force; LARS on sparse polynomials.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/eigen_view.hpp"
#include "tumble/chaos/fit/lars.hpp"
#include "tumble/chaos/fit/least_squares.hpp"
#include "tumble/chaos/fit/quasi_random_points.hpp"
#include "tumble/chaos/fit/sparse_regression.hpp"
#include "tumble/chaos/fit/term_selection.hpp"

namespace tumble {
namespace {

InputSpace uniforms(std::size_t count) {
  InputSpace space;
  for (std::size_t k = 0; k < count; ++k)
    space.add("x" + std::to_string(k), ScalarLaw(UniformLaw{.min = -1, .max = 1}));
  return space;
}

PolynomialBasis total_degree(const InputSpace& space, int degree) {
  return {space, MultiIndexSet::total_degree(space.size(), degree)};
}

struct Data {
  DenseMatrix psi, values;
};

/// Two outputs that no polynomial of degree 3 describes.
Data rough_data(std::size_t runs) {
  const InputSpace space = uniforms(2);
  const DenseMatrix points = quasi_random_points(space, runs, 3);
  Data data{total_degree(space, 3).at(points), DenseMatrix(runs, 2)};
  for (std::size_t i = 0; i < runs; ++i) {
    data.values(i, 0) = std::exp(points(i, 0)) * std::cos(3 * points(i, 1));
    data.values(i, 1) = std::abs(points(i, 0) + points(i, 1));
  }
  return data;
}

/// The definition: fit without point i, see how wrong it is there. Normal equations, so that no
/// line of the code under test is used.
double brute_force_error(const Data& data, Eigen::Index output, const Eigen::VectorXd& weights) {
  const Eigen::MatrixXd psi = view(data.psi);
  const Eigen::VectorXd y = view(data.values).col(output);
  const double mean = weights.dot(y) / weights.sum();
  double sum = 0, spread = 0;
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    Eigen::VectorXd w = weights;
    w[i] = 0;
    const Eigen::VectorXd c =
        (psi.transpose() * w.asDiagonal() * psi).ldlt().solve(psi.transpose() * w.asDiagonal() * y);
    sum += weights[i] * std::pow(y[i] - psi.row(i).dot(c), 2);
    spread += weights[i] * std::pow(y[i] - mean, 2);
  }
  return sum / spread;
}

TEST(LeastSquares, LeaveOneOutIsThatOfTheDefinition) {
  const Data data = rough_data(37);
  const LeastSquares squares(data.psi);
  const LeastSquaresFit fit = squares.fit(data.values);
  const Eigen::VectorXd equal = Eigen::VectorXd::Ones(37);
  for (Eigen::Index o = 0; o < 2; ++o) {
    const double expected = brute_force_error(data, o, equal);
    EXPECT_NEAR(fit.leave_one_out[static_cast<std::size_t>(o)] / expected, 1, 1e-9);
    // N / (N - P) (1 + tr((Psi^T Psi)^-1))
    const Eigen::MatrixXd psi = view(data.psi);
    const double correction = 37.0 / 27 * (1 + (psi.transpose() * psi).inverse().trace());
    EXPECT_NEAR(fit.corrected_leave_one_out[static_cast<std::size_t>(o)] / (expected * correction),
                1, 1e-9);
  }
  std::vector<double> weights(37);
  for (std::size_t i = 0; i < 37; ++i) weights[i] = 1 + 0.5 * std::sin(static_cast<double>(i));
  const LeastSquaresFit weighted = LeastSquares(data.psi, weights).fit(data.values);
  EXPECT_NEAR(weighted.leave_one_out[0] /
                  brute_force_error(data, 0, Eigen::Map<Eigen::VectorXd>(weights.data(), 37)),
              1, 1e-9);
}

TEST(LeastSquares, ReportsTheConditionNumber) {
  const Data data = rough_data(37);
  const Eigen::MatrixXd psi = view(data.psi);
  const Eigen::VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(psi.transpose() * psi).eigenvalues();
  EXPECT_NEAR(LeastSquares(data.psi).condition() /
                  std::sqrt(eigenvalues[eigenvalues.size() - 1] / eigenvalues[0]),
              1, 1e-9);
}

TEST(LeastSquares, RefusesWhatItCannotSolve) {
  const Data data = rough_data(9);  // 10 terms
  EXPECT_THROW(LeastSquares{data.psi}, std::invalid_argument);
  DenseMatrix twins(5, 2);
  for (std::size_t i = 0; i < 5; ++i) twins(i, 0) = twins(i, 1) = static_cast<double>(i);
  EXPECT_THROW(LeastSquares{twins}, std::invalid_argument);
  EXPECT_THROW(LeastSquares(rough_data(12).psi, std::vector<double>(12, 0.0)),
               std::invalid_argument);
  // As many points as terms: a fit, but no error estimate. A constant has no error.
  Data square = rough_data(10);
  for (std::size_t i = 0; i < 10; ++i) square.values(i, 1) = 7;
  const LeastSquaresFit fit = LeastSquares(square.psi).fit(square.values);
  EXPECT_TRUE(std::isinf(fit.leave_one_out[0]));
  EXPECT_EQ(fit.leave_one_out[1], 0);
}

// With orthonormal columns the angles stay what they are: columns enter by their correlation.
TEST(LarsPath, TakesOrthogonalColumnsByTheirCorrelation) {
  const std::size_t n = 16;
  DenseMatrix basis(n, 6);
  std::vector<double> y(n);
  const double factors[] = {0, 0.5, -3, 1, 0.25, 2};
  for (std::size_t i = 0; i < n; ++i) {
    basis(i, 0) = 1;
    y[i] = 10;
    for (std::size_t k = 1; k < 6; ++k) {
      // Columns of a Hadamard matrix
      basis(i, k) = __builtin_parityl(i & (k == 5 ? 12 : k == 4 ? 8 : k)) ? -1 : 1;
      y[i] += factors[k] * basis(i, k);
    }
  }
  LarsPath path(basis, y);
  for (const std::size_t expected : {2U, 5U, 3U, 1U, 4U}) EXPECT_EQ(path.next(), expected);
  EXPECT_EQ(path.next(), std::nullopt);
}

// Efron et al. (2004), their definition step by step with normal equations: an independent
// implementation to compare the order with, on correlated columns and more columns than rows.
std::vector<std::size_t> reference_order(const DenseMatrix& basis,
                                         const std::vector<double>& values, std::size_t steps) {
  Eigen::MatrixXd x = view(basis);
  Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(values.data(), x.rows());
  y.array() -= y.mean();
  for (Eigen::Index j = 1; j < x.cols(); ++j) {
    x.col(j).array() -= x.col(j).mean();
    x.col(j).normalize();
  }
  x.col(0).setZero();
  std::vector<std::size_t> order;
  Eigen::VectorXd residual = y;
  while (order.size() < steps) {
    const Eigen::VectorXd c = x.transpose() * residual;
    Eigen::Index best = 0;
    double largest = -1;
    for (Eigen::Index j = 1; j < x.cols(); ++j)
      if (std::find(order.begin(), order.end(), j) == order.end() && std::abs(c[j]) > largest) {
        largest = std::abs(c[j]);
        best = j;
      }
    order.push_back(static_cast<std::size_t>(best));
    Eigen::MatrixXd active(x.rows(), static_cast<Eigen::Index>(order.size()));
    for (std::size_t k = 0; k < order.size(); ++k)
      active.col(static_cast<Eigen::Index>(k)) =
          x.col(static_cast<Eigen::Index>(order[k])) *
          (c[static_cast<Eigen::Index>(order[k])] < 0 ? -1 : 1);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(active.cols());
    const Eigen::VectorXd solved = (active.transpose() * active).ldlt().solve(ones);
    const double a = 1 / std::sqrt(ones.dot(solved));
    const Eigen::VectorXd u = active * (a * solved), slopes = x.transpose() * u;
    double step = largest / a;
    for (Eigen::Index j = 1; j < x.cols(); ++j) {
      if (std::find(order.begin(), order.end(), j) != order.end()) continue;
      for (const double candidate :
           {(largest - c[j]) / (a - slopes[j]), (largest + c[j]) / (a + slopes[j])})
        if (candidate > 1e-14 && candidate < step) step = candidate;
    }
    residual -= step * u;
  }
  return order;
}

TEST(LarsPath, FollowsTheDefinition) {
  const InputSpace space = uniforms(3);
  const DenseMatrix points = quasi_random_points(space, 40, 11);
  const DenseMatrix basis = total_degree(space, 6).at(points);  // 84 columns
  std::vector<double> y(40);
  for (std::size_t i = 0; i < 40; ++i)
    y[i] = std::exp(points(i, 0)) * std::sin(2 * points(i, 1)) + points(i, 2) * points(i, 0);
  LarsPath path(basis, y);
  for (const std::size_t expected : reference_order(basis, y, 25)) EXPECT_EQ(path.next(), expected);
}

TEST(LarsPath, LeavesOutRepeatedColumns) {
  DenseMatrix basis(6, 4);
  std::vector<double> y(6);
  for (std::size_t i = 0; i < 6; ++i) {
    const double x = static_cast<double>(i);
    basis(i, 0) = 1;
    basis(i, 1) = x;
    basis(i, 2) = 3 - 2 * x;
    basis(i, 3) = x * x;
    y[i] = x + 0.3 * x * x;
  }
  LarsPath path(basis, y);
  std::vector<std::size_t> order;
  while (const auto column = path.next()) order.push_back(*column);
  EXPECT_EQ(order.size(), 2U);
  EXPECT_EQ(std::count(order.begin(), order.end(), 3U), 1);
}

TEST(SelectTerms, ErrorIsThatOfLeastSquaresOnTheTerms) {
  const InputSpace space = uniforms(2);
  const DenseMatrix points = quasi_random_points(space, 60, 5);
  const DenseMatrix candidates = total_degree(space, 9).at(points);
  DenseMatrix values(60, 1);
  for (std::size_t i = 0; i < 60; ++i)
    values(i, 0) = std::exp(points(i, 0) * points(i, 1)) + std::cos(2 * points(i, 0));
  const TermSelection selection = select_terms(candidates, {values.data(), 60});
  DenseMatrix chosen(60, selection.terms.size() + 1);
  for (std::size_t i = 0; i < 60; ++i) {
    chosen(i, 0) = 1;
    for (std::size_t k = 0; k < selection.terms.size(); ++k)
      chosen(i, k + 1) = candidates(i, selection.terms[k]);
  }
  EXPECT_NEAR(LeastSquares(chosen).fit(values).corrected_leave_one_out[0] / selection.error, 1,
              1e-6);
  EXPECT_LT(selection.error, 1e-4);
}

// 10 variables, total degree 4 would be 1001 terms; 4 of them are there, and 60 runs find them.
TEST(FitSparse, RecoversASparsePolynomial) {
  const InputSpace space = uniforms(10);
  const DenseMatrix points = quasi_random_points(space, 60, 1);
  using Index = std::vector<MultiIndexSet::Degree>;
  const std::vector<Index> indices = {{2, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                                      {0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                                      {0, 0, 0, 0, 4, 0, 0, 0, 0, 0},
                                      {0, 1, 0, 0, 0, 0, 0, 0, 0, 0}};
  const double factors[] = {1.5, -2, 0.7, 0.3};
  const auto polynomials = space.polynomials(std::vector<int>(10, 4));
  DenseMatrix values(60, 2);
  std::vector<double> p(5);
  for (std::size_t i = 0; i < 60; ++i) {
    values(i, 0) = 4;
    for (std::size_t t = 0; t < 4; ++t) {
      double product = factors[t];
      for (std::size_t k = 0; k < 10; ++k) {
        polynomials[k].evaluate(points(i, k), p);
        product *= p[indices[t][k]];
      }
      values(i, 0) += product;
    }
    values(i, 1) = 3 - 5 * values(i, 0);
  }
  for (const TermSharing sharing : {TermSharing::principal, TermSharing::each_output}) {
    const SparseFit fit = fit_sparse(space, points, values, {.q = 1, .sharing = sharing});
    // Least angle regression may take a few before the last of the four; they come out as zero.
    EXPECT_LE(fit.basis.size(), 10U);
    double squares = 0, wanted = 16;
    for (const double factor : factors) wanted += factor * factor;
    for (std::size_t t = 0; t < fit.basis.size(); ++t)
      squares += fit.coefficients(t, 0) * fit.coefficients(t, 0);
    EXPECT_NEAR(squares, wanted, 1e-12 * wanted);
    EXPECT_EQ(fit.degree, 4);
    EXPECT_EQ(fit.selections, sharing == TermSharing::principal ? 1U : 2U);
    EXPECT_NEAR(fit.coefficients(0, 0), 4, 1e-12);
    for (std::size_t t = 0; t < 4; ++t) {
      const std::size_t place = fit.basis.terms().find(indices[t]);
      ASSERT_LT(place, fit.basis.size()) << t;
      EXPECT_NEAR(fit.coefficients(place, 0), factors[t], 1e-12);
      EXPECT_NEAR(fit.coefficients(place, 1), -5 * factors[t], 1e-11);
    }
    EXPECT_LT(fit.corrected_leave_one_out[0], 1e-20);
  }
}

// What the leave-one-out error promises is what fresh points show, within a factor.
TEST(FitSparse, EstimatesItsError) {
  const InputSpace space = uniforms(4);
  const auto model = [](std::span<const double> x) {
    return std::exp(x[0]) * std::cos(2 * x[1]) + 0.5 * x[2] * x[3] + 0.1 * std::abs(x[2]);
  };
  const DenseMatrix points = quasi_random_points(space, 150, 1);
  const DenseMatrix fresh = quasi_random_points(space, 4096, 77);
  DenseMatrix values(150, 3);
  for (std::size_t i = 0; i < 150; ++i) {
    values(i, 0) = model(points.row(i));
    values(i, 1) = 2.5;
    values(i, 2) = std::sin(points(i, 0));
  }
  for (const TermSharing sharing : {TermSharing::principal, TermSharing::each_output}) {
    const SparseFit fit = fit_sparse(space, points, values, {.sharing = sharing});
    double sum = 0, squares = 0, mean = 0;
    std::vector<double> psi(fit.basis.size());
    for (std::size_t i = 0; i < 4096; ++i) {
      const double exact = model(fresh.row(i));
      fit.basis.evaluate(fresh.row(i), psi);
      double surrogate = 0;
      for (std::size_t t = 0; t < psi.size(); ++t) surrogate += psi[t] * fit.coefficients(t, 0);
      sum += (exact - surrogate) * (exact - surrogate);
      squares += exact * exact;
      mean += exact;
    }
    const double relative = sum / (squares - mean * mean / 4096);
    EXPECT_LT(relative, 0.01);
    EXPECT_LT(relative, 3 * fit.corrected_leave_one_out[0]);
    EXPECT_GT(relative, fit.corrected_leave_one_out[0] / 10);
    EXPECT_EQ(fit.corrected_leave_one_out[1], 0);
    EXPECT_NEAR(fit.coefficients(0, 1), 2.5, 1e-13);
  }
}

TEST(FitSparse, RefusesTooLittle) {
  const InputSpace space = uniforms(2);
  EXPECT_THROW(fit_sparse(space, DenseMatrix(3, 2), DenseMatrix(3, 1)), std::invalid_argument);
  EXPECT_THROW(fit_sparse(space, DenseMatrix(9, 2), DenseMatrix(8, 1)), std::invalid_argument);
  EXPECT_THROW(fit_sparse(space, DenseMatrix(9, 2), DenseMatrix(9, 1), {.most_degree = 0}),
               std::invalid_argument);
}

}  // namespace
}  // namespace tumble
