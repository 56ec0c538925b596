// Quantiles of all outputs of an expansion, a few outputs at a time.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tumble/chaos/surrogate_sample.hpp"

namespace tumble {

/// [output][probability]
struct SurrogateQuantiles {
  std::vector<double> values;
  /// What they may be wrong by because the sample is finite: twice the standard error of a fraction
  /// of N scrambled Sobol' points in d germs, sqrt(p (1 - p) N^(-1 - 1/d)) (Z. He, X. Wang, SIAM J.
  /// Numer. Anal. 53, 2015, for sets with smooth boundaries), over the density at the quantile.
  std::vector<double> sampling_errors;
};

/// From the values of the surrogate at all points of `sample`, of type 7 of Hyndman and Fan. The
/// same bits for any number of threads, which is at least 1.
SurrogateQuantiles surrogate_quantiles(const SurrogateSample& sample,
                                       std::span<const double> probabilities, int threads);

}  // namespace tumble
