#include "tumble/study/standard_errors.hpp"

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// Null unless the design is made of copies.
const CopyMoments* copies_of(const LeafStatistics& statistics, const Sampling& sampling) {
  if (!sampling.in_copies()) return nullptr;
  if (statistics.copies() == nullptr || statistics.copies()->copies() != sampling.randomizations)
    throw std::logic_error("the statistics are not those of the copies of the design");
  return statistics.copies();
}

}  // namespace

double mean_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                  std::size_t number) {
  if (const CopyMoments* copies = copies_of(statistics, sampling))
    return copies->mean_error(time, number);
  const Moments& moments = statistics.moments();
  return moments.standard_deviation(time, number) / std::sqrt(sampling.worth(moments.count(time)));
}

double deviation_error(const LeafStatistics& statistics, const Sampling& sampling, std::size_t time,
                       std::size_t number) {
  const Moments& moments = statistics.moments();
  const double s = moments.standard_deviation(time, number);
  if (s == 0) return 0;
  if (const CopyMoments* copies = copies_of(statistics, sampling))
    return copies->deviation_error(time, number, s);
  const auto n = static_cast<double>(moments.count(time));
  const double excess = moments.fourth_moment(time, number) - s * s * s * s * ((n - 3) / (n - 1));
  // Never negative but for rounding.
  return std::sqrt(std::max(excess, 0.0) / sampling.worth(moments.count(time))) / (2 * s);
}

}  // namespace tumble
