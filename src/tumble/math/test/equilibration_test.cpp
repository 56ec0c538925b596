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

TEST(Equilibration, TreatsManyUnknownsAsItTreatsFew) {
  // Of 2000 pairs of masses with a constraint each, coupled weakly to their neighbours.
  const int blocks = 2000;
  PatternBuilder builder(3 * blocks);
  const auto each = [&](const auto& f) {
    for (int b = 0; b < blocks; ++b) {
      for (int i = 0; i < 2; ++i) {
        f(3 * b + i, 3 * b + i, 1.0);
        f(3 * b + i, 3 * b + 2, 1e14), f(3 * b + 2, 3 * b + i, 1e14);
      }
      if (b > 0) f(3 * b, 3 * b - 2, 1e-3);
    }
  };
  each([&](int i, int j, double) { builder.add(i, j); });
  Matrix m{builder.build(), {}};
  m.values.assign(m.pattern.column.size(), 0.0);
  each([&](int i, int j, double value) { m(i, j) = value; });
  const Equilibration s = equilibrate(m.pattern, m.values);
  const auto scaled = [&](int i, int j, double value) {
    return std::ldexp(value, s.row[std::size_t(i)] + s.column[std::size_t(j)]);
  };
  each([&](int i, int j, double value) { EXPECT_LE(scaled(i, j, value), 1.4143); });
  for (int b = 0; b < blocks; ++b) {
    const int k = 3 * b;
    EXPECT_GE(std::max(scaled(k, k, 1.0), scaled(k + 1, k + 1, 1.0)), 0.7071) << b;
  }
}

TEST(Equilibration, LeavesLinesOfALargeSingularMatrixAlone) {
  const int n = 3000;
  PatternBuilder builder(n);
  for (int i = 0; i < n; ++i) builder.add(i, i), builder.add(i, 0);
  Matrix m{builder.build(), {}};
  m.values.assign(m.pattern.column.size(), 4.0);
  m(17, 17) = 0.0;  // rows 0 and 17 have column 0 only
  const Equilibration s = equilibrate(m.pattern, m.values);
  for (int i = 0; i < n; ++i) {
    const int largest = std::max(i == 17 ? -1000 : s.row[std::size_t(i)] + s.column[std::size_t(i)],
                                 s.row[std::size_t(i)] + s.column[0]);
    EXPECT_EQ(largest, -2) << i;
  }
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
