#include "tumble/campaign/study_variability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tumble {
namespace {

/// Where, of the outputs at which a quantity varies at all, the method is most certainly wrong.
struct Worst {
  double error = 0, certain = 0;  ///< certain: the end of its interval nearer to none
  double over_bound = 0;          ///< largest standard deviation over the bound that is certain
  std::size_t quantity = 0, time = 0, bound_quantity = 0, bound_time = 0;
};

Worst worst_of(const VariabilityResponse& response, const VariabilityCheck& check,
               const StatisticsLayout& layout) {
  Worst worst;
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    double largest = 0;
    const auto output = [&](std::size_t t, std::size_t a) {
      return t * layout.numbers() + layout.number(q) + a;
    };
    for (std::size_t t = 0; t < layout.times(); ++t)
      for (std::size_t a = 0; a < layout.size(q); ++a)
        largest = std::max(largest, check.std[output(t, a)]);
    for (std::size_t t = 0; t < layout.times(); ++t)
      for (std::size_t a = 0; a < layout.size(q); ++a) {
        const std::size_t o = output(t, a);
        constexpr double varies = 1e-3;  // of the largest over the run
        if (!(check.std[o] > varies * largest)) continue;
        const double lower = check.conjecture_error_lower[o],
                     upper = check.conjecture_error_upper[o];
        const double certain = lower > 0 ? lower : upper < 0 ? -upper : 0;
        if (certain > worst.certain)
          worst.certain = certain, worst.error = check.conjecture_error[o], worst.quantity = q,
          worst.time = t;
        const double by_bound =
            (check.std[o] - 2 * check.std_se[o]) / std::sqrt(response.variance_bound[o]);
        if (by_bound > worst.over_bound)
          worst.over_bound = by_bound, worst.bound_quantity = q, worst.bound_time = t;
      }
  }
  return worst;
}

}  // namespace

VariabilityResults study_variability(const VariabilityInputs& inputs, const StoredValues& values,
                                     const Study& study) {
  VariabilityResults found;
  found.plan.wave_numbers = inputs.wave_numbers();
  found.plan.phases = inputs.phases();
  found.plan.std = inputs.std();
  found.plan.spectral_density = [kernel = inputs.kernel()](double wave_number) {
    return kernel.spectral_density(wave_number);
  };
  found.plan.check = inputs.check();
  found.plan.copies = inputs.copies();
  found.plan.variance_errors = inputs.variance_errors();
  found.spectrum = inputs.kernel().description();
  found.response = variability_response(found.plan, values, study.interval_confidence);
  return found;
}

std::vector<std::string> variability_warnings(const VariabilityResults& found,
                                              const Trajectory& nominal,
                                              const StatisticsLayout& layout) {
  std::vector<std::string> sentences;
  const VariabilityResponse& response = found.response;
  constexpr double too_much_beyond = 1e-3;
  if (response.beyond > too_much_beyond)
    sentences.push_back(
        fmt::format("{:.2g} of the variance of the spectrum ({}) lies beyond "
                    "study.variability.waves.to = {:.4g} rad/m, where "
                    "the response is taken as at the last wave number",
                    response.beyond, found.spectrum, found.plan.wave_numbers.back()));
  if (response.failed_waves > 0)
    sentences.push_back(fmt::format(
        "{} of {} runs with waves failed: from then on variability response is not known",
        response.failed_waves, found.plan.wave_numbers.size() * found.plan.phases));
  const auto name = [&](std::size_t q) {
    const ProbeSeries& series = nominal.series[q];
    return fmt::format("{}.{}", series.probe, info(series.quantity).name);
  };
  const char* laws[] = {"Gaussian", "lognormal"};
  constexpr double told = 0.02;
  for (std::size_t law = 0; law < response.checks.size(); ++law) {
    const Worst worst = worst_of(response, response.checks[law], layout);
    if (worst.certain > told)
      sentences.push_back(
          fmt::format("variability response is off where {} fields were run: the standard "
                      "deviation of {} at t = {:.4g} s by {:+.2g} of "
                      "it",
                      laws[law], name(worst.quantity), nominal.times[worst.time], worst.error));
    if (worst.over_bound > 1)
      sentences.push_back(
          fmt::format("the bound of the variance does not hold: with {} fields the standard "
                      "deviation of {} at t = {:.4g} s is at "
                      "least {:.3g} times the bound",
                      laws[law], name(worst.bound_quantity), nominal.times[worst.bound_time],
                      worst.over_bound));
  }
  return sentences;
}

}  // namespace tumble
