// The posterior of the parameters by sequential Monte Carlo: particles go from the prior to the
// posterior through laws prior * likelihood^phi, 0 <= phi <= 1 (P. Del Moral, A. Doucet, A. Jasra,
// J. R. Stat. Soc. B 68, 2006).
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "tumble/random/law/scalar_law.hpp"

namespace tumble {

struct SequentialOptions {
  std::size_t particles = 400;
  std::size_t replicas = 4;
  std::uint64_t seed = 1;
  double resampled_size = 0.5;  ///< effective share of the particles that one step leaves
  /// Asked between likelihoods; true ends it.
  std::function<bool()> stop = {};
};

/// Equally weighted draws of independent repetitions.
struct Posterior {
  std::size_t replicas = 0, particles = 0, parameters = 0;
  std::vector<double> draws;            ///< [replica][particle][parameter]
  std::vector<double> log_likelihoods;  ///< [replica][particle]
  std::vector<double> log_evidence;     ///< [replica]
  std::vector<double> acceptance;       ///< [replica] of the moves of the last step
  std::vector<double> steps;            ///< [replica] from prior to posterior

  // By parameter.
  std::vector<double> mean, std;
  std::vector<double> r_hat;           ///< of A. Gelman, D. B. Rubin, Stat. Sci. 7, 1992
  std::vector<double> effective_size;  ///< from the scatter of the means of replicas
  std::vector<double> divergence;      ///< the farthest mean of a replica from that of all, in std
  bool stopped = false;

  double at(std::size_t replica, std::size_t particle, std::size_t parameter) const {
    return draws[(replica * particles + particle) * parameters + parameter];
  }
  /// Of all draws of a parameter, Hyndman-Fan type 7.
  double quantile(std::size_t parameter, double probability) const;
};

/// `log_likelihood`: minus infinity where there is none. `priors` are independent laws with
/// densities; what lies outside [lower, upper] has no probability.
Posterior sequential_monte_carlo(
    const std::function<double(const std::vector<double>&)>& log_likelihood,
    const std::vector<ScalarLaw>& priors, const std::vector<double>& lower,
    const std::vector<double>& upper, const SequentialOptions& options);

}  // namespace tumble
