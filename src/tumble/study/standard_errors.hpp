// Standard errors of the mean and of the standard deviation.
#pragma once
#include "tumble/study/leaf_statistics.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

/// s / sqrt(n) of n independent values, CopyMoments::mean_error() of a design in copies. NaN where
/// there are too few values.
double mean_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                  std::size_t number);

/// The square root of Var(s^2) / (4 s^2), s^2 being the variance of n independent values with
///   Var(s^2) = (m4 - s^4 (n - 3) / (n - 1)) / n
/// and the fourth central moment m4 (H. Cramer, Mathematical Methods of Statistics, Princeton 1946,
/// section 27.4; asymptotic in that both are estimates). It needs a finite fourth moment of what
/// the values are drawn from. CopyMoments::deviation_error() of a design in copies. 0 where
/// nothing varies.
double deviation_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                       std::size_t number);

}  // namespace tumble
