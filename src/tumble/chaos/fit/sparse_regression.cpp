#include "tumble/chaos/fit/sparse_regression.hpp"

#include <fmt/core.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "tumble/chaos/eigen_view.hpp"
#include "tumble/chaos/fit/least_squares.hpp"
#include "tumble/chaos/fit/term_selection.hpp"

namespace tumble {
namespace {

using Index = std::vector<MultiIndexSet::Degree>;

struct Candidates {
  PolynomialBasis basis;
  DenseMatrix values;  // at the points
};

/// The candidates of each degree, made when they are first needed.
class CandidateList {
 public:
  CandidateList(const InputSpace& space, const DenseMatrix& points, const SparseOptions& options)
      : space_(space), points_(points), options_(options) {}

  /// None beyond the highest degree or the largest number of terms.
  const Candidates* of_degree(int degree) {
    if (degree > options_.most_degree) return nullptr;
    while (static_cast<int>(list_.size()) < degree) {
      const int next = static_cast<int>(list_.size()) + 1;
      // Those of degree 1, one for each variable, are always looked at.
      const std::size_t most = options_.most_candidates;
      if (next > 1 && hyperbolic_terms(space_.size(), next, options_.q, most) >= most)
        return nullptr;
      PolynomialBasis basis(space_, MultiIndexSet::hyperbolic(space_.size(), next, options_.q)
                                        .within(space_.degrees_up_to(next)));
      DenseMatrix values = basis.at(points_);
      list_.push_back({std::move(basis), std::move(values)});
    }
    return &list_[static_cast<std::size_t>(degree) - 1];
  }

 private:
  const InputSpace& space_;
  const DenseMatrix& points_;
  const SparseOptions& options_;
  std::vector<Candidates> list_;
};

struct ChosenTerms {
  std::vector<Index> indices;  // in the order of their choice
  double error = std::numeric_limits<double>::infinity();
};

/// Degrees upwards, until two in a row are no better.
ChosenTerms choose_terms(CandidateList& list, std::span<const double> response, double enough) {
  ChosenTerms best;
  int worse = 0;
  for (int degree = 1; worse < 2 && best.error > enough; ++degree) {
    const Candidates* candidates = list.of_degree(degree);
    if (!candidates) break;
    const TermSelection selection = select_terms(candidates->values, response);
    if (selection.error < best.error) {
      best.error = selection.error;
      best.indices.clear();
      for (const std::size_t term : selection.terms) {
        const auto index = candidates->basis.terms()[term];
        best.indices.emplace_back(index.begin(), index.end());
      }
      worse = 0;
    } else {
      ++worse;
    }
  }
  return best;
}

/// Scaled outputs' principal components: one column of values at the points each, the largest
/// first, and their shares of the scaled variance.
struct PrincipalResponses {
  Eigen::MatrixXd values;
  Eigen::VectorXd shares;
};

PrincipalResponses principal_responses(const DenseMatrix& values, const SparseOptions& options) {
  const auto points = static_cast<Eigen::Index>(values.rows());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(points, points);
  Eigen::MatrixXd block(points, 256);
  std::vector<double> column(values.rows());
  Eigen::Index filled = 0;
  const auto add_block = [&] {
    gram += block.leftCols(filled) * block.leftCols(filled).transpose();
    filled = 0;
  };
  for (std::size_t o = 0; o < values.columns(); ++o) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = values(i, o);
    const double spread = spread_of(column);
    if (spread == 0) continue;
    auto scaled = block.col(filled++);
    scaled = Eigen::Map<const Eigen::VectorXd>(column.data(), points);
    scaled.array() -= scaled.mean();
    scaled /= std::sqrt(spread);
    if (filled == block.cols()) add_block();
  }
  add_block();
  const double total = gram.trace();
  if (total == 0) return {Eigen::MatrixXd(points, 0), Eigen::VectorXd()};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);  // ascending
  Eigen::Index count = 0;
  double sum = 0;
  while (count < points && count < static_cast<Eigen::Index>(options.most_principal) &&
         sum < options.principal_variance * total)
    sum += solver.eigenvalues()[points - 1 - count++];
  return {solver.eigenvectors().rightCols(count).rowwise().reverse(),
          solver.eigenvalues().tail(count).reverse() / total};
}

int highest_total(const MultiIndexSet& terms) { return terms.total(terms.size() - 1); }

