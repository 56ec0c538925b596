#include "tumble/study/stopping_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tumble/math/special_functions.hpp"
#include "tumble/study/statistics/standard_errors.hpp"

namespace tumble {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// error / scale, where a quantity that is 0 throughout has no error, and NaN stands for too few.
double relative(double error, double scale) {
  if (std::isnan(error) || std::isnan(scale)) return infinity;
  return error == 0 ? 0.0 : error / scale;
}

/// Keeps NaN, which std::max may lose.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = std::isnan(largest) ? largest : value;
}

}  // namespace

std::uint64_t check_point(std::uint64_t check_every, std::uint64_t realizations,
                          std::uint64_t most) {
  const auto rounded_up = [](std::uint64_t n, std::uint64_t unit) {
    return (n + unit - 1) / unit * unit;
  };
  const std::uint64_t unit =
      rounded_up(std::max<std::uint64_t>(check_every, 1), realizations_per_leaf);
  std::uint64_t n = unit;
  while (n < realizations && n < most) n += rounded_up((n + 1) / 2, unit);
  return std::min(n, most);
}

RelativeErrors relative_errors(const StoppingRule& rule, const LeafStatistics& statistics,
                               const EnsembleQuantiles* quantiles, const Sampling& sampling) {
  constexpr std::size_t probabilities = 3;
  const Moments& moments = statistics.moments();
  const StatisticsLayout& layout = moments.layout();
  if (rule.relative_quantile_width &&
      (quantiles == nullptr || quantiles->lower.size() != layout.row() * probabilities))
    throw std::logic_error("a stopping rule needs the intervals of three quantiles");
  RelativeErrors largest;
  // Copies of fewer points say too little of themselves; realisation n is of copy n mod R.
  if (!sampling.has_errors() || statistics.realizations() < smallest_copy * sampling.randomizations)
    return {infinity, infinity};
  for (const std::size_t q : rule.quantities) {
    double error = 0, size = 0, width = 0, region = 0;
    for (std::size_t t = 0; t < layout.times(); ++t) {
      for (std::size_t a = 0; a < layout.size(q); ++a) {
        const std::size_t number = layout.number(q) + a;
        raise(error, mean_error(statistics, sampling, t, number));
        raise(size, hypotenuse(moments.mean(t, number),
                               ensemble_deviation(statistics, sampling, t, number)));
        if (!rule.relative_quantile_width) continue;
        const std::size_t first = (t * layout.numbers() + number) * probabilities;
        for (std::size_t k = first; k < first + probabilities; ++k)
          raise(width, quantiles->upper[k] - quantiles->lower[k]);
        raise(region, quantiles->estimate[first + probabilities - 1] - quantiles->estimate[first]);
      }
    }
    largest.mean = std::max(largest.mean, relative(error, size));
    largest.quantile = std::max(largest.quantile, relative(width, region));
  }
  return largest;
}

RelativeErrors relative_errors(const QuantityStatistics& statistics, const Sampling& sampling) {
  if (!sampling.has_errors() || statistics.realizations < smallest_copy * sampling.randomizations ||
      statistics.quantile_lower.empty())
    return {infinity, infinity};
  const std::vector<double>& quantiles = statistics.quantiles;
  double width = 0;
  for (std::size_t k = 0; k < quantiles.size(); ++k)
    raise(width, statistics.quantile_upper[k] - statistics.quantile_lower[k]);
  return {relative(statistics.mean.error,
                   hypotenuse(statistics.mean.value, statistics.deviation.value)),
          relative(width, quantiles.back() - quantiles.front())};
}

RelativeErrors larger(const RelativeErrors& a, const RelativeErrors& b) {
  return {std::max(a.mean, b.mean), std::max(a.quantile, b.quantile)};
}

bool is_met(const StoppingRule& rule, const RelativeErrors& errors) {
  return (!rule.relative_mean_error || errors.mean <= *rule.relative_mean_error) &&
         (!rule.relative_quantile_width || errors.quantile <= *rule.relative_quantile_width);
}

}  // namespace tumble
