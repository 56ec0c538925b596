// Normal, gamma and Wishart variates from the uniform numbers of a stream.
#pragma once
#include <Eigen/Core>

#include "tumble/random/stream/draws.hpp"

namespace tumble {

/// Of mean 0 and variance 1, by inversion of one uniform number.
double normal_variate(Draws& draws);

/// Of the density t^(shape-1) exp(-t) / Gamma(shape), shape > 0, by rejection (G. Marsaglia,
/// W. W. Tsang, ACM Trans. Math. Softw. 26, 2000).
double gamma_variate(double shape, Draws& draws);

/// Lower triangular T with T T^T of the density det(W)^(a-2) exp(-tr W) / Gamma_3(a), a > 1: a
/// Wishart matrix with 2 a degrees of freedom and the scale I/2, mean a I. Bartlett's
/// decomposition: T_jj^2 is gamma of shape a - j/2, j = 0, 1, 2, and T_ij below it is normal with
/// variance 1/2, all independent.
Eigen::Matrix3d wishart_factor(double a, Draws& draws);

}  // namespace tumble
