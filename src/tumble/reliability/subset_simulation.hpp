// Small probabilities as products of larger ones: P(g <= 0) = prod_k P(g <= b_k | g <= b_k-1) over
// levels b_1 > b_2 > ... > 0 (S.-K. Au, J. L. Beck, "Estimation of small failure probabilities in
// high dimensions by subset simulation", Probabilistic Engineering Mechanics 16, 2001).
//
// A pilot of a tenth of the runs chooses the levels, each with about the probability p0, and how
// far the Markov chains move. From then on nothing adapts: with levels fixed, the product of the
// shares is unbiased (P. Del Moral, Feynman-Kac Formulae, 2004, Theorem 7.4.2), whatever the
// chains' correlation, and replicas of the whole algorithm are independent. Their mean is the
// estimate, their scatter its error.
//
// Chains move by conditional sampling (I. Papaioannou, W. Betz, K. Zwirglmaier, D. Straub, "MCMC
// algorithms for subset simulation", Probabilistic Engineering Mechanics 41, 2015),
//   u' = rho u + sqrt(1 - rho^2) xi,  xi standard normal, by component, accepted if g(u') <= b_k:
// u' is standard normal if u is, in any number of dimensions.
#pragma once
#include "tumble/reliability/probability_estimate.hpp"

namespace tumble {

struct SubsetOptions {
  std::uint64_t runs = 10000;  ///< of all replicas and the pilot together; none above
  std::uint64_t replicas = 8;
  double level_probability = 0.1;
  std::uint64_t seed = 1;
  double confidence = 0.95;
};

/// The least runs with which levels may be found: what a message can ask for.
std::uint64_t least_subset_runs(const SubsetOptions& options);

/// A run that failed counts as beyond every level, so that chains go on from it; the estimate and
/// the lower end of its interval take those of the last level away again, the upper end does not.
ProbabilityEstimate subset_simulation(std::size_t dimension, const LimitState& g,
                                      const SubsetOptions& options);

}  // namespace tumble
