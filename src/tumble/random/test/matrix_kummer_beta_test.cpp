// The integral of the Kummer-Beta law of matrices against closed forms, Muirhead's differential
// equations, the series of zonal polynomials, and an integral over eigenvalues.
#include "tumble/random/inertia/matrix_kummer_beta.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <vector>

#include "tumble/random/law/scalar_kummer_beta.hpp"

namespace tumble {
namespace {

using Partition = std::array<int, 3>;

struct Case {
  double a, b;
  Vec3<double> x;
};

// The first is close to case 2 of Batou and Soize; the others have small and large powers, means
// near 0 and near I, negative and mixed signs.
const std::vector<Case> cases = {
    {7.0, 7.0, {33.9, 9.13, -0.92}},         {3.2, 2.5, {3.0, -2.0, 0.5}},
    {3.1, 9.0, {300.0, 200.0, 100.0}},       {5.0, 6.0, {-80.0, -20.0, 40.0}},
    {200.0, 300.0, {2000.0, -1000.0, 50.0}}, {4.0, 1.3, {12.0, 5.0, -3.0}}};
constexpr double fine = 0.5;

TEST(ScalarKummerBeta, WithoutTiltIsBeta) {
  for (const double alpha : {1.0, 2.5, 40.0})
    for (const double beta : {0.05, 0.7, 3.0, 500.0}) {
      const auto law = ScalarKummerBetaRule(alpha, beta, 1.0, fine)(0.0, -38.0);
      const double n = alpha + beta;
      EXPECT_NEAR(law.log_partition, std::lgamma(alpha) + std::lgamma(beta) - std::lgamma(n),
                  1e-12 * n);
      EXPECT_NEAR(law.mean, alpha / n, 1e-13);
      EXPECT_NEAR(law.mean_square, alpha * (alpha + 1.0) / (n * (n + 1.0)), 1e-13);
    }
}

// alpha = beta = 1: (1 - exp(-z))/z.
TEST(ScalarKummerBeta, WithoutPowersIsExponential) {
  const ScalarKummerBetaRule rule(1.0, 1.0, 1000.0, fine);
  for (const double z : {-600.0, -30.0, -1.0, 0.5, 20.0, 49.0, 51.0, 900.0}) {
    const auto law = rule(z, -38.0);
    const double log_integral =
        z > 0 ? std::log(-std::expm1(-z) / z) : -z + std::log(-std::expm1(z) / -z);
    EXPECT_NEAR(law.log_partition, log_integral, 1e-12 * (1.0 + std::abs(z))) << z;
    EXPECT_NEAR(law.mean, 1.0 / z - 1.0 / std::expm1(z), 1e-12) << z;
  }
}

TEST(MatrixKummerBeta, WithoutTiltIsMatrixBeta) {
  for (const Case& c : cases) {
    const auto law = matrix_kummer_beta(c.a, c.b, {0.0, 0.0, 0.0}, fine);
    const double n = c.a + c.b;
    EXPECT_NEAR(law.log_partition, log_matrix_beta(c.a, c.b), 1e-11 * std::max(10.0, n)) << n;
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(law.mean[i], c.a / n, 1e-11);
      // A diagonal entry of a matrix Beta variable is a Beta variable.
      EXPECT_NEAR(law.products(i, i), c.a * (c.a + 1.0) / (n * (n + 1.0)), 1e-11);
    }
  }
}

TEST(MatrixKummerBeta, DoesNotDependOnTheOrderOfAxes) {
  for (const Case& c : cases) {
    // With b near 1 the integrand falls slowly and the rule converges a little later.
    const double tolerance = c.b < 2.0 ? 1e-9 : 1e-10;
    const auto law = matrix_kummer_beta(c.a, c.b, c.x, fine);
    const auto turned = matrix_kummer_beta(c.a, c.b, {c.x.z, c.x.x, c.x.y}, fine);
    EXPECT_NEAR(law.log_partition, turned.log_partition,
                tolerance + 1e-14 * std::abs(law.log_partition));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_NEAR(law.products(i, j), turned.products((i + 1) % 3, (j + 1) % 3), tolerance);
        EXPECT_NEAR(law.squares(i, j), turned.squares((i + 1) % 3, (j + 1) % 3), tolerance);
      }
  }
}

// I - B has the parameters b, a, -x: Kummer's transformation.
TEST(MatrixKummerBeta, IsMirroredByKummersTransformation) {
  for (const Case& c : cases) {
    if (c.b < 2.0) continue;  // as the first parameter it must be 2 or more
    const auto law = matrix_kummer_beta(c.a, c.b, c.x, fine);
    const auto mirrored = matrix_kummer_beta(c.b, c.a, -c.x, fine);
    EXPECT_NEAR(law.log_partition, mirrored.log_partition - (c.x.x + c.x.y + c.x.z),
                1e-10 + 1e-14 * std::abs(law.log_partition));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(law.mean[i], 1.0 - mirrored.mean[i], 1e-11);
  }
}

