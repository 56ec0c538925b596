// Scaling of rows and columns before pivots are compared.
#include "tumble/math/equilibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sparse_matrices.hpp"

namespace tumble {
namespace {

using namespace testing;

TEST(Equilibration, BringsEveryLineToUnitMaximum) {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> decades(-12.0, 12.0);
  for (int n = 1; n < 40; ++n) {
    const Matrix m = random_sparse(n, 0.2, random);
    Eigen::VectorXd r(n), c(n);
    for (int i = 0; i < n; ++i) {
      r[i] = std::pow(10.0, decades(random));
      c[i] = std::pow(10.0, decades(random));
    }
    const Matrix bad = from_dense(r.asDiagonal() * m.dense() * c.asDiagonal());
    const Equilibration scales = equilibrate(bad.pattern, bad.values);
    Eigen::MatrixXd scaled = bad.dense().cwiseAbs();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const int exponent = scales.row[std::size_t(i)] + scales.column[std::size_t(j)];
        scaled(i, j) = std::ldexp(scaled(i, j), exponent);
      }
    }
    EXPECT_LE(scaled.maxCoeff(), 1.4143);
    EXPECT_GE(scaled.rowwise().maxCoeff().minCoeff(), 0.7071);
    EXPECT_GE(scaled.colwise().maxCoeff().minCoeff(), 0.7071);
  }
}

TEST(Equilibration, DoesNotBuryInertiaUnderConstraints) {
  // Two masses, one constraint: the entry of M that must carry the free direction counts as 1.
  const Matrix m =
      from_dense((Eigen::Matrix3d() << 1.0, 0.0, 1e14, 0.0, 1.0, 1e14, 1e14, 1e14, 0.0).finished());
  const Equilibration s = equilibrate(m.pattern, m.values);
  EXPECT_EQ(std::max(s.row[0] + s.column[0], s.row[1] + s.column[1]), 0);
}

TEST(Equilibration, LeavesZeroLinesAlone) {
  PatternBuilder builder(2);
  for (int i = 0; i < 2; ++i) builder.add(i, 0), builder.add(i, 1);
  const Equilibration s = equilibrate(builder.build(), {0.0, 0.0, 0.0, 1024.0});
  EXPECT_EQ(s.row[0], 0);
  EXPECT_EQ(s.column[0], 0);
  EXPECT_EQ(s.row[1] + s.column[1], -10);
}

}  // namespace
}  // namespace tumble
