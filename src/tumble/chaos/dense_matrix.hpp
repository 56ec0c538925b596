// A table of numbers by rows: points, values at points, coefficients.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace tumble {

/// Rows are contiguous. Rows of points are points; rows of values are all outputs of one run; rows
/// of coefficients belong to one polynomial.
class DenseMatrix {
 public:
  DenseMatrix() = default;
  DenseMatrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), values_(rows * columns, 0.0) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t row, std::size_t column) {
    return values_[row * columns_ + column];
  }
  double operator()(std::size_t row, std::size_t column) const {
    return values_[row * columns_ + column];
  }
  std::span<double> row(std::size_t i) { return {values_.data() + i * columns_, columns_}; }
  std::span<const double> row(std::size_t i) const {
    return {values_.data() + i * columns_, columns_};
  }
  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

}  // namespace tumble
