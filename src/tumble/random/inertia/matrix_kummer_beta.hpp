// The integral of the Kummer-Beta distribution of 3 x 3 matrices, and its moments.
#pragma once
#include <functional>

#include "tumble/math/vec3.hpp"

namespace tumble {

/// Of symmetric B with 0 < B < I and the density proportional to
///   det(B)^(a-2) det(I-B)^(b-2) exp(-tr(X B)),   X = diag(x),
/// with respect to prod_{i<=j} dB_ij (D. K. Nagar, A. K. Gupta, "Matrix-variate Kummer-Beta
/// distribution", J. Austral. Math. Soc. 73, 2002). Off-diagonal entries have mean zero and are
/// uncorrelated with all others, because the density does not change when an axis is reversed.
struct MatrixKummerBeta {
  /// log(B_3(a, b) 1F1(a; a+b; -X)), 1F1 the hypergeometric function of matrix argument.
  double log_partition = 0.0;
  Vec3<double> mean;      ///< E{B_ii}
  Mat3<double> products;  ///< E{B_ii B_jj}
  Mat3<double> squares;   ///< E{B_ij^2}

  /// Covariance of the diagonal entries: the Hessian of log_partition in x.
  Mat3<double> covariance() const { return products - outer(mean, mean); }
};

/// For a, b > 1 and any real x. Computed by trapezoidal rules whose steps are `step` standard
/// deviations; see docs/theory/inertia-law.md for the reduction to three dimensions.
MatrixKummerBeta matrix_kummer_beta(double a, double b, const Vec3<double>& x, double step = 0.5);

/// What the exponents of w leave of its law: with B = [t v^T; v C], v = sqrt(t (1-t)) w, the
/// density of w is proportional to (1-|w|^2)^(a+b-5/2) exp(-x_2 w_1^2 - x_3 w_2^2 + border(w)), and
/// border(w) is an analytic function of p = w_1^2 and r = w_2^2 / (1 - p), in which it is given.
std::function<double(double p, double r)> border_of_kummer_beta(double a, double b,
                                                                const Vec3<double>& x, double step);

/// log B_3(a, b), the integral without the exponential: Gamma_3(a) Gamma_3(b) / Gamma_3(a+b).
double log_matrix_beta(double a, double b);

/// log Gamma_3(a) = (3/2) log(pi) + sum_{j<3} log Gamma(a - j/2).
double log_matrix_gamma(double a);

}  // namespace tumble