// R. J. Muirhead, "Systems of partial differential equations for hypergeometric functions of matrix
// argument", Ann. Math. Stat. 41 (1970): F(y) = 1F1(a; c; diag(y)) of p rows is the solution,
// analytic at 0, of
//   y_i F_ii + [c - (p-1)/2 - y_i + 1/2 sum_j y_i/(y_i-y_j)] F_i - 1/2 sum_j y_j/(y_i-y_j) F_j
//     = a F,
// j != i. With y = -x, F_i/F = E{B_ii} and F_ii/F = E{B_ii^2}.
TEST(MatrixKummerBeta, SolvesMuirheadsEquations) {
  for (const Case& c : cases) {
    const auto law = matrix_kummer_beta(c.a, c.b, c.x, fine);
    for (int i = 0; i < 3; ++i) {
      const double y = -c.x[i];
      double factor = c.a + c.b - 1.0 - y, left = y * law.products(i, i), size = c.a;
      for (int j = 0; j < 3; ++j) {
        if (j == i) continue;
        factor += 0.5 * y / (y + c.x[j]);
        left += 0.5 * c.x[j] / (y + c.x[j]) * law.mean[j];
      }
      left += factor * law.mean[i];
      size += std::abs(y * law.products(i, i)) + std::abs(factor * law.mean[i]);
      EXPECT_NEAR(left, c.a, 1e-9 * size) << c.a << ' ' << i;
    }
  }
}

TEST(MatrixKummerBeta, HasTheDerivativesOfItsPartitionAsMoments) {
  for (const Case& c : cases) {
    const auto law = matrix_kummer_beta(c.a, c.b, c.x, fine);
    const auto covariance = law.covariance();
    for (int j = 0; j < 3; ++j) {
      // Steps of 0.003 standard deviations of B: differences of second order are off by some 1e-6.
      const double h = 0.003 / std::sqrt(covariance(j, j));
      Vec3<double> plus = c.x, minus = c.x;
      plus[j] += h, minus[j] -= h;
      const auto above = matrix_kummer_beta(c.a, c.b, plus, fine);
      const auto below = matrix_kummer_beta(c.a, c.b, minus, fine);
      const double spread = std::sqrt(covariance(j, j));
      EXPECT_NEAR((below.log_partition - above.log_partition) / (2.0 * h), law.mean[j],
                  1e-5 * spread);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR((below.mean[i] - above.mean[i]) / (2.0 * h), covariance(i, j),
                    1e-5 * spread * std::sqrt(covariance(i, i)));
    }
  }
}

// A change of X by eps (e_i e_j^T + e_j e_i^T) moves its eigenvalues by +-eps^2/(x_i - x_j), so the
// second derivative of the partition in this direction gives E{B_ij^2}.
TEST(MatrixKummerBeta, HasOffDiagonalVariancesFromItsEigenvalues) {
  for (const Case& c : cases) {
    const auto law = matrix_kummer_beta(c.a, c.b, c.x, fine);
    for (int i = 0; i < 3; ++i)
      for (int j = i + 1; j < 3; ++j) {
        const double expected = -0.5 * (law.mean[i] - law.mean[j]) / (c.x[i] - c.x[j]);
        EXPECT_NEAR(law.squares(i, j) / expected, 1.0, 1e-8);
      }
  }
}

// For X = x I the law of the eigenvalues is proportional to
//   prod l_i^(a-2) (1-l_i)^(b-2) exp(-x l_i) prod_{i<j} |l_i - l_j|,
// and the partition is 2 pi^2 times its integral over l_1 > l_2 > l_3.
TEST(MatrixKummerBeta, AgreesWithAnIntegralOverEigenvalues) {
  using Gauss = boost::math::quadrature::gauss<double, 60>;
  const double pi = std::acos(-1.0);
  for (const Case& c : {Case{7.0, 7.0, {9.0, 9.0, 9.0}}, Case{4.0, 3.0, {-6.0, -6.0, -6.0}},
                        Case{3.0, 12.0, {25.0, 25.0, 25.0}}}) {
    const auto weight = [&](double l) {
      return std::pow(l, c.a - 2.0) * std::pow(1.0 - l, c.b - 2.0) * std::exp(-c.x.x * l);
    };
    const double integral = Gauss::integrate(
        [&](double l1) {
          return weight(l1) *
                 Gauss::integrate(
                     [&](double l2) {
                       return weight(l2) * (l1 - l2) *
                              Gauss::integrate(
                                  [&](double l3) { return weight(l3) * (l1 - l3) * (l2 - l3); },
                                  0.0, l2);
                     },
                     0.0, l1);
        },
        0.0, 1.0);
    EXPECT_NEAR(matrix_kummer_beta(c.a, c.b, c.x, fine).log_partition,
                std::log(2.0 * pi * pi * integral), 1e-10);
  }
}

