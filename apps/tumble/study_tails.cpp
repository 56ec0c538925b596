#include "study_tails.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tumble::app {
namespace {

/// "pobs acceleration z": the number-th of all numbers of a time.
std::string name_of(const Trajectory& nominal, std::size_t number) {
  for (const ProbeSeries& series : nominal.series) {
    const auto size = static_cast<std::size_t>(series.size);
    if (number < size) {
      const std::string name = fmt::format("{} {}", series.probe, info(series.quantity).name);
      return size == 3 ? fmt::format("{} {}", name, "xyz"[number]) : name;
    }
    number -= size;
  }
  return {};
}

bool varies(const LeafStatistics& statistics) {
  const Moments& moments = statistics.moments();
  for (std::size_t t = 0; t < moments.layout().times(); ++t)
    for (std::size_t n = 0; n < moments.layout().numbers(); ++n)
      if (moments.variance(t, n) > 0) return true;
  return false;
}

}  // namespace

std::vector<std::string> tail_warnings(const LeafStatistics& statistics, const StoredValues* values,
                                       const Trajectory& nominal) {
  const std::uint64_t realizations = statistics.realizations();
  if (realizations < tail_sample) {
    if (realizations < 2 || !varies(statistics)) return {};
    return {fmt::format(
        "{} realisations are too few to show a heavy tail: the intervals of means and standard "
        "deviations hold if there is none; from {} on it is looked for",
        realizations, tail_sample)};
  }
  const std::vector<HeavyTail> tails = find_heavy_tails(statistics, values);
  if (tails.empty()) return {};
  constexpr std::size_t named = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(tails.size(), named); ++i)
    names += (i == 0 ? "" : ", ") + name_of(nominal, tails[i].number);
  if (tails.size() > named) names += fmt::format(" and {} more", tails.size() - named);
  return {fmt::format(
      "{}: the sample has a heavy tail (L-skewness {:.2f}, L-kurtosis {:.2f} at t = {:.4g} s): the "
      "interval of the standard deviation may be too narrow, and that of the mean in small "
      "samples; "
      "those of quantiles hold",
      names, tails.front().shape.skewness, tails.front().shape.kurtosis,
      nominal.times[tails.front().time])};
}

}  // namespace tumble::app
