// The interval of a probability from independent unbiased estimates of it.
#pragma once
#include <vector>

namespace tumble {

struct ReplicaInterval {
  double mean, lower, upper;
  double cv;  ///< of the mean; NaN if all are 0
};

/// Products of shares scatter by factors: the mean of a few has a long tail, and where it comes out
/// low, so does the scatter about it. With s the standard deviation of the logarithms of R
/// estimates, the mean m has the coefficient of variation s / sqrt(R), and the interval is
///   m exp(+- t sqrt(s^2 / R + s^4 / (2 (R - 1)))),
/// that of the mean of a lognormal law by Cox (X.-H. Zhou, S. Gao, "Confidence intervals for the
/// log-normal mean", Statistics in Medicine 16, 1997), with Student's t and around m, which is
/// unbiased for any law. An estimate of 0 counts as half of the smallest other one in s.
ReplicaInterval replica_interval(const std::vector<double>& estimates, double confidence);

}  // namespace tumble
