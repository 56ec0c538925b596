// The standard normal distribution function and its inverse, in both tails.
//
// Small probabilities keep their relative accuracy, so an upper tail is written as the lower tail
// of -z: P(Z > z) = standard_normal_cdf(-z).
#pragma once

namespace tumble {

/// exp(-z^2 / 2) / sqrt(2 pi)
double standard_normal_pdf(double z);

/// P(Z <= z)
double standard_normal_cdf(double z);

/// The z with P(Z <= z) = u, for 0 < u < 1.
double standard_normal_score(double u);

}  // namespace tumble
