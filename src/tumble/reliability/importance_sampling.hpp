// The probability from draws around the design points, each weighted by the ratio of the normal
// density to the one it was drawn from.
//
// That one is a mixture: a share of the standard normal law itself, the nominal share, and normal
// laws of unit variance around the design points in proportion to Phi(-beta). No weight exceeds
// 1 / nominal share then (T. Hesterberg, "Weighted average importance sampling and defensive
// mixture distributions", Technometrics 37, 1995), and the estimate is unbiased wherever the
// points are.
#pragma once
#include "tumble/reliability/design_point.hpp"

namespace tumble {

struct ImportanceOptions {
  std::uint64_t runs = 10000;  ///< of the search and the draws together
  std::uint64_t seed = 1;
  double confidence = 0.95;
  double nominal_share = 0.2;
  std::size_t starts = 0;  ///< of the search; 0: by the number of germs and runs
};

ProbabilityEstimate importance_sampling(std::size_t dimension, const LimitState& g,
                                        const ImportanceOptions& options);

}  // namespace tumble
