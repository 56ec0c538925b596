// Factors and solutions on a schedule: their accuracy, their monitor, and lanes side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "sparse_matrices.hpp"

namespace tumble {
namespace {

using namespace testing;

// --- the pattern

TEST(SparsePattern, SortsAndMergesEntries) {
  PatternBuilder builder(3);
  builder.add(2, 1);
  builder.add(0, 2);
  builder.add(0, 0);
  builder.add(2, 1);
  const SparsePattern pattern = builder.build();
  EXPECT_EQ(pattern.nonzeros(), 3);
  EXPECT_EQ(pattern.row_start, (std::vector<int>{0, 2, 2, 3}));
  EXPECT_EQ(pattern.slot(0, 0), 0);
  EXPECT_EQ(pattern.slot(0, 2), 1);
  EXPECT_EQ(pattern.slot(2, 1), 2);
  EXPECT_EQ(pattern.slot(0, 1), -1);
  EXPECT_EQ(pattern.slot(1, 1), -1);
}

// --- solutions

TEST(StaticLu, AgreesWithDenseLuOnRandomMatrices) {
  std::mt19937_64 random(1);
  for (int n = 1; n <= 60; ++n) {
    for (const double density : {0.05, 0.2, 1.0}) {
      const Matrix m = random_sparse(n, density, random);
      const Eigen::VectorXd rhs = random_vector(n, random);
      const Eigen::FullPivLU<Eigen::MatrixXd> reference(m.dense());
      const Eigen::VectorXd expected = reference.solve(rhs);
      const Solution s = solve_with(schedule_of(m), m, rhs);
      EXPECT_FALSE(s.degraded);
      EXPECT_LT((s.x - expected).norm(), 1e-13 / reference.rcond() * expected.norm())
          << "n = " << n << ", density " << density;
    }
  }
}

TEST(StaticLu, SolvesInPlace) {
  std::mt19937_64 random(2);
  const Matrix m = random_sparse(20, 0.2, random);
  const Elimination schedule = schedule_of(m);
  const Eigen::VectorXd rhs = random_vector(20, random);
  const Eigen::VectorXd expected = solve_with(schedule, m, rhs).x;
  Values factor(static_cast<std::size_t>(schedule.factor_size)), scratch(20);
  factorize(schedule, m.values.data(), factor.data());
  Eigen::VectorXd x = rhs;
  solve(schedule, factor.data(), x.data(), x.data(), scratch.data());
  EXPECT_EQ(x, expected);
}

TEST(StaticLu, SurvivesBadScaling) {
  // Inertia against constraint rows, 14 orders apart either way. The exact answer for the scaled
  // matrix follows from that for the unit one: x scales by 1/inertia, multipliers by 1/constraint.
  for (const auto& [inertia, constraint] : {std::pair(1e14, 1.0), std::pair(1.0, 1e14)}) {
    std::mt19937_64 random(3), again(3);
    const Matrix unit = chain(5, 1.0, 1.0, random);
    const Matrix scaled = chain(5, inertia, constraint, again);
    const int bodies = 30, n = 55;
    Eigen::VectorXd rhs = random_vector(n, random);
    rhs.tail(n - bodies).setZero();
    const Eigen::VectorXd expected = unit.dense().fullPivLu().solve(rhs);
    const Elimination schedule = schedule_of(scaled);
    const Eigen::VectorXd x = solve_with(schedule, scaled, rhs).x;
    const double error_x = (x.head(bodies) * inertia - expected.head(bodies)).norm();
    const double error_multiplier =
        (x.tail(n - bodies) * constraint - expected.tail(n - bodies)).norm();
    EXPECT_LT(error_x, 1e-11 * expected.norm());
    EXPECT_LT(error_multiplier, 1e-11 * expected.norm());
    // The order must not suffer either.
    EXPECT_LT(schedule.multiply_adds, 1.2 * schedule_of(unit).multiply_adds);
  }
}

TEST(StaticLu, NeverPivotsOnAnEntryThatIsZeroInAllSamples) {
  // The short rows and columns are the tempting ones: (0,0) would cost nothing but is zero.
  PatternBuilder builder(3);
  for (const auto& [i, j] : {std::pair(0, 0), {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}}) {
    builder.add(i, j);
  }
  Matrix m{builder.build(), {0.0, 2.0, 3.0, 1.0, 1.0, 1.0, 4.0}};
  const Eigen::Vector3d rhs(1.0, 2.0, 3.0);
  const Elimination schedule = schedule_of(m);
  const Solution s = solve_with(schedule, m, rhs);
  EXPECT_FALSE(s.degraded);
  EXPECT_LT((m.dense() * s.x - rhs).norm(), 1e-14);
  m(0, 0) = 0.5;  // it is in the pattern, so it may come alive later
  EXPECT_LT((m.dense() * solve_with(schedule, m, rhs).x - rhs).norm(), 1e-14);
}

// Panels change no bit: every step by itself, on the matrix in the order of the schedule.
TEST(StaticLu, EliminatesAsIfEachStepWentAlone) {
  std::mt19937_64 random(16);
  std::set<int> sizes;
  const auto expect_same = [&](const Matrix& m) {
    const Elimination s = schedule_of(m);
    for (const Panel& panel : s.panels) sizes.insert(panel.steps);
    Values factor(static_cast<std::size_t>(s.factor_size)), scratch(std::size_t(s.n));
    ASSERT_FALSE(factorize(s, m.values.data(), factor.data()));
    const Eigen::MatrixXd dense = m.dense();
    Eigen::MatrixXd a(s.n, s.n);
    for (int i = 0; i < s.n; ++i)
      for (int j = 0; j < s.n; ++j)
        a(i, j) = dense(s.row_of[std::size_t(i)], s.column_of[std::size_t(j)]);
    for (int k = 0; k < s.n; ++k) {
      const double reciprocal = 1 / a(k, k);
      for (int i = k + 1; i < s.n; ++i) {
        a(i, k) = a(i, k) * reciprocal;
        for (int j = k + 1; j < s.n; ++j) a(i, j) = std::fma(-a(i, k), a(k, j), a(i, j));
      }
      for (int j = k + 1; j < s.n; ++j) a(k, j) = a(k, j) * reciprocal;
      a(k, k) = reciprocal;
    }
    // The factor's entries in the order in which the substitutions read them, padding aside.
    const std::set<int> padding(s.padding.begin(), s.padding.end());
    int at = 0;
    const auto expect_next = [&](int row, int column) {
      if (!padding.contains(at)) {
        EXPECT_EQ(factor[std::size_t(at)], a(row, column)) << row << ", " << column;
      }
      ++at;
    };
    std::size_t column = 0;
    for (const RowGroup& group : s.forward.groups) {
      for (int c = 0; c < group.columns; ++c, ++column)
        for (int r = 0; r < group.rows; ++r) expect_next(group.first + r, s.forward.column[column]);
      for (int c = 0; c < group.rows; ++c)
        for (int r = c + 1; r < group.rows; ++r) expect_next(group.first + r, group.first + c);
    }
    column = 0;
    for (const RowGroup& group : s.backward.groups) {
      for (int r = 0; r < group.rows; ++r) expect_next(group.first - r, group.first - r);
      for (int c = 0; c < group.columns; ++c, ++column)
        for (int r = 0; r < group.rows; ++r)
          expect_next(group.first - r, s.backward.column[column]);
      for (int c = 0; c < group.rows; ++c)
        for (int r = c + 1; r < group.rows; ++r) expect_next(group.first - r, group.first - c);
    }
    EXPECT_EQ(at, s.factor_size);
  };
  for (int n = 1; n <= 60; n += 7)
    for (const double density : {0.05, 0.2, 1.0}) expect_same(random_sparse(n, density, random));
  expect_same(random_sparse(150, 1.0, random));  // more columns than are eliminated at a time
  expect_same(chain(8, 1e4, 1.0, random));
  EXPECT_EQ(sizes, (std::set<int>{1, 2, 3, 4}));
}

// --- the monitor

TEST(Monitor, FlagsAWitheredPivotAndNotBefore) {
  const Matrix m = from_dense((Eigen::Matrix2d() << 4.0, 1.0, 1.0, 5.0).finished());
  const Elimination schedule = schedule_of(m);
  const int first = schedule.row_of[0];
  ASSERT_EQ(schedule.column_of[0], first);
  const double reference = m.dense()(first, first);
  const auto degraded = [&](double pivot) {
    Matrix other = m;
    other(first, first) = pivot;
    return solve_with(schedule, other, Eigen::Vector2d(1.0, 1.0)).degraded;
  };
  for (const double fraction : {1e3, 1.0, 0.1, -0.1, 1.01e-4}) {
    EXPECT_FALSE(degraded(fraction * reference)) << fraction;
  }
  for (const double fraction : {0.99e-4, -0.99e-4, 1e-12, 0.0}) {
    EXPECT_TRUE(degraded(fraction * reference)) << fraction;
  }
  EXPECT_TRUE(degraded(std::numeric_limits<double>::quiet_NaN()));
}

TEST(Monitor, ToleratesTheRangeOfARandomMass) {
  std::mt19937_64 random(10);
  const Matrix m = chain(5, 1e10, 1.0, random);
  const Elimination schedule = schedule_of(m);
  const Eigen::VectorXd rhs = random_vector(55, random);
  for (const double ratio : {0.05, 0.3, 3.0, 20.0}) {
    Matrix heavier = m;
    for (int i = 24; i < 30; ++i) {
      for (int j = 24; j < 30; ++j) heavier(i, j) *= ratio;
    }
    EXPECT_FALSE(solve_with(schedule, heavier, rhs).degraded);
  }
}

TEST(Monitor, FlagsCancellationInALaterPivot) {
  // All entries are healthy; the second pivot, 2 - 2·2/2 = 0, vanishes during elimination.
  const Matrix m = from_dense((Eigen::Matrix2d() << 2.0, 1.0, 1.0, 2.0).finished());
  const Elimination schedule = schedule_of(m);
  Matrix singular = m;
  singular(0, 1) = 2.0;
  singular(1, 0) = 2.0;
  EXPECT_TRUE(solve_with(schedule, singular, Eigen::Vector2d(1.0, 1.0)).degraded);
}

TEST(Monitor, WatchesMultipliersOnRequest) {
  Matrix m = from_dense((Eigen::Matrix2d() << 4.0, 1.0, 1.0, 5.0).finished());
  const Elimination schedule = schedule_of(m);
  Values factor(4);
  const auto both = [&] {
    const bool pivots = factorize(schedule, m.values.data(), factor.data());
    const bool multipliers =
        factorize<double, Watch::multipliers>(schedule, m.values.data(), factor.data());
    return std::pair(pivots, multipliers);
  };
  EXPECT_EQ(both(), std::pair(false, false));
  m(schedule.row_of[1], schedule.column_of[0]) = 1e7;  // all pivots stay large
  EXPECT_EQ(both(), std::pair(false, true));
}

// --- lanes

/// A minimal pack, standing in for SIMD: its mask, like a real one, does not convert to bool.
struct Lanes {
  std::array<double, 3> v{};
  Lanes() = default;
  explicit Lanes(double x) { v.fill(x); }
};
struct LaneMask {
  std::array<bool, 3> v{};
};
template <class F>
Lanes each(const Lanes& a, const Lanes& b, F f) {
  Lanes r;
  for (std::size_t i = 0; i < 3; ++i) r.v[i] = f(a.v[i], b.v[i]);
  return r;
}
Lanes operator+(const Lanes& a, const Lanes& b) {
  return each(a, b, [](double x, double y) { return x + y; });
}
Lanes fnma(const Lanes& a, const Lanes& b, const Lanes& c) {
  Lanes r;
  for (std::size_t i = 0; i < 3; ++i) r.v[i] = std::fma(-a.v[i], b.v[i], c.v[i]);
  return r;
}
Lanes operator*(const Lanes& a, const Lanes& b) {
  return each(a, b, [](double x, double y) { return x * y; });
}
Lanes operator/(const Lanes& a, const Lanes& b) {
  return each(a, b, [](double x, double y) { return x / y; });
}
Lanes abs(const Lanes& a) {
  return each(a, a, [](double x, double) { return std::abs(x); });
}
template <class F>
LaneMask compare(const Lanes& a, const Lanes& b, F f) {
  LaneMask r;
  for (std::size_t i = 0; i < 3; ++i) r.v[i] = f(a.v[i], b.v[i]);
  return r;
}
LaneMask operator<(const Lanes& a, const Lanes& b) {
  return compare(a, b, [](double x, double y) { return x < y; });
}
LaneMask operator>=(const Lanes& a, const Lanes& b) {
  return compare(a, b, [](double x, double y) { return x >= y; });
}
Lanes select(const LaneMask& m, const Lanes& a, const Lanes& b) {
  Lanes r;
  for (std::size_t i = 0; i < 3; ++i) r.v[i] = m.v[i] ? a.v[i] : b.v[i];
  return r;
}

TEST(Lanes, AreBitwiseIndependentOfTheirNeighbours) {
  std::mt19937_64 random(11);
  const Matrix nominal = chain(5, 1e8, 1.0, random);
  const Elimination schedule = schedule_of(nominal);
  std::array<Matrix, 3> lane{nominal, nominal, nominal};
  for (double& v : lane[0].values) v *= 1.5;
  for (double& v : lane[1].values) v = std::numeric_limits<double>::quiet_NaN();  // gone astray
  const Eigen::VectorXd rhs = random_vector(55, random);

  std::vector<Lanes> values(nominal.values.size()), b(55), x(55), scratch(55);
  std::vector<Lanes> factor(static_cast<std::size_t>(schedule.factor_size));
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t s = 0; s < values.size(); ++s) values[s].v[i] = lane[i].values[s];
    for (std::size_t r = 0; r < b.size(); ++r) b[r].v[i] = rhs[static_cast<int>(r)];
  }
  const LaneMask degraded = factorize(schedule, values.data(), factor.data());
  solve(schedule, factor.data(), b.data(), x.data(), scratch.data());
  EXPECT_EQ(degraded.v, (std::array<bool, 3>{false, true, false}));
  for (const std::size_t i : {0u, 2u}) {
    const Solution alone = solve_with(schedule, lane[i], rhs);
    for (std::size_t r = 0; r < x.size(); ++r) {
      EXPECT_EQ(x[r].v[i], alone.x[static_cast<int>(r)]);
    }
  }
}

}  // namespace
}  // namespace tumble
