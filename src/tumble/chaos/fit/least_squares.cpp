#include "tumble/chaos/fit/least_squares.hpp"

#include <fmt/core.h>

#include <Eigen/QR>
#include <Eigen/SVD>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/chaos/eigen_view.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double worst_condition = 1e12;

}  // namespace

double spread_of(std::span<const double> values, std::span<const double> weights) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double total = 0, mean = 0, largest = 0, sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    total += weight(i);
    mean += weight(i) * values[i];
    largest = std::max(largest, std::abs(values[i]));
  }
  mean /= total;
  for (std::size_t i = 0; i < values.size(); ++i)
    sum += weight(i) * (values[i] - mean) * (values[i] - mean);
  const double rounding = 1e-13 * largest;
  return sum <= total * rounding * rounding ? 0 : sum;
}

LeastSquares::LeastSquares(const DenseMatrix& basis, std::span<const double> weights) {
  const auto points = static_cast<Eigen::Index>(basis.rows());
  const auto terms = static_cast<Eigen::Index>(basis.columns());
  if (points < terms)
    throw std::invalid_argument(
        fmt::format("least squares: {} points for {} polynomials; there must be at least as many, "
                    "and twice as many are better",
                    points, terms));
  if (!weights.empty() && weights.size() != basis.rows())
    throw std::invalid_argument(
        fmt::format("least squares: {} weights for {} points", weights.size(), points));
  Eigen::MatrixXd matrix = view(basis);
  for (std::size_t i = 0; i < basis.rows(); ++i) {
    const double weight = weights.empty() ? 1 : weights[i];
    if (!(weight > 0 && std::isfinite(weight)))
      throw std::invalid_argument(
          fmt::format("least squares: weight {} of point {} must be positive", weight, i));
    root_weights_.push_back(std::sqrt(weight));
    matrix.row(static_cast<Eigen::Index>(i)) *= root_weights_.back();
  }
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  const Eigen::MatrixXd r = qr.matrixQR().topRows(terms).triangularView<Eigen::Upper>();
  const Eigen::VectorXd singular = Eigen::BDCSVD<Eigen::MatrixXd>(r).singularValues();
  condition_ = singular[terms - 1] > 0 ? singular[0] / singular[terms - 1] : infinity;
  if (!(condition_ < worst_condition))
    throw std::invalid_argument(
        fmt::format("least squares: the {} points do not tell the {} polynomials apart (condition "
                    "number {:.2g}): take more points or a lower degree",
                    points, terms, condition_));
  q_ = DenseMatrix(basis.rows(), basis.columns());
  view(q_) = qr.householderQ() * Eigen::MatrixXd::Identity(points, terms);
  r_inverse_ = DenseMatrix(basis.columns(), basis.columns());
  view(r_inverse_) =
      r.triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(terms, terms));
  for (Eigen::Index i = 0; i < points; ++i) leverages_.push_back(view(q_).row(i).squaredNorm());
  // tr((Psi^T Psi)^-1) = ||R^-1||_F^2; weights enter relative to their mean.
  double mean_weight = 0;
  for (const double root : root_weights_) mean_weight += root * root;
  mean_weight /= static_cast<double>(points);
  const auto n = static_cast<double>(points), p = static_cast<double>(terms);
  correction_ =
      points == terms ? infinity : n / (n - p) * (1 + mean_weight * view(r_inverse_).squaredNorm());
}

LeastSquaresFit LeastSquares::fit(const DenseMatrix& values) const {
  if (values.rows() != q_.rows())
    throw std::invalid_argument(
        fmt::format("least squares: values at {} points of {}", values.rows(), q_.rows()));
  const auto points = static_cast<Eigen::Index>(q_.rows());
  RowMajorMatrix weighted = view(values);
  for (Eigen::Index i = 0; i < points; ++i)
    weighted.row(i) *= root_weights_[static_cast<std::size_t>(i)];
  const RowMajorMatrix projected = view(q_).transpose() * weighted;
  LeastSquaresFit fit;
  fit.coefficients = DenseMatrix(q_.columns(), values.columns());
  view(fit.coefficients).noalias() = view(r_inverse_) * projected;

  // Without point i its residual would be e_i / (1 - h_i): no need to fit again.
  RowMajorMatrix residuals = weighted - view(q_) * projected;
  for (Eigen::Index i = 0; i < points; ++i)
    residuals.row(i) /= 1 - leverages_[static_cast<std::size_t>(i)];
  std::vector<double> column(values.rows()), weights;
  for (const double root : root_weights_) weights.push_back(root * root);
  for (std::size_t o = 0; o < values.columns(); ++o) {
    for (std::size_t i = 0; i < column.size(); ++i) column[i] = values(i, o);
    const double spread = spread_of(column, weights);
    const double error = spread == 0 ? 0
                         : q_.rows() == q_.columns()
                             ? infinity
                             : residuals.col(static_cast<Eigen::Index>(o)).squaredNorm() / spread;
    fit.leave_one_out.push_back(error);
    fit.corrected_leave_one_out.push_back(error == 0 ? 0 : error * correction_);
  }
  return fit;
}

}  // namespace tumble
