// Our 3 x 3 matrices as those of Eigen and back, for code of the set-up.
#pragma once
#include <Eigen/Core>

#include "tumble/math/vec3.hpp"

namespace tumble {

inline Eigen::Matrix3d to_eigen(const Mat3<double>& a) {
  return Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(a.m);
}

inline Mat3<double> from_eigen(const Eigen::Matrix3d& a) {
  Mat3<double> r;
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor>::Map(r.m) = a;
  return r;
}

/// Equal bits on both sides of the diagonal, which products of matrices do not give.
inline Eigen::Matrix3d symmetric_part(const Eigen::Matrix3d& a) {
  return 0.5 * (a + a.transpose());
}

}  // namespace tumble
