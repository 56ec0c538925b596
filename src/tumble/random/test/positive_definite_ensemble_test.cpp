// The ensemble SG+0 against closed forms: G is a Wishart matrix of nu = (n+1)/delta^2 degrees of
// freedom, divided by nu. Limits are for a false-alarm rate of 1e-6 each (5 standard errors).
#include "tumble/random/matrix/positive_definite_ensemble.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "sample_statistics.hpp"
#include "tumble/random/law/scalar_law.hpp"
#include "tumble/random/stream/stream.hpp"

namespace tumble {
namespace {

using Eigen::MatrixXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Draws by inversion of the laws of the germ, as studies do.
class Sampler {
 public:
  explicit Sampler(const PositiveDefiniteEnsemble& ensemble) : n_(ensemble.size()) {
    for (const ScalarLawParameters& law : ensemble.germ_laws()) laws_.emplace_back(law);
  }
  MatrixXd draw(std::uint64_t number) const {
    std::vector<double> germ;
    for (std::size_t i = 0; i < laws_.size(); ++i)
      germ.push_back(laws_[i].quantile(Stream(7, number, i).uniform(0)));
    RowMajor deviation(n_, n_);
    normalized_deviation(n_, germ, {deviation.data(), static_cast<std::size_t>(n_ * n_)});
    return MatrixXd(deviation) + MatrixXd::Identity(n_, n_);
  }

