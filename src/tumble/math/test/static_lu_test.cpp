#include "tumble/math/static_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "tumble/math/equilibration.hpp"

namespace tumble {
namespace {

using Values = std::vector<double>;
using Samples = std::vector<Values>;

/// A pattern with one set of values, convenient to write tests with.
struct Matrix {
  SparsePattern pattern;
  Values values;

  double& operator()(int row, int col) {
    return values.at(static_cast<std::size_t>(pattern.slot(row, col)));
  }

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(pattern.n, pattern.n);
    for (int i = 0; i < pattern.n; ++i) {
      for (int s = pattern.row_start[std::size_t(i)]; s < pattern.row_start[std::size_t(i) + 1];
           ++s) {
        a(i, pattern.column[std::size_t(s)]) = values[std::size_t(s)];
      }
    }
    return a;
  }
};

Matrix from_dense(const Eigen::MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  PatternBuilder builder(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (a(i, j) != 0.0) builder.add(i, j);
    }
  }
  Matrix m{builder.build(), {}};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (a(i, j) != 0.0) m.values.push_back(a(i, j));
    }
  }
  return m;
}

Matrix random_sparse(int n, double density, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (std::abs(uniform(random)) < density) a(i, j) = uniform(random);
    }
    a(i, (i + 3) % n) += 2.0;  // a shifted diagonal keeps it regular
  }
  return from_dense(a);
}

/// A chain hanging from the ground: `bodies` of 6 unknowns, five constraints at each joint.
///     [ inertia M   Gᵀ ]
///     [ G           0  ]
Matrix chain(int bodies, double inertia, double constraint, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int n = 11 * bodies, joints = 6 * bodies;
  std::vector<std::tuple<int, int, double>> entries;
  for (int b = 0; b < bodies; ++b) {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        const double m = (i == j ? 3.0 : 0.0) + 0.3 * uniform(random);
        entries.emplace_back(6 * b + i, 6 * b + j, inertia * m);
      }
    }
    for (int c = 0; c < 5; ++c) {
      const int row = joints + 5 * b + c;
      for (int j = (b == 0 ? 0 : -6); j < 6; ++j) {
        const double g = (j == c || j == c - 6 ? 1.0 : 0.0) + 0.2 * uniform(random);
        entries.emplace_back(row, 6 * b + j, constraint * g);
        entries.emplace_back(6 * b + j, row, constraint * g);
      }
    }
  }
  PatternBuilder builder(n);
  for (const auto& [i, j, v] : entries) builder.add(i, j);
  Matrix m{builder.build(), {}};
  m.values.assign(m.pattern.column.size(), 0.0);
  for (const auto& [i, j, v] : entries) m(i, j) = v;
  return m;
}

Elimination schedule_of(const Matrix& m, const EliminationOptions& options = {}) {
  const Samples samples{m.values};
  return std::get<Elimination>(analyze(m.pattern, samples, options));
}

EliminationFailure failure_of(const Matrix& m) {
  const Samples samples{m.values};
  return std::get<EliminationFailure>(analyze(m.pattern, samples));
}

struct Solution {
  bool degraded = false;
  Eigen::VectorXd x;
};

Solution solve_with(const Elimination& schedule, const Matrix& m, const Eigen::VectorXd& rhs) {
  Values factor(static_cast<std::size_t>(schedule.factor_size), 1e300);  // must all be overwritten
  Values scratch(static_cast<std::size_t>(schedule.n));
  Solution s;
  s.degraded = factorize(schedule, m.values.data(), factor.data());
  s.x.resize(schedule.n);
  solve(schedule, factor.data(), rhs.data(), s.x.data(), scratch.data());
  return s;
}

Eigen::VectorXd random_vector(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd v(n);
  for (double& x : v) x = uniform(random);
  return v;
}

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

// --- the order

TEST(Elimination, ChainCostsGrowLinearly) {
  std::mt19937_64 random(4);
  const Elimination small = schedule_of(chain(50, 1.0, 1.0, random));
  const Matrix m = chain(500, 1.0, 1.0, random);
  const Elimination large = schedule_of(m);
  EXPECT_LT(large.multiply_adds, 11.0 * small.multiply_adds);
  EXPECT_LT(large.factor_size, 11.0 * small.factor_size);
  EXPECT_LT(large.factor_size, 3 * m.pattern.nonzeros());
  EXPECT_EQ(large.target.size(), static_cast<std::size_t>(large.multiply_adds));

  const Eigen::VectorXd rhs = random_vector(m.pattern.n, random);
  const Solution s = solve_with(large, m, rhs);
  Eigen::VectorXd residual = -rhs;
  for (int i = 0; i < m.pattern.n; ++i) {
    for (int slot = m.pattern.row_start[std::size_t(i)];
         slot < m.pattern.row_start[std::size_t(i) + 1]; ++slot) {
      residual[i] += m.values[std::size_t(slot)] * s.x[m.pattern.column[std::size_t(slot)]];
    }
  }
  EXPECT_FALSE(s.degraded);
  EXPECT_LT(residual.norm(), 1e-10 * s.x.norm());
}

