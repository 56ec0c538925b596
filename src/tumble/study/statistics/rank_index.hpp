// The share of a variance that one number explains, from a plain sample: no runs of its own.
//
// Neighbours in the order of x have nearly the same x, and are independent otherwise: with y about
// its mean,
//   Var E{y | x} = E{y_j y_N(j)},   N(j) being the neighbour of j in the order of x
// (F. Gamboa, P. Gremaud, T. Klein, A. Lagnoux, Bernoulli 28, 2022, after Chatterjee's
// correlation). The sample is cut into batches that are ordered by themselves: their sums are
// independent, and say how large the error is.
#pragma once
#include <span>
#include <vector>

#include "tumble/study/statistics/controlled_ratios.hpp"

namespace tumble {

/// How a sample is cut: the batch of every value.
struct SampleBatches {
  std::vector<std::size_t> of;
  std::size_t count = 0;
};

/// Batches of independent values, of some 128 or more where there are enough.
SampleBatches make_batches(std::size_t values);

/// With an interval that holds with the probability `level`; NaN if y does not vary.
RatioEstimate rank_index(std::span<const double> x, std::span<const double> y,
                         const SampleBatches& batches, double level);

}  // namespace tumble
