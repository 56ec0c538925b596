// Draws of a random inertia by a Markov chain, as Batou and Soize have it.
#pragma once
#include <cstddef>
#include <vector>

#include "tumble/random/inertia/inertia_law.hpp"
#include "tumble/random/stream/draws.hpp"

namespace tumble {

struct InertiaChainSettings {
  std::size_t burn_in = 1000;  ///< states left out at the beginning, which is G = I
  std::size_t thinning = 25;   ///< one state of so many is kept
  /// Standard deviation of a step in units of the law's, in every direction. The default is
  /// 2.38/sqrt(6), best for a Gaussian law in six dimensions (A. Gelman, G. O. Roberts,
  /// W. R. Gilks, Bayesian Statistics 5, 1996).
  double step = 0.97;
};

/// The random walk of Metropolis and Hastings (appendix D of Batou and Soize 2012) on the density
/// of G. A rejected step repeats the state: the paper's "return to step (1)" would sample another
/// law. The whole chain comes from one stream, so its first states do not depend on its length.
class InertiaChain {
 public:
  /// Throws std::invalid_argument if thinning is 0 or the step not positive.
  InertiaChain(const InertiaLaw& law, const Stream& stream, const InertiaChainSettings& settings);

  /// Goes on until `count` states are kept.
  void extend_to(std::size_t count);
  const std::vector<Mat3<double>>& states() const { return states_; }
  /// Of the steps made so far, those of the burn-in included.
  double acceptance() const;
  /// How many independent draws of tr(G) the states are worth, see effective_sample_size().
  double effective_sample_size() const;

 private:
  void step();

  InertiaLaw law_;
  Draws draws_;
  InertiaChainSettings settings_;
  Mat3<double> diagonal_factor_, deviations_;  // of a step, in the axes of the law
  Mat3<double> state_ = Mat3<double>::identity();
  double log_density_;
  std::size_t steps_ = 0, accepted_ = 0;
  std::vector<Mat3<double>> states_;
};

}  // namespace tumble