TEST(Elimination, TriangularMatricesHaveNoFill) {
  // Shuffled so that nothing but the counts shows the triangle.
  const int n = 40;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) a((i * 7) % n, (j * 11) % n) = i == j ? 2.0 : 1.0;
  }
  const Elimination schedule = schedule_of(from_dense(a));
  EXPECT_EQ(schedule.multiply_adds, 0);
  EXPECT_TRUE(schedule.fill.empty());
}

TEST(Elimination, IsDeterministic) {
  std::mt19937_64 random(5);
  const Matrix kkt = chain(40, 1e6, 1.0, random);
  const Matrix scattered = random_sparse(80, 0.1, random);
  for (const Matrix& m : {kkt, scattered}) {
    const Elimination first = schedule_of(m);
    for (int repeat = 0; repeat < 3; ++repeat) EXPECT_TRUE(schedule_of(m) == first);
  }
}

TEST(Elimination, DoesNotDependOnUnits) {
  // Measuring forces in other units (here by an exact factor) must not change the order.
  std::mt19937_64 random(6);
  Matrix m = chain(6, 1.0, 1.0, random);
  const Elimination before = schedule_of(m);
  for (double& v : m.values) v *= 1024.0 * 1024.0;
  const Elimination after = schedule_of(m);
  EXPECT_EQ(before.row_of, after.row_of);
  EXPECT_EQ(before.column_of, after.column_of);
  EXPECT_EQ(before.pivot_reference, after.pivot_reference);
}

TEST(Elimination, StorageIsAPartition) {
  std::mt19937_64 random(7);
  const Elimination s = schedule_of(random_sparse(50, 0.1, random));
  std::vector<int> uses(static_cast<std::size_t>(s.factor_size), 0);
  for (const int p : s.load) ++uses.at(static_cast<std::size_t>(p));
  for (const int p : s.fill) ++uses.at(static_cast<std::size_t>(p));
  for (const int p : s.padding) ++uses.at(static_cast<std::size_t>(p));
  for (const int u : uses) EXPECT_EQ(u, 1);
}

TEST(Elimination, SubstitutionsReadTheFactorFromBeginningToEnd) {
  std::mt19937_64 random(14);
  for (const Matrix& m : {chain(20, 1e6, 1.0, random), random_sparse(50, 0.1, random),
                          from_dense(Eigen::MatrixXd::Random(9, 9))}) {
    const Elimination s = schedule_of(m);
    int entries = 0, next = 0, grouped = 0;
    std::size_t column = 0;
    const auto count = [&](const RowGroup& group, const Substitution& sweep) {
      EXPECT_TRUE(group.rows >= 1 && group.rows <= largest_row_group);
      entries += group.rows * group.columns + group.rows * (group.rows - 1) / 2;
      grouped += group.rows > 1;
      for (int c = 0; c < group.columns; ++c, ++column) {
        const int known = sweep.column.at(column);
        if (&sweep == &s.forward)
          EXPECT_LT(known, group.first);
        else
          EXPECT_GT(known, group.first);
      }
    };
    for (const RowGroup& group : s.forward.groups) {
      EXPECT_EQ(group.first, next);
      count(group, s.forward);
      next += group.rows;
    }
    EXPECT_EQ(next, s.n);
    EXPECT_EQ(column, s.forward.column.size());
    column = 0;
    for (const RowGroup& group : s.backward.groups) {
      EXPECT_EQ(group.first, --next);
      count(group, s.backward);
      next -= group.rows - 1;
    }
    EXPECT_EQ(next, 0);
    EXPECT_EQ(column, s.backward.column.size());
    EXPECT_EQ(entries + s.n, s.factor_size);
    EXPECT_GT(grouped, 0);
  }
}

TEST(Elimination, KeepsTheCheapestOrderTried) {
  std::mt19937_64 random(12);
  const Matrix m = chain(30, 1e6, 1.0, random);
  const auto cost = [&](const EliminationOptions& options) {
    const Elimination s = schedule_of(m, options);
    return s.multiply_adds + s.solve_multiply_adds;
  };
  const EliminationOptions all;
  for (const int lines : all.search_lines) {
    EliminationOptions one;
    one.search_lines = {lines};
    one.search_fronts.clear();
    EXPECT_LE(cost(all), cost(one));
  }
  for (const int front : all.search_fronts) {
    EliminationOptions one;
    one.search_lines.clear();
    one.search_fronts = {front};
    EXPECT_LE(cost(all), cost(one));
  }
}

// --- scaling

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

// --- several samples

TEST(Elimination, PivotsMustBeAcceptableInEverySample) {
  // Each diagonal entry vanishes in one of the samples: only the off-diagonal pair serves both.
  const Matrix m = from_dense((Eigen::Matrix2d() << 1.0, 0.5, 0.4, 1.0).finished());
  const Samples samples{{1.0, 0.5, 0.4, 1e-9}, {1e-9, 0.5, 0.4, 1.0}};
  const auto schedule = std::get<Elimination>(analyze(m.pattern, samples));
  for (int k = 0; k < 2; ++k) {
    EXPECT_NE(schedule.row_of[std::size_t(k)], schedule.column_of[std::size_t(k)]);
  }
  for (const Values& values : samples) {
    const Matrix sample{m.pattern, values};
    const Eigen::Vector2d rhs(1.0, 2.0);
    const Solution s = solve_with(schedule, sample, rhs);
    EXPECT_FALSE(s.degraded);
    EXPECT_LT((sample.dense() * s.x - rhs).norm(), 1e-13);
  }
}

