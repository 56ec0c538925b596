#include "tumble/chaos/chaos_plan.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "tumble/chaos/fit/least_squares.hpp"
#include "tumble/chaos/fit/quasi_random_points.hpp"
#include "tumble/chaos/run_guidance.hpp"

namespace tumble {
namespace {

/// More runs on a grid than this call for a word on other ways.
constexpr double many_runs = 1000;

DenseMatrix rows_without(const DenseMatrix& matrix, std::span<const std::uint8_t> failed) {
  const auto left = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), 0));
  DenseMatrix kept(left, matrix.columns());
  std::size_t row = 0;
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    if (failed[i] == 0) std::ranges::copy(matrix.row(i), kept.row(row++).begin());
  return kept;
}

}  // namespace

ChaosPlan::ChaosPlan(InputSpace space, const ChaosOptions& options)
    : space_(std::move(space)), options_(options) {
  if (space_.size() == 0)
    throw std::invalid_argument("polynomial chaos: there are no random inputs");
  if (options_.degree < 0 || options_.degree > OrthonormalPolynomials::most_degree)
    throw std::invalid_argument(
        fmt::format("polynomial chaos: degree = {} must lie between 0 and {}", options_.degree,
                    OrthonormalPolynomials::most_degree));
  const bool is_grid =
      options_.method == ChaosMethod::tensor || options_.method == ChaosMethod::sparse_grid;
  if (options_.method == ChaosMethod::tensor) {
    degrees_ = space_.degrees_up_to(options_.degree);
    double count = 1;
    for (const int degree : degrees_) count *= degree + 1.0;
    if (count > static_cast<double>(CollocationGrid::most_points))
      throw std::invalid_argument(run_guidance(space_.size(), options_.degree));
    if (count > many_runs) warnings_.push_back(run_guidance(space_.size(), options_.degree));
    grid_ = CollocationGrid::tensor(space_, degrees_);
  } else if (options_.method == ChaosMethod::sparse_grid) {
    grid_ = CollocationGrid::sparse(space_, options_.level, options_.rule);
  }
  if (is_grid) {
    points_ = grid_->points();
    const auto& words = grid_->report().warnings;
    warnings_.insert(warnings_.end(), words.begin(), words.end());
    return;
  }
  std::size_t runs = options_.runs;
  if (options_.method == ChaosMethod::least_squares) {
    const std::size_t terms = regression_terms(options_.degree).size();
    if (runs == 0) runs = 2 * terms;
    if (runs < terms)
      throw std::invalid_argument(fmt::format(
          "polynomial chaos: {} runs for {} polynomials of degree {}; least squares needs "
          "at least as many, better {}; or take LARS",
          runs, terms, options_.degree, 2 * terms));
    if (2 * runs < 3 * terms)
      warnings_.push_back(
          fmt::format("polynomial chaos: {} runs for {} polynomials are few; {} are better", runs,
                      terms, 2 * terms));
  } else if (runs < 4) {
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} runs; LARS needs to be told how many, at least 4", runs));
  }
  points_ = quasi_random_points(space_, runs, options_.seed);
}

MultiIndexSet ChaosPlan::regression_terms(int degree) const {
  return MultiIndexSet::hyperbolic(space_.size(), degree, options_.q)
      .within(space_.degrees_up_to(degree));
}

ChaosFit ChaosPlan::fit(const DenseMatrix& values, std::span<const std::uint8_t> failed) const {
  if (values.rows() != runs() || (!failed.empty() && failed.size() != runs()))
    throw std::invalid_argument(
        fmt::format("polynomial chaos: values of {} runs and marks of {} failures; {} were planned",
                    values.rows(), failed.size(), runs()));
  const auto missing =
      static_cast<std::size_t>(failed.size()) -
      static_cast<std::size_t>(std::count(failed.begin(), failed.end(), std::uint8_t{0}));
  const auto fit_points = [&](const DenseMatrix& points, const DenseMatrix& rows) {
    return options_.method == ChaosMethod::lars
               ? fit_lars(points, rows)
               : fit_regression(points, rows, regression_terms(options_.degree));
  };
  if (missing == 0) return grid_ ? fit_grid(values) : fit_points(points_, values);

  const DenseMatrix points = rows_without(points_, failed), rows = rows_without(values, failed);
  if (grid_ && !options_.regression_after_failure)
    throw std::runtime_error(fmt::format(
        "polynomial chaos: {} of {} runs failed, and no point of a grid can be left out; "
        "allow regression on the others, or choose least squares",
        missing, runs()));
  ChaosFit fit = grid_ ? fit_rest_of_grid(points, rows) : fit_points(points, rows);
  fit.warnings.push_back(fmt::format(
      "polynomial chaos: {} of {} runs failed{}. If models fail for extreme inputs, what is left "
      "out is not left out by chance",
      missing, runs(), grid_ ? ", and regression on the others took the place of the grid" : ""));
  return fit;
}

