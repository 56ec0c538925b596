#include "tumble/chaos/fit/cross_fit.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tumble/chaos/basis/multi_index.hpp"
#include "tumble/chaos/eigen_view.hpp"
#include "tumble/random/law/normal_score.hpp"

namespace tumble {
namespace {

/// (rank - 1/2) / n of every column. Of equal values the mean rank.
DenseMatrix uniform_ranks(const DenseMatrix& inputs) {
  const std::size_t n = inputs.rows();
  DenseMatrix ranks(n, inputs.columns());
  std::vector<std::size_t> order(n);
  for (std::size_t c = 0; c < inputs.columns(); ++c) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return inputs(i, c); });
    for (std::size_t first = 0; first < n;) {
      std::size_t end = first + 1;
      while (end < n && inputs(order[end], c) == inputs(order[first], c)) ++end;
      const double place = static_cast<double>(first + end) / 2 / static_cast<double>(n);
      for (std::size_t i = first; i < end; ++i) ranks(order[i], c) = place;
      first = end;
    }
  }
  return ranks;
}

/// The highest total degree whose polynomials the sample can carry, at least 1.
int highest_degree(std::size_t rows, std::size_t variables) {
  const double most = std::min(static_cast<double>(rows / CrossFit::values_a_term),
                               static_cast<double>(CrossFit::most_terms));
  int degree = 1;
  while (degree < CrossFit::most_degree && total_degree_terms(variables, degree + 1) <= most)
    ++degree;
  return degree;
}

enum class Family { legendre, hermite };

/// Orthonormal polynomials of one number that is uniform in (0, 1), or of its normal score:
///   h_k+1 = (x h_k - sqrt(k) h_k-1) / sqrt(k + 1),
///   l_k = sqrt(2 k + 1) P_k,   (k + 1) P_k+1 = (2 k + 1) x P_k - k P_k-1.
void polynomials(Family family, double u, std::span<double> values) {
  const double x = family == Family::hermite ? standard_normal_score(u) : 2 * u - 1;
  values[0] = 1;
  if (values.size() > 1) values[1] = x;
  for (std::size_t i = 1; i + 1 < values.size(); ++i) {
    const auto k = static_cast<double>(i);
    values[i + 1] = family == Family::hermite
                        ? (x * values[i] - std::sqrt(k) * values[i - 1]) / std::sqrt(k + 1)
                        : ((2 * k + 1) * x * values[i] - k * values[i - 1]) / (k + 1);
  }
  if (family == Family::legendre)
    for (std::size_t i = 1; i < values.size(); ++i)
      values[i] *= std::sqrt(2 * static_cast<double>(i) + 1);
}

RowMajorMatrix basis_of(Family family, const DenseMatrix& ranks, const MultiIndexSet& terms,
                        int degree) {
  const std::size_t width = static_cast<std::size_t>(degree) + 1;
  RowMajorMatrix basis(ranks.rows(), terms.size());
  std::vector<double> values(ranks.columns() * width);
  for (std::size_t i = 0; i < ranks.rows(); ++i) {
    for (std::size_t c = 0; c < ranks.columns(); ++c)
      polynomials(family, ranks(i, c), std::span(values).subspan(c * width, width));
    for (std::size_t t = 0; t < terms.size(); ++t) {
      double product = 1;
      for (std::size_t c = 0; c < ranks.columns(); ++c) product *= values[c * width + terms[t][c]];
      basis(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(t)) = product;
    }
  }
  return basis;
}

}  // namespace

/// Row i of the sample is in fold i mod `folds`.
struct CrossFit::Fold {
  std::vector<std::size_t> fitted, predicted;  ///< rows
  RowMajorMatrix at_fitted, at_predicted;      ///< polynomials that are orthonormal at `fitted`
};

CrossFit::~CrossFit() = default;
CrossFit::CrossFit(CrossFit&&) noexcept = default;

CrossFit::CrossFit(const DenseMatrix& inputs) : rows_(inputs.rows()) {
  const int degree = highest_degree(rows_ - rows_ / folds, inputs.columns());
  const MultiIndexSet terms = MultiIndexSet::total_degree(inputs.columns(), degree);
  terms_.resize(static_cast<std::size_t>(degree) + 1, 0);
  for (std::size_t t = 0; t < terms.size(); ++t)
    for (std::size_t d = static_cast<std::size_t>(terms.total(t)); d < terms_.size(); ++d)
      ++terms_[d];
  const DenseMatrix ranks = uniform_ranks(inputs);
  for (const Family family : {Family::hermite, Family::legendre}) {
    const RowMajorMatrix basis = basis_of(family, ranks, terms, degree);
    folds_.emplace_back();
    for (std::size_t f = 0; f < folds; ++f) {
      Fold fold;
      for (std::size_t i = 0; i < rows_; ++i)
        (i % folds == f ? fold.predicted : fold.fitted).push_back(i);
      const RowMajorMatrix fitted = basis(fold.fitted, Eigen::all);
      // The factor of the Gram matrix makes the polynomials orthonormal one after the other, so
      // that the first of them are those of a lower degree. A trifle on the diagonal keeps inputs
      // that determine each other from dividing by zero.
      Eigen::MatrixXd gram = fitted.transpose() * fitted;
      gram.diagonal() *= 1 + 1e-10;
      const Eigen::LLT<Eigen::MatrixXd> factor(gram);
      const RowMajorMatrix held = basis(fold.predicted, Eigen::all);
      fold.at_fitted = factor.matrixL().solve(fitted.transpose()).transpose();
      fold.at_predicted = factor.matrixL().solve(held.transpose()).transpose();
      folds_.back().push_back(std::move(fold));
    }
  }
}

DenseMatrix CrossFit::predict(const DenseMatrix& outputs) const {
  const auto columns = static_cast<Eigen::Index>(outputs.columns());
  const auto y = view(outputs);
  DenseMatrix best(rows_, outputs.columns());
  std::vector<double> least(outputs.columns(), std::numeric_limits<double>::infinity());
  // Predictions by the degree, of which the one with the least error stays.
  std::vector<RowMajorMatrix> by_degree(terms_.size(), RowMajorMatrix(rows_, columns));
  for (const std::vector<Fold>& family : folds_) {
    for (const Fold& fold : family) {
      const RowMajorMatrix known = y(fold.fitted, Eigen::all);
      const RowMajorMatrix coefficients = fold.at_fitted.transpose() * known;
      RowMajorMatrix sum = RowMajorMatrix::Zero(fold.at_predicted.rows(), columns);
      Eigen::Index first = 0;
      for (std::size_t d = 0; d < terms_.size(); ++d) {
        const auto count = static_cast<Eigen::Index>(terms_[d]) - first;
        sum += fold.at_predicted.middleCols(first, count) * coefficients.middleRows(first, count);
        first += count;
        by_degree[d](fold.predicted, Eigen::all) = sum;
      }
    }
    // A constant would put nothing into an order.
    for (std::size_t d = 1; d < by_degree.size(); ++d)
      for (Eigen::Index c = 0; c < columns; ++c)
        if (const double error = (y.col(c) - by_degree[d].col(c)).squaredNorm();
            error < least[static_cast<std::size_t>(c)]) {
          least[static_cast<std::size_t>(c)] = error;
          view(best).col(c) = by_degree[d].col(c);
        }
  }
  return best;
}

}  // namespace tumble
