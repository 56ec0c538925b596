// A Kummer-Beta matrix as a smooth function of six independent standard normal numbers.
#pragma once
#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

#include "tumble/random/inertia/matrix_kummer_beta.hpp"
#include "tumble/random/law/scalar_kummer_beta.hpp"

namespace tumble {

/// Of B with the density det(B)^(a-2) det(I-B)^(b-2) exp(-tr(X B)), X = diag(x), 0 < B < I. B is
/// taken apart by rows as in matrix_kummer_beta.cpp,
///
///   B = [ t  v^T ]  v = sqrt(t (1-t)) w,  C = R^T D R + (1-t) w w^T,  R^T R = I - w w^T,
///       [ v  C   ]
///   D = [ t' v'  ]  v' = sqrt(t' (1-t')) w',  c' = (1-w'^2) d + (1-t') w'^2,
///       [ v' c'  ]
///
/// and each of w_1, w_2, t, t', w', d is the quantile of its normal number in its law given those
/// before it (H. Knothe 1957, M. Rosenblatt 1952). All six laws have one dimension:
///
///   w_1           2-dimensional integral, tabulated as a polynomial in w_1^2
///   w_2 | w_1     tabulated in w_1^2 and w_2^2/(1-w_1^2)
///   t | w         scalar Kummer-Beta with a, b, x_1 - q,  q = x_2 w_1^2 + x_3 w_2^2
///   t' | w        an integral over w'
///   w' | w, t'    explicit
///   d | w, w'     scalar Kummer-Beta with a-1, b-1, Y_22 (1-w'^2)
///
/// with Y = R X_2 R^T. Y is not diagonalised: its axes are no smooth function of w.
class KummerBetaMap {
 public:
  KummerBetaMap(double a, double b, const Vec3<double>& x);

  Eigen::Matrix3d operator()(std::span<const double> scores) const;

 private:
  struct Minor {
    double t, w, d;
  };
  /// Y = [ y11 y12 ; y12 y22 ]
  Minor minor(double y11, double y12, double y22, std::span<const double> scores) const;
  double border(double p, double r) const;
  /// log of the integral of t^(a-2) (1-t)^(b-2) exp(-z t), z between 0 and x_3.
  double log_last(double z) const;

  double a_, b_;
  Vec3<double> x_;
  double p_end_ = 1, r_end_ = 1;             ///< beyond, w has no probability to speak of
  std::vector<std::vector<double>> border_;  ///< Chebyshev coefficients, a row for each power of p
  std::vector<double> marginal_;             ///< of w_1, in p
  /// Of log_last(), less |z| for z < 0, in log(1 + |z| / (a + b)): it goes like a logarithm.
  std::vector<double> last_;
  double last_end_ = 1;
};

}  // namespace tumble
