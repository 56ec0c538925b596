#include "tumble/reliability/replica_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {

ReplicaInterval replica_interval(const std::vector<double>& estimates, double confidence) {
  const auto n = static_cast<double>(estimates.size());
  const double mean = std::accumulate(estimates.begin(), estimates.end(), 0.0) / n;
  if (!(mean > 0)) return {mean, 0, 0, std::numeric_limits<double>::quiet_NaN()};
  double least = mean;
  for (const double p : estimates)
    if (p > 0) least = std::min(least, p);
  std::vector<double> logarithms;
  for (const double p : estimates) logarithms.push_back(std::log(p > 0 ? p : least / 2));
  const double centre = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / n;
  double squares = 0;
  for (const double x : logarithms) squares += (x - centre) * (x - centre);
  const double variance = squares / (n - 1);
  const double factor = std::exp(student_quantile(n - 1, confidence) *
                                 std::sqrt(variance / n + variance * variance / (2 * (n - 1))));
  return {mean, mean / factor, mean * factor, std::sqrt(variance / n)};
}

}  // namespace tumble
