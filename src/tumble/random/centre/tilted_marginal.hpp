// One coordinate of a uniform point in an interval, a disk or a ball, tilted by an exponential.
//
// Along a diameter z in [-1, 1] the three have the densities (1 - z^2)^a with a = 0, 1/2 and 1;
// with exp(k z) in front they are the marginals, along lambda, of the law of the centre of mass.
#pragma once

namespace tumble {

/// Of the density proportional to (1 - z^2)^a exp(k z). Integration by parts gives
///   E{z} = k E{1 - z^2} / (2 a + 2),
/// and the right-hand side over k is also the variance across the diameter. So `transverse` says
/// both, E{z} = k transverse, without a difference of close numbers.
struct TiltedMarginal {
  double log_value = 0;   ///< log E{exp(k z)} of the uniform point; 0 for k = 0
  double transverse = 0;  ///< E{z} / k
  double variance = 0;    ///< of z
};

TiltedMarginal tilted_interval(double k);
TiltedMarginal tilted_disk(double k);
TiltedMarginal tilted_ball(double k);

/// The u in (0, 1) below which a fraction p of the density proportional to exp(-s u) lies.
double truncated_exponential_quantile(double s, double p);

/// The z in (-1, 1) below which a fraction p of (1 - z^2) exp(k z) lies.
double tilted_ball_quantile(double k, double p);

}  // namespace tumble
