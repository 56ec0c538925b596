// Our tables as matrices of Eigen, for the sources of this module.
#pragma once
#include <Eigen/Core>

#include "tumble/chaos/dense_matrix.hpp"

namespace tumble {

using RowMajorMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Map<const RowMajorMatrix> view(const DenseMatrix& m) {
  return {m.data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.columns())};
}

inline Eigen::Map<RowMajorMatrix> view(DenseMatrix& m) {
  return {m.data(), static_cast<Eigen::Index>(m.rows()), static_cast<Eigen::Index>(m.columns())};
}

}  // namespace tumble
