#include "tumble/chaos/expansion.hpp"

#include <fmt/core.h>

#include <limits>
#include <stdexcept>
#include <utility>

#include "tumble/chaos/eigen_view.hpp"

namespace tumble {

Expansion::Expansion(PolynomialBasis basis, DenseMatrix coefficients)
    : basis_(std::move(basis)), coefficients_(std::move(coefficients)) {
  if (coefficients_.rows() != basis_.size())
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} rows of coefficients for {} terms", coefficients_.rows(),
                    basis_.size()));
}

std::vector<double> Expansion::means() const {
  const auto row = coefficients_.row(0);
  return {row.begin(), row.end()};
}

std::vector<double> Expansion::variances() const {
  std::vector<double> sums(outputs(), 0.0);
  for (std::size_t term = 1; term < basis_.size(); ++term)
    for (std::size_t o = 0; o < outputs(); ++o)
      sums[o] += coefficients_(term, o) * coefficients_(term, o);
  return sums;
}

double Expansion::covariance(std::size_t output_1, std::size_t output_2) const {
  double sum = 0;
  for (std::size_t term = 1; term < basis_.size(); ++term)
    sum += coefficients_(term, output_1) * coefficients_(term, output_2);
  return sum;
}

DenseMatrix Expansion::covariance(std::span<const std::size_t> outputs) const {
  DenseMatrix matrix(outputs.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      matrix(i, j) = matrix(j, i) = covariance(outputs[i], outputs[j]);
  return matrix;
}

template <class Choose>
std::vector<double> Expansion::share(std::span<const std::size_t> group,
                                     const Choose& choose) const {
  std::vector<char> in_group(basis_.variables(), 0);
  for (const std::size_t germ : group) {
    if (germ >= basis_.variables())
      throw std::invalid_argument(
          fmt::format("polynomial chaos: germ {} of {}, counted from 0", germ, basis_.variables()));
    in_group[germ] = 1;
  }
  std::vector<double> sums(outputs(), 0.0);
  for (std::size_t term = 1; term < basis_.size(); ++term) {
    bool inside = false, outside = false;
    const auto index = basis_.terms()[term];
    for (std::size_t k = 0; k < index.size(); ++k)
      if (index[k] != 0) (in_group[k] ? inside : outside) = true;
    if (!choose(inside, outside)) continue;
    for (std::size_t o = 0; o < outputs(); ++o)
      sums[o] += coefficients_(term, o) * coefficients_(term, o);
  }
  const std::vector<double> all = variances();
  for (std::size_t o = 0; o < outputs(); ++o)
    sums[o] = all[o] > 0 ? sums[o] / all[o] : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

std::vector<double> Expansion::closed_sobol(std::span<const std::size_t> group) const {
  return share(group, [](bool inside, bool outside) { return inside && !outside; });
}

std::vector<double> Expansion::total_sobol(std::span<const std::size_t> group) const {
  return share(group, [](bool inside, bool) { return inside; });
}

void Expansion::evaluate(std::span<const double> germs, std::span<double> values) const {
  if (values.size() != outputs())
    throw std::invalid_argument(fmt::format("polynomial chaos: room for {} values; outputs are {}",
                                            values.size(), outputs()));
  std::vector<double> terms(basis_.size());
  basis_.evaluate(germs, terms);
  const auto size = static_cast<Eigen::Index>(terms.size());
  Eigen::Map<Eigen::RowVectorXd>(values.data(), static_cast<Eigen::Index>(outputs())) =
      Eigen::Map<const Eigen::RowVectorXd>(terms.data(), size) * view(coefficients_);
}

DenseMatrix Expansion::from_terms(const DenseMatrix& terms, std::size_t first,
                                  std::size_t count) const {
  DenseMatrix values(terms.rows(), count);
  view(values).noalias() = view(terms) * view(coefficients_)
                                             .middleCols(static_cast<Eigen::Index>(first),
                                                         static_cast<Eigen::Index>(count));
  return values;
}

DenseMatrix Expansion::at(const DenseMatrix& points) const {
  DenseMatrix values(points.rows(), outputs());
  for (std::size_t i = 0; i < points.rows(); ++i) evaluate(points.row(i), values.row(i));
  return values;
}

}  // namespace tumble
