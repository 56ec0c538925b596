#include "tumble/chaos/fit/term_selection.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <limits>

#include "tumble/chaos/eigen_view.hpp"
#include "tumble/chaos/fit/lars.hpp"
#include "tumble/chaos/fit/least_squares.hpp"

namespace tumble {
namespace {

/// Least squares that grows by a column at a time: what each step changes is all that is computed.
class GrowingFit {
 public:
  GrowingFit(std::size_t most, std::span<const double> values)
      : residual_(Eigen::Map<const Eigen::VectorXd>(values.data(),
                                                    static_cast<Eigen::Index>(values.size()))),
        leverages_(Eigen::VectorXd::Zero(residual_.size())),
        q_(residual_.size(), static_cast<Eigen::Index>(most)),
        r_(Eigen::MatrixXd::Zero(q_.cols(), q_.cols())),
        spread_(spread_of(values)) {}

  void add(const Eigen::VectorXd& column) {
    Eigen::VectorXd rest = column, along = Eigen::VectorXd::Zero(terms_);
    const auto known = q_.leftCols(terms_);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd part = known.transpose() * rest;
      rest -= known * part;
      along += part;
    }
    const double length = rest.norm();
    // The new column of R^-1 is (-R^-1 along, 1) / length.
    const Eigen::VectorXd inverse =
        r_.topLeftCorner(terms_, terms_).triangularView<Eigen::Upper>().solve(along);
    trace_ += (inverse.squaredNorm() + 1) / (length * length);
    r_.col(terms_).head(terms_) = along;
    r_(terms_, terms_) = length;
    q_.col(terms_) = rest / length;
    leverages_ += q_.col(terms_).cwiseAbs2();
    residual_ -= q_.col(terms_).dot(residual_) * q_.col(terms_);
    ++terms_;
  }

  /// As LeastSquaresFit::corrected_leave_one_out.
  double error() const {
    const auto n = static_cast<double>(residual_.size()), p = static_cast<double>(terms_);
    if (!(n > p)) return std::numeric_limits<double>::infinity();
    if (spread_ == 0) return 0;
    const double sum = (residual_.array() / (1 - leverages_.array())).square().sum();
    return sum / spread_ * n / (n - p) * (1 + trace_);
  }

 private:
  Eigen::VectorXd residual_, leverages_;
  Eigen::MatrixXd q_, r_;
  double spread_, trace_ = 0;  ///< tr((Psi^T Psi)^-1)
  Eigen::Index terms_ = 0;
};

/// Square of the rounding errors of values, relative.
constexpr double rounding = 1e-26;

}  // namespace

TermSelection select_terms(const DenseMatrix& basis, std::span<const double> values) {
  const std::size_t most = std::min(basis.rows() - 1, basis.columns());
  const std::size_t patience = std::max<std::size_t>(10, most / 10);
  GrowingFit fit(most, values);
  fit.add(view(basis).col(0));
  TermSelection best{{}, fit.error()};
  LarsPath path(basis, values);
  std::vector<std::size_t> terms;
  while (best.error > rounding && terms.size() + 1 < most &&
         terms.size() < best.terms.size() + patience) {
    const auto column = path.next();
    if (!column) break;
    terms.push_back(*column);
    fit.add(view(basis).col(static_cast<Eigen::Index>(*column)));
    if (const double error = fit.error(); error < best.error) best = {terms, error};
  }
  return best;
}

}  // namespace tumble
