#include "tumble/chaos/basis/polynomial_basis.hpp"

#include <fmt/core.h>

#include <stdexcept>
#include <utility>

namespace tumble {

PolynomialBasis::PolynomialBasis(const InputSpace& space, const MultiIndexSet& terms)
    : PolynomialBasis(space.polynomials(terms.highest_degrees()), terms) {}

PolynomialBasis::PolynomialBasis(std::vector<OrthonormalPolynomials> polynomials,
                                 MultiIndexSet terms)
    : polynomials_(std::move(polynomials)), terms_(std::move(terms)) {
  if (polynomials_.size() != terms_.variables())
    throw std::invalid_argument(fmt::format("polynomial chaos: terms in {} variables for {} germs",
                                            terms_.variables(), polynomials_.size()));
  first_.push_back(0);
  for (const int degree : terms_.highest_degrees())
    first_.push_back(first_.back() + static_cast<std::size_t>(degree) + 1);
}

void PolynomialBasis::evaluate(std::span<const double> germs, std::span<double> values) const {
  if (germs.size() != variables() || values.size() != size())
    throw std::invalid_argument(
        fmt::format("polynomial chaos: {} germs and room for {} values; there are {} and {}",
                    germs.size(), values.size(), variables(), size()));
  std::vector<double> table(first_.back());
  for (std::size_t k = 0; k < variables(); ++k)
    polynomials_[k].evaluate(germs[k],
                             std::span(table).subspan(first_[k], first_[k + 1] - first_[k]));
  for (std::size_t term = 0; term < size(); ++term) {
    const auto index = terms_[term];
    double product = 1;
    for (std::size_t k = 0; k < index.size(); ++k)
      if (index[k] != 0) product *= table[first_[k] + index[k]];
    values[term] = product;
  }
}

DenseMatrix PolynomialBasis::at(const DenseMatrix& points) const {
  DenseMatrix matrix(points.rows(), size());
  for (std::size_t i = 0; i < points.rows(); ++i) evaluate(points.row(i), matrix.row(i));
  return matrix;
}

PolynomialBasis PolynomialBasis::with(MultiIndexSet terms) const {
  return {polynomials_, std::move(terms)};
}

}  // namespace tumble
