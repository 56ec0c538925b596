// How many independent values the values of a Markov chain are worth.
#pragma once
#include <span>

namespace tumble {

/// n / (1 + 2 sum of autocorrelations), the sum cut off where the estimates turn to noise: C. J.
/// Geyer's initial monotone sequence ("Practical Markov chain Monte Carlo", Statist. Sci. 7, 1992).
/// The variance of the chain's mean is the variance of the values over this number. 0 without
/// values, n if all are equal; never above n.
double effective_sample_size(std::span<const double> values);

}  // namespace tumble
