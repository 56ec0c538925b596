#include "tumble/campaign/study_tails.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tumble {
namespace {

/// Whose component, and which, the number-th of all numbers of a time is.
std::pair<const ProbeSeries*, std::size_t> series_of(const Trajectory& nominal,
                                                     std::size_t number) {
  auto series = nominal.series.begin();
  while (number >= static_cast<std::size_t>(series->size)) {
    number -= static_cast<std::size_t>(series->size);
    ++series;
  }
  return {&*series, number};
}

/// "pobs acceleration z"
std::string name_of(const Trajectory& nominal, std::size_t number) {
  const auto [series, component] = series_of(nominal, number);
  const std::string name = fmt::format("{} {}", series->probe, info(series->quantity).name);
  return series->size == 3 ? fmt::format("{} {}", name, "xyz"[component]) : name;
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
                                       const Sampling& sampling, const Trajectory& nominal) {
  if (!sampling.has_errors()) return {};  // no intervals, nothing to be said of them
  const std::uint64_t realizations = statistics.realizations();
  if (realizations < tail_sample) {
    if (realizations < 2 || !varies(statistics)) return {};
    return {fmt::format(
        "{} realisations are too few to tell whether some lie far from the others (a heavy tail): "
        "the intervals of means and standard deviations hold if none do; it is looked for from {} "
        "realisations on",
        realizations, tail_sample)};
  }
  std::vector<HeavyTail> tails = find_heavy_tails(statistics, values);
  // What a conservative system has of total energy beside a constant is errors.
  std::erase_if(tails, [&](const HeavyTail& tail) {
    return series_of(nominal, tail.number).first->quantity == Quantity::total_energy;
  });
  if (tails.empty()) return {};
  constexpr std::size_t named = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(tails.size(), named); ++i)
    names += (i == 0 ? "" : ", ") + name_of(nominal, tails[i].number);
  if (tails.size() > named) names += fmt::format(" and {} more", tails.size() - named);
  return {fmt::format(
      "{}: a few realisations lie far from the others (a heavy tail, most of all at t = {:.4g} s): "
      "the interval of the standard deviation may be too narrow, and in small samples that of the "
      "mean; those of quantiles hold",
      names, nominal.times[tails.front().time])};
}

}  // namespace tumble
