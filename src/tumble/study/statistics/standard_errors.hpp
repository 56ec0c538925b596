// Mean and standard deviation of an ensemble with their standard errors and confidence intervals.
#pragma once
#include <map>

#include "tumble/study/sampling.hpp"
#include "tumble/study/statistics/confidence_interval.hpp"
#include "tumble/study/statistics/leaf_statistics.hpp"

namespace tumble {

/// The square root of the variance, which has the divisor n - 1 for independent values and n for
/// points of a design (CopyMoments::variance()). NaN for fewer than two values.
double ensemble_deviation(const LeafStatistics& statistics, const Sampling& sampling,
                          std::size_t time, std::size_t number);
/// What covariances with the divisor n - 1 are to be multiplied by.
double covariance_factor(const Sampling& sampling, std::uint64_t count);

/// s / sqrt(n) of n independent values, that of CopyMoments::mean() of a design in copies. NaN
/// where there are too few values, and for a design of one copy.
double mean_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                  std::size_t number);

/// Of the standard deviation s of n independent values: s / 2 sqrt((k - (n - 3) / (n - 1)) / n),
/// which is the square root of Var(s^2) / (4 s^2) (H. Cramer, Mathematical Methods of Statistics,
/// Princeton 1946, section 27.4) with the kurtosis k. What a sample says of k is too little if the
/// tail is heavier than the sample shows. So k is the largest of G2, the estimate that is unbiased
/// for normal values, and what the skewness G1, which is estimated better, lets expect,
///   k = max(G2, 1.2 + 1.5 (1 + 24 / n) G1^2 + 1.8 min(1, G1^2)):
/// for large n no more than the 3 + 1.5 G1^2 of gamma distributions; the term 24 / n makes up for
/// the bias of G1^2 in small samples of skewed distributions. No more than n, the most that a
/// sample can have. docs/validation.md shows how well it holds. For n < 4, which tell no kurtosis,
/// that of normal values. Of a design in copies: that of CopyMoments::variance() over 2 s. 0 where
/// nothing varies.
double deviation_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                       std::size_t number);

/// Degrees of freedom of the intervals of mean and standard deviation.
struct DegreesOfFreedom {
  double mean, deviation;
};
/// n - 1 and n / 5 + 1 for what n independent values are worth: the variance of a sample's fourth
/// moment is, for normal values, that of a chi-square variable with 3 n / 16 degrees of freedom. Of
/// R copies R - 1 and R / 2, as mean squares of copies are skewed.
DegreesOfFreedom degrees_of_freedom(const Sampling& sampling, std::uint64_t count,
                                    std::size_t copies);

/// Confidence intervals of mean and standard deviation.
class ConfidenceIntervals {
 public:
  /// The arguments outlive this.
  ConfidenceIntervals(const LeafStatistics& statistics, const Sampling& sampling, double level)
      : statistics_(statistics), sampling_(sampling), level_(level) {}

  /// By skewed_interval(), with the skewness of the values or of the means of the copies.
  Interval mean(std::size_t time, std::size_t number) const;
  /// s exp(-+ t se(s) / s). Of copies the union of this interval and of that of skewed_interval()
  /// for s^2, whose error is skewed where tails are.
  Interval deviation(std::size_t time, std::size_t number) const;

 private:
  double student(double degrees) const;

  const LeafStatistics& statistics_;
  const Sampling& sampling_;
  double level_;
  mutable std::map<double, double> students_;  ///< by degrees of freedom: there are few
};

}  // namespace tumble
