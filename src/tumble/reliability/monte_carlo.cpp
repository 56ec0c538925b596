#include "tumble/reliability/monte_carlo.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/random/stream/variable_id.hpp"
#include "tumble/study/statistics/proportion_interval.hpp"

namespace tumble {

ProbabilityEstimate monte_carlo(std::size_t dimension, const LimitState& g,
                                const MonteCarloOptions& options) {
  constexpr std::uint64_t use = variable_id("reliability monte-carlo");
  ProbabilityEstimate found;
  const auto n = static_cast<double>(options.runs);
  double hits = 0, failed = 0;
  std::vector<WeightedValue> values;
  while (found.runs < options.runs) {
    GermPoints points(dimension);
    const std::uint64_t count = std::min(options.batch, options.runs - found.runs);
    points.reserve(count);
    for (std::uint64_t i = 0; i < count; ++i)
      draw_germs(options.seed, found.runs + i, use, points.add());
    found.runs += count;
    for (const LimitValue& value : g(points)) {
      values.push_back({1 / n, value});
      if (std::isnan(value.g)) ++failed;
      if (value.g <= 0) ++hits;
    }
  }
  found.failed = static_cast<std::uint64_t>(failed);
  found.probability = hits / n;
  found.lower = exact_proportion_interval(hits, n, options.confidence).lower;
  found.upper = exact_proportion_interval(hits + failed, n, options.confidence).upper;
  found.cv = std::sqrt((1 - found.probability) / hits);
  add_error_bounds(found, values);
  return found;
}

}  // namespace tumble
