#include "tumble/random/law/gaussian_copula.hpp"

#include <fmt/core.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tumble/random/law/nataf.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

/// How far decimals in a file may be from symmetry and from 1 on the diagonal.
constexpr double slack = 1e-9;
/// A smallest eigenvalue below this leaves no digits in the Cholesky factor.
constexpr double smallest_eigenvalue = 1e-10;
/// Above this, neglected terms of the Hermite expansion are worth a warning.
constexpr double worth_a_word = 1e-4;

Eigen::MatrixXd checked_matrix(const std::vector<std::vector<double>>& rows, std::size_t n) {
  if (rows.size() != n)
    throw std::invalid_argument(
        fmt::format("correlation: {} rows for {} variables; give one for each", rows.size(), n));
  for (std::size_t i = 0; i < n; ++i)
    if (rows[i].size() != n)
      throw std::invalid_argument(fmt::format("correlation: row {} has {} entries; {} are expected",
                                              i + 1, rows[i].size(), n));
  Eigen::MatrixXd matrix(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!(std::abs(rows[i][i] - 1) <= slack))
      throw std::invalid_argument(fmt::format(
          "correlation: entry ({0}, {0}) = {1} must be 1: a variable's correlation with "
          "itself",
          i + 1, rows[i][i]));
    matrix(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) {
      const double below = rows[i][j], above = rows[j][i];
      if (!(std::abs(below - above) <= slack))
        throw std::invalid_argument(fmt::format(
            "correlation: entry ({0}, {1}) = {2} differs from entry ({1}, {0}) = {3}; the "
            "matrix must be symmetric",
            i + 1, j + 1, below, above));
      if (!(std::abs(below) < 1))
        throw std::invalid_argument(
            fmt::format("correlation: entry ({}, {}) = {} must lie strictly between -1 and 1: a "
                        "variable that another one determines is no second variable",
                        i + 1, j + 1, below));
      matrix(i, j) = matrix(j, i) = below;
    }
  }
  return matrix;
}

void check_positive_definite(const Eigen::MatrixXd& matrix, const char* subject,
                             const char* advice) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
  const double smallest = solver.eigenvalues()[0];
  if (!(smallest > smallest_eigenvalue))
    throw std::invalid_argument(
        fmt::format("{} must be positive definite; its smallest eigenvalue is {:.6g}: {}", subject,
                    smallest, advice));
}

/// The correlations of scores that give those of the variables (see nataf.hpp).
Eigen::MatrixXd scores_of(const std::vector<ScalarLaw>& laws, const Eigen::MatrixXd& correlation,
                          std::vector<std::string>& warnings) {
  std::vector<HermiteExpansion> expansions;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    if (!(laws[i].variance() > 0))
      throw std::invalid_argument(
          fmt::format("correlation: variable {} ({}) has zero variance, so it has no correlation "
                      "with others",
                      i + 1, laws[i].name()));
    expansions.emplace_back(laws[i]);
  }
  Eigen::MatrixXd scores = correlation;
  for (std::size_t i = 0; i < laws.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double wanted = correlation(i, j);
      if (wanted == 0) continue;  // independent, and exactly so
      const PairCorrelation pair(laws[i], laws[j], expansions[i], expansions[j]);
      const auto [min, max] = pair.range();
      if (!(wanted > min && wanted < max))
        throw std::invalid_argument(fmt::format(
            "correlation: entry ({}, {}) = {} cannot be attained: correlations of these "
            "two laws, {} and {}, lie between {:.6g} and {:.6g}",
            i + 1, j + 1, wanted, laws[i].name(), laws[j].name(), min, max));
      const auto [value, error] = pair.scores_for(wanted);
      scores(i, j) = scores(j, i) = value;
      if (error > worth_a_word)
        warnings.push_back(fmt::format(
            "correlation: entry ({}, {}) = {} is met only to within {:.1e}: jumps in the "
            "laws and a correlation of scores near {:.3f}",
            i + 1, j + 1, wanted, error, value));
    }
  return scores;
}

}  // namespace

