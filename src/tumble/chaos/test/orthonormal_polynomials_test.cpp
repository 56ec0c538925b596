// The classical families against their closed forms, and Gauss rules against tables and moments.
#include "tumble/chaos/basis/orthonormal_polynomials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/basis/gauss_rule.hpp"

namespace tumble {
namespace {

/// Eigenvalues are good to some n eps ||T||, 2e-15 for the rules below; the last bits depend on how
/// the compiler arranges sums.
constexpr double node_accuracy = 1e-14;

std::vector<double> values(const OrthonormalPolynomials& polynomials, double x) {
  std::vector<double> p(static_cast<std::size_t>(polynomials.degree()) + 1);
  polynomials.evaluate(x, p);
  return p;
}

TEST(OrthonormalPolynomials, HaveTheirClosedForms) {
  for (const double x : {-2.3, -0.4, 0.0, 0.7, 1.9}) {
    // He_n / sqrt(n!)
    const auto hermite = values(hermite_polynomials(5), x);
    EXPECT_NEAR(hermite[3], (x * x * x - 3 * x) / std::sqrt(6.0), 1e-14);
    EXPECT_NEAR(hermite[5], (std::pow(x, 5) - 10 * x * x * x + 15 * x) / std::sqrt(120.0), 1e-13);
    // sqrt(2 n + 1) P_n
    const auto legendre = values(legendre_polynomials(4), x);
    EXPECT_NEAR(legendre[3], std::sqrt(7.0) * (5 * x * x * x - 3 * x) / 2, 1e-13);
    EXPECT_NEAR(legendre[4], 3 * (35 * std::pow(x, 4) - 30 * x * x + 3) / 8, 1e-12);
    // (-1)^n L_n^(alpha) / sqrt(binomial(n + alpha, n)), alpha = shape - 1
    const double alpha = 1.5;
    const auto laguerre = values(laguerre_polynomials(alpha + 1, 2), x);
    EXPECT_NEAR(laguerre[1], (x - 1 - alpha) / std::sqrt(1 + alpha), 1e-14);
    EXPECT_NEAR(laguerre[2],
                (x * x / 2 - (alpha + 2) * x + (alpha + 1) * (alpha + 2) / 2) /
                    std::sqrt((alpha + 1) * (alpha + 2) / 2),
                1e-13);
    // Chebyshev: sqrt(2) T_n for both exponents -1/2, U_n for both 1/2
    const auto first = values(jacobi_polynomials(-0.5, -0.5, 3), x);
    EXPECT_NEAR(first[3], std::sqrt(2.0) * (4 * x * x * x - 3 * x), 1e-13);
    const auto second = values(jacobi_polynomials(0.5, 0.5, 3), x);
    EXPECT_NEAR(second[3], 8 * x * x * x - 4 * x, 1e-13);
    // Exponents 0 and 0: Legendre
    EXPECT_NEAR(values(jacobi_polynomials(0, 0, 4), x)[4], legendre[4], 1e-12);
  }
  // (1 - x)^1 (1 + x)^0 / 2: mean -1/3, variance 2/9
  const auto jacobi = jacobi_polynomials(1, 0, 1);
  EXPECT_NEAR(jacobi.a(0), -1.0 / 3, 1e-15);
  EXPECT_NEAR(jacobi.b(1), 2.0 / 9, 1e-15);
}

TEST(OrthonormalPolynomials, AreOrthonormalUnderTheirGaussRules) {
  const int degree = 30;
  const std::vector<OrthonormalPolynomials> families = {
      hermite_polynomials(degree),           legendre_polynomials(degree),
      laguerre_polynomials(0.3, degree),     laguerre_polynomials(4, degree),
      jacobi_polynomials(-0.7, 2.5, degree), jacobi_polynomials(-0.4, -0.6, degree)};
  for (std::size_t f = 0; f < families.size(); ++f) {
    const QuadratureRule rule = gauss_rule(families[f], degree + 1);
    std::vector<std::vector<double>> p;
    for (const double x : rule.nodes) p.push_back(values(families[f], x));
    for (std::size_t i = 0; i <= degree; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t n = 0; n < p.size(); ++n) sum += rule.weights[n] * p[n][i] * p[n][j];
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12) << f << " " << i << " " << j;
      }
  }
}

