// The weighted estimator of Batou and Soize: a cross-check of the law and of its draws.
#pragma once
#include <cstddef>
#include <vector>

#include "tumble/random/inertia/inertia_law.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

struct WeightedInertia {
  Mat3<double> normalized;  ///< G_0 of the unbounded law, Eq. (40)
  double weight = 0.0;
};

/// Eq. (43) with the factor that it drops: with G_0 of Eq. (40), lambda = lambda_l and
/// mu_0 = (2 - lambda_l) I,
///   E{g(G)} = E{g(G_0) w(G_0)},
///   w = C_G / C_G0  1(Gmax - G_0 > 0)  det(Gmax - G_0)^-lambda_u  exp(-tr((mu - mu_0) G_0)).
/// Weights have the mean 1 if C_G is right. For a law with a bound; others throw
/// std::invalid_argument.
std::vector<WeightedInertia> weighted_inertia(const InertiaLaw& law, Draws& draws,
                                              std::size_t count);

}  // namespace tumble