/// Jack polynomials with alpha = 2 in up to three variables, normalised to C_k with
/// sum over |k| = n of C_k = (x_1 + x_2 + x_3)^n: zonal polynomials (R. P. Stanley, Adv. Math. 77,
/// 1989).
class Zonal {
 public:
  explicit Zonal(const Vec3<double>& x) : x_(x) {}

  double operator()(const Partition& k) const {
    double hooks = 1.0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < k[i]; ++j) hooks *= upper_hook(k, i, j) * lower_hook(k, i, j);
    const int n = k[0] + k[1] + k[2];
    return std::exp(n * std::log(2.0) + std::lgamma(n + 1.0)) / hooks * jack(k, 3);
  }

 private:
  static int column(const Partition& k, int j) { return (k[0] > j) + (k[1] > j) + (k[2] > j); }
  static double upper_hook(const Partition& k, int i, int j) {
    return column(k, j) - i - 1 + 2.0 * (k[i] - j);
  }
  static double lower_hook(const Partition& k, int i, int j) {
    return column(k, j) - i + 2.0 * (k[i] - j - 1);
  }
  /// J_k in the first n variables, by taking horizontal strips off.
  double jack(const Partition& k, int n) const {
    for (int i = n; i < 3; ++i)
      if (k[i] > 0) return 0.0;
    if (n == 0) return 1.0;
    double sum = 0.0;
    Partition m{};
    for (m[0] = k[1]; m[0] <= k[0]; ++m[0])
      for (m[1] = k[2]; m[1] <= k[1]; ++m[1])
        for (m[2] = 0; m[2] <= k[2]; ++m[2]) {
          if (m[n - 1] > 0) continue;
          double ratio = 1.0;
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < k[i]; ++j) {
              const bool same = column(k, j) == column(m, j);
              ratio *= same ? upper_hook(k, i, j) : lower_hook(k, i, j);
              if (j < m[i]) ratio /= same ? upper_hook(m, i, j) : lower_hook(m, i, j);
            }
          const int strip = k[0] + k[1] + k[2] - m[0] - m[1] - m[2];
          sum += jack(m, n - 1) * std::pow(x_[n - 1], strip) * ratio;
        }
    return sum;
  }

  Vec3<double> x_;
};

template <class Visit>
void for_each_partition(int n, Visit&& visit) {
  for (int k0 = 0; k0 <= n; ++k0)
    for (int k1 = 0; k1 <= std::min(k0, n - k0); ++k1)
      if (const int k2 = n - k0 - k1; k2 <= k1) visit(Partition{k0, k1, k2});
}

TEST(ZonalPolynomials, AddUpToPowersOfTheTrace) {
  const Zonal zonal({0.7, -0.4, 1.1});
  for (const int n : {1, 4, 9}) {
    double sum = 0.0;
    for_each_partition(n, [&](const Partition& k) { sum += zonal(k); });
    EXPECT_NEAR(sum, std::pow(1.4, n), 1e-12 * std::pow(2.2, n)) << n;
  }
}

// 1F1(a; c; X) = sum_k (a)_k / (c)_k C_k(X) / |k|!,  (a)_k = prod_i prod_{j<k_i} (a - i/2 + j).
TEST(MatrixKummerBeta, AgreesWithTheSeriesOfZonalPolynomials) {
  for (const Case& c : {Case{7.0, 7.0, {1.9, 1.1, -0.6}}, Case{3.2, 1.4, {-1.5, 0.4, 0.9}}}) {
    const Zonal zonal(-c.x);
    double sum = 0.0;
    for (int n = 0; n <= 22; ++n)
      for_each_partition(n, [&](const Partition& k) {
        double term = zonal(k) / std::tgamma(n + 1.0);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < k[i]; ++j) term *= (c.a - 0.5 * i + j) / (c.a + c.b - 0.5 * i + j);
        sum += term;
      });
    EXPECT_NEAR(matrix_kummer_beta(c.a, c.b, c.x, fine).log_partition,
                log_matrix_beta(c.a, c.b) + std::log(sum), 1e-10);
  }
}

// At the default step of the solver's first pass.
TEST(MatrixKummerBeta, ConvergesWithItsStep) {
  const Case& c = cases[0];
  const double exact = matrix_kummer_beta(c.a, c.b, c.x, 0.4).log_partition;
  EXPECT_NEAR(matrix_kummer_beta(c.a, c.b, c.x, 0.7).log_partition, exact, 1e-10);
  EXPECT_NEAR(matrix_kummer_beta(c.a, c.b, c.x, 0.55).log_partition, exact, 1e-13);
}

}  // namespace
}  // namespace tumble