ChaosFit ChaosPlan::fit_grid(const DenseMatrix& values) const {
  Expansion expansion(grid_->basis(), grid_->coefficients(values));
  const bool tensor = options_.method == ChaosMethod::tensor;
  ChaosErrors errors;
  if (tensor)
    errors = shell_errors(expansion, degrees_);
  else if (grid_->has_lower_level())
    errors = level_errors(expansion, grid_->lower_level_coefficients(values));
  else  // level 0: a single run, which says nothing of the variance
    errors = shell_errors(expansion, std::vector<int>(space_.size(), 0));
  std::vector<std::string> warnings = error_warnings(errors, options_.error_limit);
  return {std::move(expansion), std::move(errors),
          tensor ? fmt::format("tensor grid of {} Gauss points", runs())
                 : fmt::format("sparse grid of level {} with {} points", options_.level, runs()),
          std::nullopt, std::move(warnings)};
}

ChaosFit ChaosPlan::fit_regression(const DenseMatrix& points, const DenseMatrix& values,
                                   const MultiIndexSet& terms) const {
  PolynomialBasis basis(space_, terms);
  if (points.rows() < basis.size())
    throw std::runtime_error(fmt::format("polynomial chaos: {} runs are left for {} polynomials",
                                         points.rows(), basis.size()));
  const LeastSquares squares(basis.at(points));
  LeastSquaresFit fit = squares.fit(values);
  const std::size_t size = basis.size();
  Expansion expansion(std::move(basis), std::move(fit.coefficients));
  ChaosErrors errors = regression_errors(expansion, std::move(fit.corrected_leave_one_out), values);
  std::vector<std::string> warnings = error_warnings(errors, options_.error_limit);
  return {std::move(expansion), std::move(errors),
          fmt::format("least squares: {} polynomials, {} runs", size, values.rows()),
          squares.condition(), std::move(warnings)};
}

ChaosFit ChaosPlan::fit_lars(const DenseMatrix& points, const DenseMatrix& values) const {
  SparseFit fit =
      fit_sparse(space_, points, values,
                 {.most_degree = options_.degree, .q = options_.q, .sharing = options_.sharing});
  const std::size_t size = fit.basis.size();
  Expansion expansion(std::move(fit.basis), std::move(fit.coefficients));
  ChaosErrors errors = regression_errors(expansion, std::move(fit.corrected_leave_one_out), values);
  std::vector<std::string> warnings = error_warnings(errors, options_.error_limit);
  return {
      std::move(expansion), std::move(errors),
      fmt::format("LARS: {} polynomials up to degree {}, {} runs", size, fit.degree, values.rows()),
      fit.condition, std::move(warnings)};
}

ChaosFit ChaosPlan::fit_rest_of_grid(const DenseMatrix& points, const DenseMatrix& values) const {
  // The highest total degree with terms that the grid has, and no more of them than half the runs.
  const std::vector<int> own = grid_->basis().terms().highest_degrees();
  int degree = *std::max_element(own.begin(), own.end());
  const auto terms_of = [&](int n) {
    return MultiIndexSet::total_degree(space_.size(), n).within(own);
  };
  while (degree > 0 && (total_degree_terms(space_.size(), degree) > 1e5 ||
                        2 * terms_of(degree).size() > values.rows()))
    --degree;
  if (values.rows() < 2)
    throw std::runtime_error(
        fmt::format("polynomial chaos: {} runs are left, which is too few", values.rows()));
  return fit_regression(points, values, terms_of(degree));
}

}  // namespace tumble
