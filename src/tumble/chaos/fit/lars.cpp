#include "tumble/chaos/fit/lars.hpp"

#include <fmt/core.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tumble/chaos/eigen_view.hpp"

namespace tumble {
namespace {

/// A column closer than this to the chosen ones, relative to its length, brings nothing new.
constexpr double smallest_angle = 1e-8;
/// Correlations below this part of the first are rounding.
constexpr double negligible = 1e-13;

}  // namespace

struct LarsPath::State {
  enum class Column : char { offered, chosen, left_out };

  Eigen::MatrixXd x;             // centred columns of length 1
  Eigen::VectorXd correlations;  // x^T (y - fit)
  std::vector<Column> status;
  std::vector<Eigen::Index> chosen;
  Eigen::MatrixXd q, r;  // of the chosen columns: X_A = Q R
  double first_correlation = 0;

  Eigen::Index count() const { return static_cast<Eigen::Index>(chosen.size()); }

  Eigen::Index best_offered() const {
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < x.cols(); ++j)
      if (status[static_cast<std::size_t>(j)] == Column::offered &&
          (best < 0 || std::abs(correlations[j]) > std::abs(correlations[best])))
        best = j;
    return best;
  }

  /// Whether column j is independent of the chosen ones; then it is one of them.
  bool choose(Eigen::Index j) {
    const Eigen::Index n = count();
    Eigen::VectorXd rest = x.col(j), along = Eigen::VectorXd::Zero(n);
    for (int pass = 0; pass < 2; ++pass) {
      const Eigen::VectorXd part = q.leftCols(n).transpose() * rest;
      rest -= q.leftCols(n) * part;
      along += part;
    }
    const double length = rest.norm();
    if (length < smallest_angle) {
      status[static_cast<std::size_t>(j)] = Column::left_out;
      return false;
    }
    q.col(n) = rest / length;
    r.col(n).head(n) = along;
    r(n, n) = length;
    chosen.push_back(j);
    status[static_cast<std::size_t>(j)] = Column::chosen;
    return true;
  }

  /// Moves the fit until the next column correlates as well as the chosen ones.
  void advance() {
    const Eigen::Index n = count();
    Eigen::VectorXd signs(n);
    double largest = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
      const double c = correlations[chosen[static_cast<std::size_t>(k)]];
      signs[k] = c < 0 ? -1 : 1;
      largest = std::max(largest, std::abs(c));
    }
    // u = X_A w with X_A^T u = A s and length 1. With X_A = Q R: u = A Q R^-T s.
    const Eigen::VectorXd v =
        r.topLeftCorner(n, n).triangularView<Eigen::Upper>().transpose().solve(signs);
    const double a = 1 / v.norm();
    const Eigen::VectorXd slopes = x.transpose() * (q.leftCols(n) * (a * v));
    double step = largest / a;  // to the least squares fit, if nothing comes before
    for (Eigen::Index j = 0; j < x.cols(); ++j) {
      if (status[static_cast<std::size_t>(j)] != Column::offered) continue;
      for (const double sign : {1.0, -1.0}) {
        const double gap = largest - sign * correlations[j], speed = a - sign * slopes[j];
        if (speed > 0 && gap >= 0) step = std::min(step, gap / speed);
      }
    }
    correlations -= step * slopes;
  }
};

LarsPath::LarsPath(const DenseMatrix& basis, std::span<const double> values)
    : state_(std::make_unique<State>()) {
  if (values.size() != basis.rows() || basis.rows() < 2)
    throw std::invalid_argument(fmt::format("LARS: {} values for {} points; at least 2 are needed",
                                            values.size(), basis.rows()));
  State& s = *state_;
  s.x = view(basis);
  s.status.assign(basis.columns(), State::Column::offered);
  for (Eigen::Index j = 0; j < s.x.cols(); ++j) {
    const double before = s.x.col(j).norm();
    s.x.col(j).array() -= s.x.col(j).mean();
    const double length = s.x.col(j).norm();
    if (j == 0 || length <= smallest_angle * before)
      s.status[static_cast<std::size_t>(j)] = State::Column::left_out;
    else
      s.x.col(j) /= length;
  }
  const auto rows = static_cast<Eigen::Index>(values.size());
  Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(values.data(), rows);
  y.array() -= y.mean();
  s.correlations = s.x.transpose() * y;
  const Eigen::Index most = std::min(rows - 1, s.x.cols());
  s.q.resize(rows, most);
  s.r = Eigen::MatrixXd::Zero(most, most);
}

LarsPath::~LarsPath() = default;

std::optional<std::size_t> LarsPath::next() {
  State& s = *state_;
  if (s.count() == s.q.cols()) return std::nullopt;
  if (s.count() > 0) s.advance();
  for (;;) {
    const Eigen::Index best = s.best_offered();
    if (best < 0) return std::nullopt;
    const double correlation = std::abs(s.correlations[best]);
    if (s.count() == 0) s.first_correlation = correlation;
    if (!(correlation > negligible * s.first_correlation)) return std::nullopt;
    if (s.choose(best)) return static_cast<std::size_t>(best);
  }
}

}  // namespace tumble
