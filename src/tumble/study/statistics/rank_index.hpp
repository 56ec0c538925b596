// The share of a variance that one number explains, from a plain sample: no runs of its own.
//
// Neighbours in the order of x have nearly the same x, and are independent otherwise: with y about
// its mean, in that order,
//   Var E{y | x} = E{y_j y_j+1}
// (F. Gamboa, P. Gremaud, T. Klein, A. Lagnoux, Bernoulli 28, 2022, after Chatterjee's
// correlation). The error of the ratio R to the variance follows from p_j = y_j y_j+1 - R (y_j^2 +
// y_j+1^2) / 2:
//   Var R = (g0 + 2 g1) / (n V^2),   g0 = E{p_j^2},
//   g1 = E{(p_j - p_j+3)(p_j+1 - p_j+4)} / 2,
// g1 being the covariance of pairs that share a value, on condition of the x. Differences of pairs
// nearby leave out what follows from x, which g0 has counted already.
#pragma once
#include <cstdint>
#include <span>

#include "tumble/study/statistics/controlled_ratios.hpp"

namespace tumble {

/// With an interval that holds with the probability `level`; NaN if y does not vary. Of a design of
/// `copies` independent copies, value i being of copy i mod copies of the realisations `numbers`,
/// each copy is put into an order by itself and their scatter is the error; 0: values are
/// independent.
RatioEstimate rank_index(std::span<const double> x, std::span<const double> y, double level,
                         std::uint64_t copies = 0, std::span<const std::size_t> numbers = {});

}  // namespace tumble
