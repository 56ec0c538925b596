// Which polynomials matter, in the order of their importance: least angle regression.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

/// B. Efron, T. Hastie, I. Johnstone, R. Tibshirani, "Least angle regression", Ann. Statist. 32
/// (2004): the fit moves in the direction that has equal angles with all chosen columns until
/// another column correlates as well with what is left; that one is chosen next. There may be many
/// more columns than rows. Equations (2.4)-(2.13) of the paper, on columns with mean 0 and length
/// 1. Of equal correlations the first column is taken, so that the order is the same everywhere.
class LarsPath {
 public:
  /// `basis`: one row per point, one column per polynomial, the constant in column 0, which is not
  /// offered. One value per point.
  LarsPath(const DenseMatrix& basis, std::span<const double> values);
  ~LarsPath();

  /// The next column; none if all that is left is rounding, or as many are chosen as can be told
  /// apart. Columns that are combinations of chosen ones are left out.
  std::optional<std::size_t> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tumble
