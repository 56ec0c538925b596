// Points of one variable that are kept when more are taken.
#pragma once
#include <vector>

#include "tumble/chaos/basis/orthonormal_polynomials.hpp"

namespace tumble {

/// The first n of these points are good points for interpolation by polynomials of degree n - 1,
/// for every n: a Leja sequence. The first is the mean of the law. If the law is symmetric, points
/// come in mirrored pairs after the first, so that odd numbers of them are symmetric.
///
/// Discrete Leja points: L. Bos, S. De Marchi, A. Sommariva, M. Vianello, "Computing multivariate
/// Fekete and Leja points by numerical linear algebra", SIAM J. Numer. Anal. 48 (2010). Each point
/// is the pivot of a row in the elimination of the matrix sqrt(w_i) p_j(x_i), where candidates x_i
/// and weights w_i are the largest Gauss rule that `polynomials` have. It needs no density, hence
/// serves every law. More points from the same polynomials begin with these.
///
/// @throws std::invalid_argument if `polynomials` end below degree 4 `points`.
std::vector<double> leja_points(const OrthonormalPolynomials& polynomials, int points);

}  // namespace tumble
