// Vectors and matrices of three as Eigen's, for code that works on dense matrices.
#pragma once
#include <Eigen/Core>

#include "tumble/math/vec3.hpp"

namespace tumble {

inline Eigen::Matrix3d skew_matrix(const Vec3<double>& x) {
  Eigen::Matrix3d m;
  m << 0, -x.z, x.y, x.z, 0, -x.x, -x.y, x.x, 0;
  return m;
}
inline Eigen::Matrix3d eigen(const Mat3<double>& m) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m(i, j);
  return out;
}

}  // namespace tumble
