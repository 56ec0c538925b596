#include "tumble/study/statistics/multilevel_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tumble/study/statistics/confidence_interval.hpp"

namespace tumble {
namespace {

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

/// Of the sample, with the divisor n - 1.
double variance_of(const std::vector<double>& x) {
  const double mean = mean_of(x);
  double sum = 0;
  for (const double value : x) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(x.size() - 1);
}

/// What each run adds to the statistic, which is the mean of these: its value, or for the variance
/// (x - mean)^2 n / (n - 1).
std::vector<double> contributions(std::vector<double> x, MultilevelStatistic statistic) {
  if (statistic == MultilevelStatistic::mean) return x;
  const double mean = mean_of(x), n = static_cast<double>(x.size());
  for (double& value : x) value = (value - mean) * (value - mean) * n / (n - 1);
  return x;
}

LevelEstimate level_estimate(const LevelSample& sample, MultilevelStatistic statistic) {
  std::vector<double> added = contributions(sample.fine, statistic);
  LevelEstimate level;
  level.pairs = added.size();
  level.value = mean_of(added);
  level.run_variance = variance_of(added);
  if (!sample.coarse.empty()) {
    const std::vector<double> coarse = contributions(sample.coarse, statistic);
    level.coarse_run_variance = variance_of(coarse);
    for (std::size_t i = 0; i < added.size(); ++i) added[i] -= coarse[i];
  }
  level.difference = mean_of(added);
  level.pair_variance = variance_of(added);
  level.difference_se = std::sqrt(level.pair_variance / static_cast<double>(level.pairs));
  return level;
}

constexpr double most_order = 2, least_order = 0.5, assumed_order = 1;
constexpr double factor_observed = 1.25, factor_assumed = 2;

/// Fits log |difference| = const + order * log(grid), weighing each by how well it is known.
void find_order(MultilevelEstimate& estimate, std::span<const double> refinements) {
  constexpr double stands_out = 3;  // standard errors
  double grid = 0;                  // log of how coarse
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  int used = 0;
  for (std::size_t l = 1; l < estimate.levels.size(); ++l) {
    grid -= std::log(refinements[l]);
    const LevelEstimate& level = estimate.levels[l];
    const double size = std::fabs(level.difference);
    if (!(size > stands_out * level.difference_se)) continue;
    // Differences without scatter are known exactly; no weight may be infinite.
    const double relative = std::max(level.difference_se / size, 1e-3);
    const double weight = 1 / (relative * relative), y = std::log(size);
    w += weight, wx += weight * grid, wy += weight * y;
    wxx += weight * grid * grid, wxy += weight * grid * y;
    ++used;
  }
  estimate.order_observed = used >= 2;
  if (!estimate.order_observed) {
    estimate.order = assumed_order;
    return;
  }
  estimate.order = std::clamp((w * wxy - wx * wy) / (w * wxx - wx * wx), least_order, most_order);
}

void find_bias(MultilevelEstimate& estimate, std::span<const double> refinements) {
  const std::size_t last = estimate.levels.size() - 1;
  const double ratio = std::pow(refinements[last], -estimate.order);
  const auto at_most = [&](std::size_t l) {
    return std::fabs(estimate.levels[l].difference) + estimate.levels[l].difference_se;
  };
  double difference = at_most(last);
  if (last >= 2) difference = std::max(difference, ratio * at_most(last - 1));
  const double factor = estimate.order_observed ? factor_observed : factor_assumed;
  estimate.bias = factor * difference * ratio / (1 - ratio);
}

}  // namespace

MultilevelEstimate multilevel_estimate(std::span<const LevelSample> samples,
                                       MultilevelStatistic statistic, double confidence,
                                       std::span<const double> refinements) {
  if (samples.size() < 2) throw std::invalid_argument("multilevel needs two levels");
  MultilevelEstimate estimate;
  double variance = 0, by_degrees = 0;
  for (const LevelSample& sample : samples) {
    if (sample.fine.size() < 2)
      throw std::invalid_argument("multilevel needs two pairs on every level");
    const LevelEstimate& level = estimate.levels.emplace_back(level_estimate(sample, statistic));
    const double part = level.difference_se * level.difference_se;
    estimate.value += level.difference;
    variance += part;
    by_degrees += part * part / static_cast<double>(level.pairs - 1);
  }
  estimate.standard_error = std::sqrt(variance);
  constexpr double many_degrees = 1e9;
  estimate.quantile = student_quantile(
      by_degrees > 0 ? std::min(variance * variance / by_degrees, many_degrees) : many_degrees,
      confidence);
  estimate.statistical_error = estimate.quantile * estimate.standard_error;
  find_order(estimate, refinements);
  find_bias(estimate, refinements);
  return estimate;
}

std::vector<std::uint64_t> choose_pairs(const MultilevelEstimate& estimate,
                                        std::span<const double> pair_work, double allowed) {
  const std::size_t levels = estimate.levels.size();
  const double wanted_error = allowed / estimate.quantile;
  double sum = 0;
  for (std::size_t l = 0; l < levels; ++l)
    sum += std::sqrt(estimate.levels[l].pair_variance * pair_work[l]);
  std::vector<std::uint64_t> pairs(levels);
  bool more = false;
  for (std::size_t l = 0; l < levels; ++l) {
    const LevelEstimate& level = estimate.levels[l];
    const double wanted = std::ceil(std::sqrt(level.pair_variance / pair_work[l]) * sum /
                                    (wanted_error * wanted_error));
    const double now = static_cast<double>(level.pairs);
    constexpr double most_growth = 8;
    pairs[l] = static_cast<std::uint64_t>(std::clamp(wanted, now, most_growth * now));
    more = more || pairs[l] > level.pairs;
  }
  if (more) return pairs;
  // The allotment is there, and its error not quite: more where a pair of the least work helps
  // most.
  std::size_t best = 0;
  double gain = -1;
  for (std::size_t l = 0; l < levels; ++l) {
    const LevelEstimate& level = estimate.levels[l];
    const double here = level.difference_se * level.difference_se /
                        (static_cast<double>(level.pairs) * pair_work[l]);
    if (here > gain) gain = here, best = l;
  }
  pairs[best] += 1 + pairs[best] / 10;
  return pairs;
}

PlainMonteCarlo plain_monte_carlo(const MultilevelEstimate& estimate,
                                  std::span<const double> run_work) {
  const std::size_t last = estimate.levels.size() - 1;
  std::vector<double> variances;
  for (const LevelEstimate& level : estimate.levels)
    variances.push_back((variances.empty() ? 0 : variances.back()) + level.run_variance -
                        level.coarse_run_variance);
  PlainMonteCarlo best;
  double left_out = 0;  // what the grid lacks of the finest one
  for (std::size_t l = last;; --l) {
    const double bias = std::fabs(left_out) + estimate.bias;
    const double allowed = (estimate.error() - bias) / estimate.quantile;
    if (allowed > 0) {
      const double runs = std::max(2.0, std::ceil(variances[l] / (allowed * allowed)));
      const double work = runs * run_work[l];
      if (l == last || work < best.work) best = {l, bias, runs, work};
    }
    if (l == 0) return best;
    left_out += estimate.levels[l].difference;
  }
}

}  // namespace tumble
