#include "tumble/reliability/importance_sampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tumble/random/law/normal_score.hpp"
#include "tumble/random/stream/variable_id.hpp"
#include "tumble/study/statistics/confidence_interval.hpp"
#include "tumble/study/statistics/proportion_interval.hpp"

namespace tumble {
namespace {

/// Part 0 of the mixture is the nominal law, part j > 0 lies around design point j - 1.
struct Mixture {
  std::vector<double> share;
  const std::vector<DesignPoint>& points;

  /// Density of the normal law over that of the mixture.
  double weight(std::span<const double> u) const {
    double density = share[0];  // relative to the normal law
    for (std::size_t j = 0; j < points.size(); ++j) {
      double exponent = 0;
      for (std::size_t c = 0; c < u.size(); ++c)
        exponent += points[j].germs[c] * (u[c] - 0.5 * points[j].germs[c]);
      density += share[j + 1] * std::exp(exponent);
    }
    return 1 / density;
  }
};

/// Runs of each part: fixed numbers, so that which part a draw is from adds nothing to the error.
std::vector<std::uint64_t> divided(std::uint64_t runs, std::vector<double>& share) {
  std::vector<std::uint64_t> counts;
  for (const double part : share)
    counts.push_back(std::max<std::uint64_t>(
        2, static_cast<std::uint64_t>(std::llround(part * static_cast<double>(runs)))));
  const double all =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  for (std::size_t j = 0; j < share.size(); ++j) share[j] = static_cast<double>(counts[j]) / all;
  return counts;
}

/// Sums of weights of the draws of one part that are beyond the limit.
struct PartSums {
  double count = 0, sum = 0, squares = 0;
  void add(double weight) { sum += weight, squares += weight * weight; }
  double variance_of_mean() const {
    const double mean = sum / count;
    return std::max(0.0, squares / count - mean * mean) / (count - 1);
  }
};

}  // namespace

ProbabilityEstimate importance_sampling(std::size_t dimension, const LimitState& g,
                                        const ImportanceOptions& options) {
  ProbabilityEstimate found;
  DesignPointOptions search;
  search.seed = options.seed;
  // A fifth; half where that leaves few starts, or many germs need runs for gradients.
  search.runs =
      std::max(options.runs / 5, std::min(options.runs / 2, ample_search_runs(dimension)));
  search.starts = options.starts;
  const DesignPoints known = find_design_points(dimension, g, search);
  found.runs = found.search_runs = known.runs;
  found.failed = known.failed;
  found.design_points = known.points;
  // Where the origin is beyond the limit, what is rare is not to be: that is sampled around the
  // same points, and taken from 1.
  const bool complement = known.at_origin <= 0;
  const auto is_hit = [&](double value) { return complement ? value > 0 : value <= 0; };

  Mixture mixture{{options.nominal_share}, known.points};
  double sum = 0;
  for (const DesignPoint& point : known.points) sum += standard_normal_cdf(-std::abs(point.index));
  if (known.points.empty()) mixture.share[0] = 1;
  // Each gets a share to speak of: what a region holds is known afterwards.
  for (const DesignPoint& point : known.points)
    mixture.share.push_back((1 - options.nominal_share) *
                            (0.5 * standard_normal_cdf(-std::abs(point.index)) / sum +
                             0.5 / static_cast<double>(known.points.size())));
  const std::uint64_t left = options.runs > found.runs ? options.runs - found.runs : 0;
  const std::vector<std::uint64_t> counts =
      divided(std::max<std::uint64_t>(left, 10), mixture.share);
  for (std::size_t j = 0; j < known.points.size(); ++j)
    found.design_points[j].share = mixture.share[j + 1];

  constexpr std::uint64_t use = variable_id("reliability importance");
  std::vector<WeightedValue> values;
  std::vector<PartSums> sums(counts.size()), sums_failed(counts.size());
  double weights = 0, squares = 0, from_nominal = 0, hits = 0, largest = 0;
  std::uint64_t index = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    sums[j].count = sums_failed[j].count = static_cast<double>(counts[j]);
    constexpr std::uint64_t batch = 4096;
    for (std::uint64_t done = 0; done < counts[j]; done += batch) {
      GermPoints points(dimension);
      const std::uint64_t count = std::min(batch, counts[j] - done);
      points.reserve(count);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::span<double> row = points.add();
        draw_germs(options.seed, index++, use, row);
        for (std::size_t c = 0; j > 0 && c < dimension; ++c) row[c] += known.points[j - 1].germs[c];
      }
      found.runs += count;
      const std::vector<LimitValue> batch_values = g(points);
      for (std::size_t i = 0; i < count; ++i) {
        const double weight = mixture.weight(points.row(i));
        const double part = weight * mixture.share[j] / sums[j].count;
        LimitValue value = batch_values[i];
        const bool failed = std::isnan(value.g);
        found.failed += failed ? 1 : 0;
        if (is_hit(value.g)) {
          sums[j].add(weight);
          weights += part, squares += part * part, largest = std::max(largest, part);
          ++hits;
          // Weights near their bound are of points that no design point stands for.
          if (weight > 0.5 / mixture.share[0]) from_nominal += part;
        }
        if (failed || is_hit(value.g)) sums_failed[j].add(weight);
        if (complement) value.g = -value.g;
        values.push_back({part, value});
      }
    }
  }
  const auto total = [&](const std::vector<PartSums>& all) {
    double mean = 0, variance = 0;
    for (std::size_t j = 0; j < all.size(); ++j) {
      mean += mixture.share[j] * all[j].sum / all[j].count;
      variance += mixture.share[j] * mixture.share[j] * all[j].variance_of_mean();
    }
    return std::pair{mean, std::sqrt(variance)};
  };
  const auto [mean, error] = total(sums);
  const auto [most, most_error] = total(sums_failed);
  found.effective_runs = squares > 0 ? weights * weights / squares : 0;
  found.nominal_share = mean > 0 ? from_nominal / mean : 0;
  // Weights that differ much leave few draws to count on: Student's t for so many.
  const double t = student_quantile(std::max(2.0, found.effective_runs - 1), options.confidence);
  double lower = 0, upper = 1;
  if (mean > 0) {
    found.cv = error / mean;
    lower = mean / std::exp(t * error / mean);
  }
  if (most > 0) upper = most * std::exp(t * most_error / most);
  if (hits == 0)
    upper = exact_proportion_interval(0, std::max(1.0, sums[0].count), options.confidence).upper;
  found.probability = mean;
  found.lower = lower;
  found.upper = std::min(upper, 1.0);
  add_error_bounds(found, values);
  if (complement) {
    // Failed runs: as not beyond the limit they belong to what was sampled here.
    found.probability = 1 - most;
    std::tie(found.lower, found.upper) = std::pair{1 - found.upper, 1 - found.lower};
    std::tie(found.error_lower, found.error_upper) =
        std::pair{1 - found.error_upper, 1 - found.error_lower};
    found.cv = found.probability > 0 ? error / found.probability : ProbabilityEstimate::none;
  }

  if (known.points.empty())
    found.warnings.push_back(
        "importance sampling found no design point: all draws are of the nominal law, as by Monte "
        "Carlo");
  constexpr double few = 50;
  if (found.effective_runs < few)
    found.warnings.push_back(fmt::format(
        "importance sampling: the estimate rests on weights worth {:.0f} independent draws, the "
        "largest of which has {:.0f} % of it; its interval may be too narrow. Take more runs, or "
        "method: subset",
        found.effective_runs, weights > 0 ? 100 * largest / weights : 100.0));
  if (!known.points.empty() && !complement && found.nominal_share > 0.1)
    found.warnings.push_back(
        fmt::format("importance sampling: {:.0f} % of the estimate comes from draws of the nominal "
                    "law far from "
                    "all of the {} design points found: there are other ways to fail, which are "
                    "known no better "
                    "than by Monte Carlo with {} runs. Take more starts, or method: subset",
                    100 * found.nominal_share, known.points.size(), counts[0]));
  return found;
}

}  // namespace tumble