TEST(OrthonormalPolynomials, RefuseWhatTheyCannotBe) {
  EXPECT_THROW(hermite_polynomials(-1), std::invalid_argument);
  EXPECT_THROW(hermite_polynomials(101), std::invalid_argument);
  EXPECT_THROW(laguerre_polynomials(0, 3), std::invalid_argument);
  EXPECT_THROW(jacobi_polynomials(-1, 0, 3), std::invalid_argument);
  EXPECT_THROW(gauss_rule(hermite_polynomials(3), 5), std::invalid_argument);
  EXPECT_THROW(gauss_rule(hermite_polynomials(3), 0), std::invalid_argument);
  std::vector<double> five(5);
  EXPECT_THROW(hermite_polynomials(3).evaluate(0, five), std::invalid_argument);
}

// Wu et al. (2016), section 6: collocation points of degrees 5 and 2.
TEST(GaussRule, HasThePointsOfThePaper) {
  const QuadratureRule six = gauss_rule(hermite_polynomials(5), 6);
  const double expected[] = {-3.3243, -1.8892, -0.6167, 0.6167, 1.8892, 3.3243};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(six.nodes[i], expected[i], 5e-5);
  const QuadratureRule three = gauss_rule(hermite_polynomials(2), 3);
  EXPECT_NEAR(three.nodes[0], -std::sqrt(3.0), node_accuracy);
  EXPECT_EQ(three.nodes[1], 0);
  EXPECT_NEAR(three.nodes[2], std::sqrt(3.0), node_accuracy);
  EXPECT_NEAR(three.weights[1], 2.0 / 3, node_accuracy);
  // Eq. (37): w_j = k! / (k^2 He_{k-1}(e_j)^2) = 1 / (k p_{k-1}(e_j)^2)
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(six.weights[i],
                1 / (6 * std::pow(values(hermite_polynomials(5), six.nodes[i])[5], 2)), 1e-14);
}

// M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, tables 25.9 and 25.4.
TEST(GaussRule, AgreesWithTables) {
  const QuadratureRule laguerre = gauss_rule(laguerre_polynomials(1, 2), 3);
  const double nodes[] = {0.415774556783, 2.294280360279, 6.289945082937};
  const double weights[] = {0.711093009929, 0.278517733569, 0.0103892565016};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(laguerre.nodes[i], nodes[i], 1e-12);
    EXPECT_NEAR(laguerre.weights[i], weights[i], 1e-12);
  }
  const QuadratureRule legendre = gauss_rule(legendre_polynomials(9), 10);
  EXPECT_NEAR(legendre.nodes[9], 0.973906528517171720, node_accuracy);
  EXPECT_NEAR(legendre.weights[9], 0.066671344308688138 / 2, node_accuracy);
  // Chebyshev: cos((2 i - 1) pi / (2 n)), equal weights.
  const QuadratureRule chebyshev = gauss_rule(jacobi_polynomials(-0.5, -0.5, 6), 7);
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(chebyshev.nodes[6 - i],
                std::cos((2 * static_cast<double>(i) + 1) * std::numbers::pi / 14), node_accuracy);
    EXPECT_NEAR(chebyshev.weights[i], 1.0 / 7, 1e-14);
  }
}

TEST(GaussRule, IntegratesMomentsExactly) {
  for (const int points : {1, 2, 5, 20, 101}) {
    const QuadratureRule hermite = gauss_rule(hermite_polynomials(points - 1), points);
    const QuadratureRule gamma = gauss_rule(laguerre_polynomials(2.5, points - 1), points);
    double even = 1,
           rising = 1;  // E{Z^(2k)} = (2k - 1)!!, E{G^k} = 2.5 (2.5 + 1) ... (2.5 + k - 1)
    const int highest = std::min(2 * points - 1, 40);
    for (int k = 0; k <= highest; ++k) {
      double z = 0, g = 0;
      for (std::size_t i = 0; i < hermite.nodes.size(); ++i) {
        z += hermite.weights[i] * std::pow(hermite.nodes[i], k);
        g += gamma.weights[i] * std::pow(gamma.nodes[i], k);
      }
      EXPECT_NEAR(g / rising, 1, 1e-12 * (k + 1)) << points << " " << k;
      if (k % 2 == 0) {
        EXPECT_NEAR(z / even, 1, 1e-12 * (k + 1)) << points << " " << k;
      } else {
        EXPECT_NEAR(z / even, 0, 1e-10);
      }
      rising *= 2.5 + k;
      if (k % 2 == 0) even *= k + 1;
    }
  }
}

TEST(GaussRule, IsSymmetricToTheLastBit) {
  for (const int points : {4, 7, 50}) {
    const QuadratureRule rule = gauss_rule(hermite_polynomials(points - 1), points);
    const std::size_t n = rule.nodes.size();
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(rule.nodes[i], -rule.nodes[n - 1 - i]);
      EXPECT_EQ(rule.weights[i], rule.weights[n - 1 - i]);
    }
  }
}

}  // namespace
}  // namespace tumble
