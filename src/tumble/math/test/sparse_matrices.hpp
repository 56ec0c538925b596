// Matrices that tests of the elimination share: dense ones made sparse, random ones, chains of
// bodies.
#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <tuple>
#include <variant>
#include <vector>

#include "tumble/math/static_lu.hpp"

namespace tumble::testing {

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

inline Matrix from_dense(const Eigen::MatrixXd& a) {
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

inline Matrix random_sparse(int n, double density, std::mt19937_64& random) {
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
inline Matrix chain(int bodies, double inertia, double constraint, std::mt19937_64& random) {
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

inline Elimination schedule_of(const Matrix& m, const EliminationOptions& options = {}) {
  const Samples samples{m.values};
  return std::get<Elimination>(analyze(m.pattern, samples, options));
}

inline EliminationFailure failure_of(const Matrix& m) {
  const Samples samples{m.values};
  return std::get<EliminationFailure>(analyze(m.pattern, samples));
}

struct Solution {
  bool degraded = false;
  Eigen::VectorXd x;
};

inline Solution solve_with(const Elimination& schedule, const Matrix& m,
                           const Eigen::VectorXd& rhs) {
  Values factor(static_cast<std::size_t>(schedule.factor_size), 1e300);  // must all be overwritten
  Values scratch(static_cast<std::size_t>(schedule.n));
  Solution s;
  s.degraded = factorize(schedule, m.values.data(), factor.data());
  s.x.resize(schedule.n);
  solve(schedule, factor.data(), rhs.data(), s.x.data(), scratch.data());
  return s;
}

inline Eigen::VectorXd random_vector(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Eigen::VectorXd v(n);
  for (double& x : v) x = uniform(random);
  return v;
}

}  // namespace tumble::testing
