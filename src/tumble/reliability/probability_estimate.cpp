#include "tumble/reliability/probability_estimate.hpp"

#include <algorithm>
#include <cmath>

#include "tumble/random/law/normal_score.hpp"

namespace tumble {

void add_error_bounds(ProbabilityEstimate& estimate, std::span<const WeightedValue> values) {
  double lower = 0, upper = 0;
  for (const auto& [weight, value] : values) {
    if (std::isnan(value.g)) continue;
    const double error =
        std::isnan(value.error) ? std::numeric_limits<double>::infinity() : value.error;
    // Infinite values are never reached, whatever the error; inf - inf is no number.
    if (std::isinf(error) ? value.g < -std::numeric_limits<double>::max() : value.g + error <= 0)
      lower += weight;
    if (std::isinf(error) || value.g - error <= 0) upper += weight;
  }
  estimate.error_lower = lower;
  estimate.error_upper = std::min(upper, 1.0);
}

double reliability_index(double probability) {
  if (probability <= 0) return std::numeric_limits<double>::infinity();
  if (probability >= 1) return -std::numeric_limits<double>::infinity();
  return -standard_normal_score(probability);
}

}  // namespace tumble