/// Terms for all outputs: those of the first component, of the first two, and so on, whichever
/// fits all components best. More terms are not always better, because every one of them is a
/// burden to outputs that do not need it.
std::vector<Index> shared_terms(const InputSpace& space, const DenseMatrix& points,
                                const PrincipalResponses& responses, CandidateList& list,
                                const SparseOptions& options) {
  DenseMatrix values(points.rows(), static_cast<std::size_t>(responses.values.cols()));
  view(values) = responses.values;
  std::vector<Index> terms, best;
  double best_error = std::numeric_limits<double>::infinity();
  for (Eigen::Index r = 0; r < responses.values.cols(); ++r) {
    const ChosenTerms chosen =
        choose_terms(list, {responses.values.col(r).data(), points.rows()}, options.enough);
    for (const Index& index : chosen.indices)
      if (std::find(terms.begin(), terms.end(), index) == terms.end()) terms.push_back(index);
    // With half as many terms as points, a fit says little.
    if (r > 0 && 2 * (terms.size() + 1) > points.rows()) break;
    const PolynomialBasis basis(space, MultiIndexSet::of(space.size(), terms));
    const std::vector<double> errors =
        LeastSquares(basis.at(points)).fit(values).corrected_leave_one_out;
    const double error = responses.shares.dot(
        Eigen::Map<const Eigen::VectorXd>(errors.data(), responses.shares.size()));
    if (error < best_error) {
      best_error = error;
      best = terms;
    }
  }
  return best;
}

SparseFit fit_shared(const InputSpace& space, const DenseMatrix& points, const DenseMatrix& values,
                     CandidateList& list, const SparseOptions& options) {
  const PrincipalResponses responses = principal_responses(values, options);
  PolynomialBasis basis(
      space,
      MultiIndexSet::of(space.size(), shared_terms(space, points, responses, list, options)));
  const LeastSquares squares(basis.at(points));
  LeastSquaresFit fit = squares.fit(values);
  const int degree = highest_total(basis.terms());
  return {std::move(basis),
          std::move(fit.coefficients),
          std::move(fit.corrected_leave_one_out),
          degree,
          static_cast<std::size_t>(responses.values.cols()),
          squares.condition()};
}

SparseFit fit_each(const InputSpace& space, const DenseMatrix& points, const DenseMatrix& values,
                   CandidateList& list, const SparseOptions& options) {
  struct OutputFit {
    PolynomialBasis basis;
    DenseMatrix coefficients;
  };
  std::vector<OutputFit> fits;
  std::vector<Index> all;
  std::vector<double> errors;
  double condition = 1;
  DenseMatrix column(values.rows(), 1);
  for (std::size_t o = 0; o < values.columns(); ++o) {
    for (std::size_t i = 0; i < values.rows(); ++i) column(i, 0) = values(i, o);
    ChosenTerms chosen = choose_terms(list, {column.data(), values.rows()}, options.enough);
    all.insert(all.end(), chosen.indices.begin(), chosen.indices.end());
    PolynomialBasis basis(space, MultiIndexSet::of(space.size(), std::move(chosen.indices)));
    const LeastSquares squares(basis.at(points));
    LeastSquaresFit fit = squares.fit(column);
    condition = std::max(condition, squares.condition());
    errors.push_back(fit.corrected_leave_one_out[0]);
    fits.push_back({std::move(basis), std::move(fit.coefficients)});
  }
  PolynomialBasis basis(space, MultiIndexSet::of(space.size(), std::move(all)));
  DenseMatrix coefficients(basis.size(), values.columns());
  for (std::size_t o = 0; o < fits.size(); ++o)
    for (std::size_t term = 0; term < fits[o].basis.size(); ++term)
      coefficients(basis.terms().find(fits[o].basis.terms()[term]), o) =
          fits[o].coefficients(term, 0);
  const int degree = highest_total(basis.terms());
  return {std::move(basis), std::move(coefficients), std::move(errors),
          degree,           values.columns(),        condition};
}

}  // namespace

SparseFit fit_sparse(const InputSpace& space, const DenseMatrix& points, const DenseMatrix& values,
                     const SparseOptions& options) {
  if (points.rows() != values.rows() || points.rows() < 4 || points.columns() != space.size())
    throw std::invalid_argument(fmt::format(
        "LARS: {} points with {} germs and values at {}; there must be equally many, at "
        "least 4, with {} germs",
        points.rows(), points.columns(), values.rows(), space.size()));
  if (options.most_degree < 1)
    throw std::invalid_argument(
        fmt::format("LARS: highest degree = {} must be at least 1", options.most_degree));
  CandidateList list(space, points, options);
  return options.sharing == TermSharing::principal
             ? fit_shared(space, points, values, list, options)
             : fit_each(space, points, values, list, options);
}

}  // namespace tumble
