#include "tumble/study/statistics/standard_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tumble {
namespace {

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// Null unless the design is made of copies.
const CopyMoments* copies_of(const LeafStatistics& statistics, const Sampling& sampling) {
  if (!sampling.in_copies()) return nullptr;
  if (statistics.copies() == nullptr || statistics.copies()->copies() != sampling.randomizations)
    throw std::logic_error("the statistics are not those of the copies of the design");
  return statistics.copies();
}

/// G1: the skewness of n values, unbiased for normal ones; 0 where there are too few.
double sample_skewness(const Moments& moments, std::size_t time, std::size_t number) {
  const auto n = static_cast<double>(moments.count(time));
  const double variance = moments.variance(time, number) * ((n - 1) / n);
  if (n < 3 || !(variance > 0)) return 0;
  const double g = moments.third_moment(time, number) / (variance * std::sqrt(variance));
  return std::isfinite(g) ? g * std::sqrt(n * (n - 1)) / (n - 2) : 0;
}

/// k of deviation_error().
double expected_kurtosis(const Moments& moments, std::size_t time, std::size_t number) {
  const auto n = static_cast<double>(moments.count(time));
  if (n < 4) return 3;
  const double variance = moments.variance(time, number) * ((n - 1) / n);
  const double g2 = moments.fourth_moment(time, number) / (variance * variance);
  const double of_sample = (n - 1) / ((n - 2) * (n - 3)) * ((n + 1) * (g2 - 3) + 6) + 3;
  const double skewness = sample_skewness(moments, time, number), squared = skewness * skewness;
  const double of_skewness = 1.2 + 1.5 * (1 + 24 / n) * squared + 1.8 * std::min(1.0, squared);
  return std::min(std::max(of_sample, of_skewness), n);
}

}  // namespace

double covariance_factor(const Sampling& sampling, std::uint64_t count) {
  if (!sampling.is_design() || count == 0) return 1;
  return static_cast<double>(count - 1) / static_cast<double>(count);
}

double ensemble_deviation(const LeafStatistics& statistics, const Sampling& sampling,
                          std::size_t time, std::size_t number) {
  const Moments& moments = statistics.moments();
  return std::sqrt(covariance_factor(sampling, moments.count(time)) *
                   moments.variance(time, number));
}

double mean_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                  std::size_t number) {
  if (!sampling.has_errors()) return not_known;
  if (const CopyMoments* copies = copies_of(statistics, sampling))
    return copies->mean(time, number).error;
  const Moments& moments = statistics.moments();
  return moments.standard_deviation(time, number) / std::sqrt(sampling.worth(moments.count(time)));
}

double deviation_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                       std::size_t number) {
  if (!sampling.has_errors()) return not_known;
  const Moments& moments = statistics.moments();
  const double s = ensemble_deviation(statistics, sampling, time, number);
  if (s == 0) return 0;
  if (const CopyMoments* copies = copies_of(statistics, sampling))
    return copies->variance(time, number).error / (2 * s);
  const auto n = static_cast<double>(moments.count(time));
  // Never as small as this but for a few values that are nearly two points.
  constexpr double smallest = 0.2;
  const double of_variance =
      std::max(expected_kurtosis(moments, time, number) - (n - 3) / (n - 1), smallest);
  return 0.5 * s * std::sqrt(of_variance / sampling.worth(moments.count(time)));
}

DegreesOfFreedom degrees_of_freedom(const Sampling& sampling, std::uint64_t count,
                                    std::size_t copies) {
  if (sampling.in_copies()) {
    const auto number = static_cast<double>(copies);
    return {number - 1, number / 2};
  }
  const double n = sampling.worth(count);
  return {std::max(n - 1, 1.0), n / 5 + 1};
}

double ConfidenceIntervals::student(double degrees) const {
  const auto found = students_.find(degrees);
  if (found != students_.end()) return found->second;
  return students_[degrees] = student_quantile(degrees, level_);
}

Interval ConfidenceIntervals::mean(std::size_t time, std::size_t number) const {
  const Moments& moments = statistics_.moments();
  const double error = mean_error(statistics_, sampling_, time, number);
  if (std::isnan(error)) return {not_known, not_known};
  const std::uint64_t count = moments.count(time);
  if (const CopyMoments* copies = copies_of(statistics_, sampling_)) {
    const CopyEstimate found = copies->mean(time, number);
    const double t = student(degrees_of_freedom(sampling_, count, found.copies).mean);
    return skewed_interval(moments.mean(time, number), error,
                           found.skewness / std::sqrt(static_cast<double>(found.copies)), t);
  }
  const double a = sample_skewness(moments, time, number) / std::sqrt(sampling_.worth(count));
  return skewed_interval(moments.mean(time, number), error, a,
                         student(degrees_of_freedom(sampling_, count, 0).mean));
}

Interval ConfidenceIntervals::deviation(std::size_t time, std::size_t number) const {
  const double s = ensemble_deviation(statistics_, sampling_, time, number);
  const double error = deviation_error(statistics_, sampling_, time, number);
  if (std::isnan(error)) return {not_known, not_known};
  if (s == 0) return {0, 0};
  const std::uint64_t count = statistics_.moments().count(time);
  const CopyMoments* copies = copies_of(statistics_, sampling_);
  const CopyEstimate square = copies != nullptr ? copies->variance(time, number) : CopyEstimate{};
  const double t = student(degrees_of_freedom(sampling_, count, square.copies).deviation);
  const double factor = std::exp(t * error / s);
  Interval result{s / factor, s * factor};
  if (copies == nullptr) return result;
  const Interval skewed = skewed_interval(
      s * s, square.error, square.skewness / std::sqrt(static_cast<double>(square.copies)), t);
  result.lower = std::min(result.lower, std::sqrt(std::max(skewed.lower, 0.0)));
  result.upper = std::max(result.upper, std::sqrt(std::max(skewed.upper, 0.0)));
  return result;
}

}  // namespace tumble