 private:
  int n_;
  std::vector<ScalarLaw> laws_;
};

/// Mean and variance of what is added.
struct Estimate {
  double sum = 0, squares = 0, count = 0;
  void add(double x) { sum += x, squares += x * x, ++count; }
  double mean() const { return sum / count; }
  double error() const {
    return std::sqrt(std::max(0.0, squares / count - mean() * mean()) / count);
  }
};

void expect_mean(const Estimate& estimate, double exact, const std::string& what) {
  EXPECT_LT(std::abs(estimate.mean() - exact), 5 * estimate.error() + 1e-12)
      << what << ": " << estimate.mean() << " for " << exact << ", standard error "
      << estimate.error();
}

class Ensemble : public testing::TestWithParam<std::pair<int, double>> {};

TEST_P(Ensemble, HasTheMomentsOfItsLaw) {
  const auto [n, delta] = GetParam();
  const double nu = (n + 1) / (delta * delta);
  const Sampler sampler(PositiveDefiniteEnsemble(n, delta));
  Estimate dispersion, trace2, trace3, log_det, inverse, diagonal, across, product;
  MatrixXd mean = MatrixXd::Zero(n, n);
  const int draws = 20000;
  for (int i = 0; i < draws; ++i) {
    const MatrixXd G = sampler.draw(static_cast<std::uint64_t>(i));
    mean += G / draws;
    dispersion.add((G - MatrixXd::Identity(n, n)).squaredNorm() / n);
    const Eigen::LLT<MatrixXd> root(G);
    ASSERT_EQ(root.info(), Eigen::Success);  // positive definite, every one
    const MatrixXd L = root.matrixL();
    log_det.add(2 * L.diagonal().array().log().sum());
    inverse.add(root.solve(MatrixXd::Identity(n, n)).trace() / n);
    trace2.add((G * G).trace() / n);
    trace3.add((G * G * G).trace() / n);
    diagonal.add((G(n - 1, n - 1) - 1) * (G(n - 1, n - 1) - 1));
    if (n > 1) across.add(G(0, n - 1) * G(0, n - 1));
    if (n > 1) product.add((G(0, 0) - 1) * (G(n - 1, n - 1) - 1));
  }
  // Of the mean, entry by entry: Var G_ik = (1 + [i = k]) / nu.
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      EXPECT_LT(std::abs(mean(i, k) - (i == k)), 5 * std::sqrt((i == k ? 2 : 1) / nu / draws))
          << i << k;
  expect_mean(dispersion, delta * delta, "dispersion");
  expect_mean(diagonal, 2 / nu, "variance on the diagonal");
  if (n > 1) expect_mean(across, 1 / nu, "variance beside it");
  if (n > 1) expect_mean(product, 0, "covariance on the diagonal");
  // Traces of powers are sums over the spectrum: A. K. Gupta, D. K. Nagar, Matrix Variate
  // Distributions (2000), section 3.3.
  expect_mean(trace2, (nu + n + 1) / nu, "mean square of the eigenvalues");
  expect_mean(trace3, (nu * nu + 3 * nu * (n + 1) + n * n + 3 * n + 4) / (nu * nu),
              "mean cube of the eigenvalues");
  double exact = n * std::log(2 / nu);
  for (int j = 0; j < n; ++j) exact += boost::math::digamma((nu - j) / 2);
  expect_mean(log_det, exact, "log of the determinant");
  expect_mean(inverse, nu / (nu - n - 1), "inverse");
}

INSTANTIATE_TEST_SUITE_P(Of, Ensemble,
                         testing::Values(std::pair{1, 0.3}, std::pair{3, 0.5}, std::pair{6, 0.2},
                                         std::pair{6, 0.75}),
                         [](const auto& of) {
                           return "n" + std::to_string(of.param.first) + "delta" +
                                  std::to_string(static_cast<int>(100 * of.param.second));
                         });

// The joint density of the eigenvalues a > b of a 2 x 2 Wishart matrix is proportional to
//   (a b)^((nu-3)/2) exp(-(a+b)/2) (a - b).
// The distribution of the larger one, by Simpson's rule; the numbers drawn become uniform by it.
TEST(PositiveDefiniteEnsemble, HasTheSpectrumOfAWishartMatrix) {
  const double delta = 0.6, nu = 3 / (delta * delta);
  const int cells = 400;
  const double end = 60 + nu;
  // F(x) ~ int_0^x a^p e^(-a/2) [a A(a) - B(a)] da, A = int_0^a b^p e^(-b/2), B = int b^(p+1) ...
  std::vector<double> cumulated(cells + 1, 0.0);
  const double p = (nu - 3) / 2, h = end / cells;
  const auto inner = [&](double a, int power) {
    double sum = 0;
    const int m = 200;
    for (int i = 0; i <= m; ++i) {
      const double b = a * i / m, weight = i == 0 || i == m ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * std::pow(b, p + power) * std::exp(-b / 2);
    }
    return sum * a / m / 3;
  };
  const auto density = [&](double a) {
    return a == 0 ? 0 : std::pow(a, p) * std::exp(-a / 2) * (a * inner(a, 0) - inner(a, 1));
  };
  for (int i = 0; i < cells; ++i) {
    const auto at = static_cast<std::size_t>(i);
    cumulated[at + 1] =
        cumulated[at] +
        h / 6 * (density(i * h) + 4 * density((i + 0.5) * h) + density((i + 1) * h));
  }
  const Sampler sampler(PositiveDefiniteEnsemble(2, delta));
  std::vector<double> u;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(sampler.draw(i), Eigen::EigenvaluesOnly);
    const double x = nu * solver.eigenvalues()(1) / h;
    const auto cell = static_cast<std::size_t>(x);
    ASSERT_LT(cell, static_cast<std::size_t>(cells));
    const double rest = x - static_cast<double>(cell);
    u.push_back(((1 - rest) * cumulated[cell] + rest * cumulated[cell + 1]) / cumulated.back());
  }
  EXPECT_LT(samples::kolmogorov(u), samples::kKolmogorovLimit);
}

TEST(PositiveDefiniteEnsemble, NeutralGermChangesNothing) {
  const auto germ = PositiveDefiniteEnsemble::neutral_germ(6);
  std::vector<double> deviation(36, 1.0);
  normalized_deviation(6, germ, deviation);
  for (const double x : deviation) EXPECT_EQ(x, 0);
  EXPECT_EQ(germ.size(), PositiveDefiniteEnsemble::germs(6));
}

// R (G - I) R^T by Eigen, and the same matrix in other units: rows and columns in millimetres.
TEST(PositiveDefiniteEnsemble, IsCarriedToAMatrixInAnyUnits) {
  const int n = 4;
  RowMajor A(n, n), R(n, n), D(n, n), result(n, n);
  A << 5, 1, 0.2, -1, 1, 4, 0.5, 0.3, 0.2, 0.5, 3, 0.1, -1, 0.3, 0.1, 2;
  const std::vector<double> germ = {1.2, 0.7, 0.9, 1.5, 0.3, -0.2, 0.1, 0.4, -0.6, 0.25};
  const auto span = [&](RowMajor& M) { return std::span<double>(M.data(), 16); };
  normalized_deviation(n, germ, span(D));
  ASSERT_TRUE(lower_root(n, span(A), span(R)));
  EXPECT_LT((R * R.transpose() - A).norm(), 1e-14);
  congruent(n, span(R), span(D), span(result));
  EXPECT_LT((result - R * D * R.transpose()).norm(), 1e-14);
  EXPECT_EQ(result, RowMajor(result.transpose()));
  const Eigen::Vector4d units(1000, 1, 1e-3, 1);
  RowMajor B = units.asDiagonal() * A * units.asDiagonal(), root(n, n), other(n, n);
  ASSERT_TRUE(lower_root(n, span(B), span(root)));
  congruent(n, span(root), span(D), span(other));
  EXPECT_LT((units.cwiseInverse().asDiagonal() * other * units.cwiseInverse().asDiagonal() - result)
                .norm(),
            1e-13);
}

TEST(PositiveDefiniteEnsemble, RefusesWhatHasNoVariance) {
  EXPECT_NO_THROW(PositiveDefiniteEnsemble(6, 0.797));
  EXPECT_NO_THROW(PositiveDefiniteEnsemble(6, 1e-9));
  for (const double delta : {0.0, -0.1, 0.798, 2.0, std::nan("")})
    EXPECT_THROW(PositiveDefiniteEnsemble(6, delta), std::invalid_argument) << delta;
  EXPECT_THROW(PositiveDefiniteEnsemble(0, 0.1), std::invalid_argument);
  std::vector<double> indefinite = {1, 2, 2, 1}, singular = {1, 1, 1, 1}, root(4);
  EXPECT_FALSE(lower_root(2, indefinite, root));
  EXPECT_FALSE(lower_root(2, singular, root));
}

}  // namespace
}  // namespace tumble
