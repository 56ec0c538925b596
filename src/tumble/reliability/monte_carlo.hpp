// The share of independent draws with g <= 0, with its exact interval.
#pragma once
#include "tumble/reliability/probability_estimate.hpp"

namespace tumble {

struct MonteCarloOptions {
  std::uint64_t runs = 1000;
  std::uint64_t seed = 1;
  double confidence = 0.95;
  std::uint64_t batch = 4096;  ///< drawn at a time
};

/// The interval is that of Clopper and Pearson. Its lower end counts runs that failed as not beyond
/// the limit, its upper end as beyond it.
ProbabilityEstimate monte_carlo(std::size_t dimension, const LimitState& g,
                                const MonteCarloOptions& options);

}  // namespace tumble
