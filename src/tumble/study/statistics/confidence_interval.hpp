// Intervals that hold a true value with a given probability, from an estimate and its error.
#pragma once

namespace tumble {

struct Interval {
  double lower, upper;
};

/// The t for which a Student variable with so many degrees of freedom, not necessarily whole, lies
/// between -t and t with the probability `level`.
double student_quantile(double degrees, double level);

/// The interval of a mean whose studentised error T = (estimate - truth) / error is between -t and
/// t but for skewness. With g the skewness of n values that the mean is of, and a = g / sqrt(n),
///   f(T) = T + a T^2 / 3 + a^2 T^3 / 27 + a / 6
/// is symmetric to second order, monotone, and has the inverse
///   T(y) = 3 ((1 + a (y - a / 6))^(1/3) - 1) / a
/// (P. Hall, "On the removal of skewness by transformation", Journal of the Royal Statistical
/// Society B 54, 1992); the ends are estimate - error T(t) and estimate - error T(-t). Without
/// skewness it is Student's interval.
Interval skewed_interval(double estimate, double error, double skewness_over_root_n, double t);

}  // namespace tumble