GaussianCopula::GaussianCopula(std::vector<ScalarLaw> laws, const CorrelationMatrix& correlation)
    : laws_(std::move(laws)) {
  const std::size_t n = laws_.size();
  if (n == 0) throw std::invalid_argument("correlation: there are no variables");
  Eigen::MatrixXd scores = checked_matrix(correlation.rows, n);
  check_positive_definite(scores, "correlation: the matrix", "the entries contradict each other");
  if (correlation.of == CorrelationMatrix::Of::variables) {
    scores = scores_of(laws_, scores, warnings_);
    check_positive_definite(
        scores, "correlation: the matrix of the normal scores that would give these correlations",
        "laws of these kinds cannot be correlated so strongly through normal scores");
  }
  const Eigen::MatrixXd factor = scores.llt().matrixL();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      scores_.push_back(scores(i, j));
      cholesky_.push_back(factor(i, j));
    }
}

double GaussianCopula::score_correlation(std::size_t i, std::size_t j) const {
  return scores_.at(i * size() + j);
}

void GaussianCopula::map(std::span<const double> u, std::span<double> x) const {
  check_sizes(u.size(), x.size());
  for (std::size_t i = 0; i < size(); ++i) x[i] = standard_normal_score(u[i]);
  map_scores(x, x);
}

void GaussianCopula::map_scores(std::span<const double> scores, std::span<double> x) const {
  check_sizes(scores.size(), x.size());
  const std::size_t n = size();
  if (scores.data() != x.data()) std::copy(scores.begin(), scores.end(), x.begin());
  // From the last to the first, because row i still needs the independent scores 0 ... i.
  for (std::size_t i = n; i-- > 0;) {
    double z = 0;
    for (std::size_t j = 0; j <= i; ++j) z += cholesky_[i * n + j] * x[j];
    x[i] = laws_[i].from_normal_score(z);
  }
}

void GaussianCopula::scores(std::span<const double> u, std::span<double> z) const {
  check_sizes(u.size(), z.size());
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) z[i] = standard_normal_score(u[i]);
  for (std::size_t i = n; i-- > 0;) {
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) sum += cholesky_[i * n + j] * z[j];
    z[i] = sum;
  }
}

void GaussianCopula::from_scores(std::span<const double> z, std::span<double> x) const {
  check_sizes(z.size(), x.size());
  for (std::size_t i = 0; i < size(); ++i) x[i] = laws_[i].from_normal_score(z[i]);
}

void GaussianCopula::condition(const std::vector<bool>& given, std::span<const double> known,
                               std::span<double> z) const {
  check_sizes(known.size(), z.size());
  std::vector<Eigen::Index> places;
  for (std::size_t i = 0; i < size(); ++i)
    if (given[i]) places.push_back(static_cast<Eigen::Index>(i));
  const auto m = static_cast<Eigen::Index>(places.size());
  if (m == 0) return;
  const auto entry = [&](std::size_t i, Eigen::Index g) {
    return score_correlation(i, static_cast<std::size_t>(places[static_cast<std::size_t>(g)]));
  };
  Eigen::MatrixXd among(m, m);
  Eigen::VectorXd off(m);
  for (Eigen::Index a = 0; a < m; ++a) {
    const auto i = static_cast<std::size_t>(places[static_cast<std::size_t>(a)]);
    off[a] = known[i] - z[i];
    for (Eigen::Index b = 0; b < m; ++b) among(a, b) = entry(i, b);
  }
  const Eigen::VectorXd weights = among.llt().solve(off);
  for (std::size_t i = 0; i < size(); ++i) {
    if (given[i]) {
      z[i] = known[i];
      continue;
    }
    for (Eigen::Index g = 0; g < m; ++g) z[i] += entry(i, g) * weights[g];
  }
}

void GaussianCopula::check_sizes(std::size_t in, std::size_t out) const {
  if (in != size() || out != size())
    throw std::invalid_argument(
        fmt::format("copula: {} numbers in and {} out for {} variables", in, out, size()));
}

}  // namespace tumble
