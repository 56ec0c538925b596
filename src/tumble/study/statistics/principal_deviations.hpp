// The ellipsoid of standard deviations of a random vector.
#pragma once
#include "tumble/math/vec3.hpp"

namespace tumble {

/// C = sum of s_k^2 d_k d_k^T with s_1 >= s_2 >= s_3 >= 0 and orthonormal directions d_k: along d_k
/// the vector has the standard deviation s_k, and the ellipsoid with the semi-axes s_k d_k about
/// the mean is that of Wu et al. (2016), section 5.
struct PrincipalDeviations {
  Vec3d deviations;
  Mat3d directions;  ///< d_k is row k
};

/// Of a covariance matrix, symmetric. The largest component of a direction is positive, the first
/// one of those that are equal but for rounding, so that directions do not flip from time to time
/// without need. NaN if the matrix has one.
PrincipalDeviations principal_deviations(const Mat3d& covariance);

}  // namespace tumble
