// Orthonormal polynomials of any law of a random number.
#pragma once
#include <vector>

#include "tumble/chaos/basis/orthonormal_polynomials.hpp"
#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

/// A law replaced by finitely many points with probabilities.
struct DiscreteMeasure {
  std::vector<double> nodes, weights;  ///< nodes ascending, all different; weights positive
};

/// Of t = (x - mean) / std.
///
/// E{f(X)} is the integral of f(F^-1(Phi(z))) phi(z) dz over the normal score z. Whatever the ends
/// of the support, poles of the density or tails are like, in z the integrand is smooth and falls
/// as exp(-z^2 / 2); kinks and jumps are where the law's breakpoints say. Panels of
/// a tenth between them, ten Gauss-Legendre points each, out to |z| = 37, where a double ends.
/// Equal nodes become one: equal values of a sample are an atom. A discrete law is its atoms.
DiscreteMeasure standardized_measure(const ScalarLaw& law);

/// The procedure of Stieltjes on the discrete measure: a_k = <t p_k, p_k>, then p_{k+1} by the
/// recurrence (Gautschi 2004, section 2.2.3.1). What rounding leaves of earlier polynomials in
/// p_{k+1} is subtracted twice, without which the procedure fails for degrees near the number of
/// nodes. @throws std::invalid_argument if there are not more nodes than `degree`.
OrthonormalPolynomials stieltjes_polynomials(const DiscreteMeasure& measure, int degree);

}  // namespace tumble