TEST(Elimination, RelaxesTheThresholdWhereSamplesDisagree) {
  // No entry reaches a tenth of its line in both samples, but all reach a hundredth.
  const Matrix m = from_dense((Eigen::Matrix2d() << 1.0, 1.0, 1.0, 1.0).finished());
  const Samples samples{{1.0, 0.05, 0.05, 1.0}, {0.05, 1.0, 1.0, 0.05}};
  const auto schedule = std::get<Elimination>(analyze(m.pattern, samples));
  for (const Values& values : samples) {
    const Matrix sample{m.pattern, values};
    const Eigen::Vector2d rhs(1.0, 2.0);
    const Solution s = solve_with(schedule, sample, rhs);
    EXPECT_FALSE(s.degraded);
    EXPECT_LT((sample.dense() * s.x - rhs).norm(), 1e-12);
  }
}

TEST(Elimination, TellsIncompatibleSamplesFromSingularOnes) {
  const Matrix m = from_dense(Eigen::Matrix2d::Ones());
  const Samples samples{{1.0, 0.0, 0.0, 1.0}, {0.0, 1.0, 1.0, 0.0}};
  const auto failure = std::get<EliminationFailure>(analyze(m.pattern, samples));
  EXPECT_EQ(failure.rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(failure.singular_sample, -1);

  const Samples second_singular{{1.0, 0.0, 0.0, 1.0}, {1.0, 1.0, 1.0, 1.0}};
  EXPECT_EQ(std::get<EliminationFailure>(analyze(m.pattern, second_singular)).singular_sample, 1);
}

TEST(Elimination, RejectsUnusableSamples) {
  const Matrix m = from_dense(Eigen::Matrix2d::Ones());
  EXPECT_THROW(analyze(m.pattern, Samples{}), std::invalid_argument);
  EXPECT_THROW(analyze(m.pattern, Samples{{1.0, 2.0}}), std::invalid_argument);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(analyze(m.pattern, Samples{{1.0, nan, 1.0, 2.0}}), std::invalid_argument);
}

// --- singular matrices

TEST(EliminationFailure, NamesEmptyLines) {
  PatternBuilder builder(4);
  for (const auto& [i, j] : {std::pair(0, 0), {1, 1}, {3, 1}, {3, 3}, {2, 3}}) builder.add(i, j);
  const Matrix m{builder.build(), {1.0, 1.0, 0.0, 2.0, 3.0}};  // row 2 is there, but zero
  const EliminationFailure failure = failure_of(m);
  EXPECT_EQ(failure.rows, (std::vector<int>{2}));
  EXPECT_EQ(failure.columns, (std::vector<int>{2}));
  EXPECT_EQ(failure.singular_sample, 0);
}

TEST(EliminationFailure, NamesRedundantConstraints) {
  // A joint stated twice, at very different scales: rows `original` and `copy` agree but for the
  // factor, so one is left over and both are named as dependent on each other.
  for (const double factor : {1.0, 1e-10, 3e9}) {
    std::mt19937_64 random(8);
    Matrix m = chain(6, 1e4, 1.0, random);
    const int original = 36 + 12, copy = 36 + 13;
    for (int j = 0; j < 36; ++j) {
      if (m.pattern.slot(original, j) < 0) continue;
      m(copy, j) = factor * m(original, j);
      m(j, copy) = factor * m(j, original);
    }
    const EliminationFailure failure = failure_of(m);
    ASSERT_EQ(failure.rows.size(), 1u);
    ASSERT_EQ(failure.columns.size(), 1u);
    EXPECT_TRUE(failure.rows[0] == original || failure.rows[0] == copy);
    EXPECT_TRUE(failure.columns[0] == original || failure.columns[0] == copy);
    EXPECT_EQ(failure.dependent_rows, (std::vector<int>{original, copy}));
    EXPECT_EQ(failure.singular_sample, 0);
  }
}

TEST(EliminationFailure, NamesTheWholeDependency) {
  // Row 4 = row 1 - 2 row 3 in an otherwise regular matrix.
  std::mt19937_64 random(9);
  Eigen::MatrixXd a(6, 6);
  for (int i = 0; i < 6; ++i) a.row(i) = random_vector(6, random);
  a.row(4) = a.row(1) - 2.0 * a.row(3);
  const EliminationFailure failure = failure_of(from_dense(a));
  EXPECT_EQ(failure.rows.size(), 1u);
  EXPECT_EQ(failure.columns.size(), 1u);
  EXPECT_EQ(failure.dependent_rows, (std::vector<int>{1, 3, 4}));
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
