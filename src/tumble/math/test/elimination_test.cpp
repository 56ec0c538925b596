// The analysis that finds pivots: what it costs, what it depends on, and what it says of matrices
// that have none.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sparse_matrices.hpp"

namespace tumble {
namespace {

using namespace testing;

// --- the order

TEST(Elimination, ChainCostsGrowLinearly) {
  std::mt19937_64 random(4);
  const Elimination small = schedule_of(chain(50, 1.0, 1.0, random));
  const Matrix m = chain(500, 1.0, 1.0, random);
  const Elimination large = schedule_of(m);
  EXPECT_LT(large.multiply_adds, 11.0 * small.multiply_adds);
  EXPECT_LT(large.factor_size, 11.0 * small.factor_size);
  EXPECT_LT(large.factor_size, 3 * m.pattern.nonzeros());

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

TEST(Elimination, LargeChainsCostNoMoreForEachBody) {
  // Beyond EliminationOptions::large fewer orders are tried.
  std::mt19937_64 random(14);
  const Elimination small = schedule_of(chain(200, 1.0, 1.0, random));
  const Matrix m = chain(2000, 1.0, 1.0, random);
  ASSERT_GT(m.pattern.n, EliminationOptions{}.large);
  const Elimination large = schedule_of(m);
  EXPECT_LT(large.multiply_adds, 10.5 * small.multiply_adds);
  EXPECT_LT(large.factor_size, 10.5 * small.factor_size);

  const Eigen::VectorXd rhs = random_vector(m.pattern.n, random);
  const Solution s = solve_with(large, m, rhs);
  Eigen::VectorXd residual = -rhs;
  for (int i = 0; i < m.pattern.n; ++i)
    for (int slot = m.pattern.row_start[std::size_t(i)];
         slot < m.pattern.row_start[std::size_t(i) + 1]; ++slot)
      residual[i] += m.values[std::size_t(slot)] * s.x[m.pattern.column[std::size_t(slot)]];
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

/// A chain of nodes, each with so many unknowns that all depend on those of its neighbours.
Matrix block_chain(int nodes, int unknowns, std::mt19937_64& random) {
  const int n = nodes * unknowns;
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (std::abs(i / unknowns - j / unknowns) <= 1)
        dense(i, j) = uniform(random) + (i == j ? 3 * unknowns : 0);
  return from_dense(dense);
}

TEST(Elimination, PanelsCoverAllStepsAndAllMultiplyAdds) {
  std::mt19937_64 random(15);
  for (const Matrix& m : {chain(20, 1e6, 1.0, random), random_sparse(50, 0.1, random),
                          block_chain(4, 12, random), block_chain(5, 7, random)}) {
    const Elimination s = schedule_of(m);
    int next = 0, multiply_adds = 0;
    std::size_t positions = 0;
    for (const Panel& panel : s.panels) {
      EXPECT_EQ(panel.first, next);
      next += panel.steps;
      for (int t = 0; t < panel.steps; ++t) {
        const int inside = panel.steps - 1 - t;
        multiply_adds += (panel.rows + inside) * (panel.columns + inside);
      }
      positions +=
          static_cast<std::size_t>((panel.rows + panel.steps) * (panel.columns + panel.steps));
    }
    EXPECT_EQ(next, s.n);
    EXPECT_EQ(multiply_adds, s.multiply_adds);
    EXPECT_EQ(positions, s.position.size());
  }
  // Unknowns of a node stay together, in panels as large as they may be.
  EXPECT_EQ(schedule_of(block_chain(4, 12, random)).panels.size(), 12u);
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

}  // namespace
}  // namespace tumble
