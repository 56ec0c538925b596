#include "tumble/campaign/study_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "tumble/base/diagnostic.hpp"
#include "tumble/chaos/error/validation.hpp"
#include "tumble/chaos/surrogate_quantiles.hpp"
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/study/state_quantities.hpp"
#include "tumble/study/statistics/density.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

/// The polynomial of one quantity, and what it says of its distribution.
class QuantitySurrogate {
 public:
  QuantitySurrogate(const ChaosInputs& inputs, const Study& study, std::span<const double> values,
                    int threads)
      : inputs_(inputs), study_(study), threads_(threads) {
    const std::size_t runs = inputs.plan().runs();
    for (std::size_t i = 0; i < values.size(); ++i) {
      DenseMatrix& rows = i < runs ? fitted_ : kept_out_;
      if (i == 0) rows = DenseMatrix(runs, 1);
      if (i == runs) rows = DenseMatrix(values.size() - runs, 1);
      const bool failed = !std::isfinite(values[i]);
      rows.row(i < runs ? i : i - runs)[0] = failed ? 0.0 : values[i];
      (i < runs ? fit_failed_ : kept_out_failed_).push_back(failed ? 1 : 0);
    }
  }

  /// @throws std::runtime_error, std::invalid_argument if the runs that are left do not give one.
  void describe(QuantityResults& result) {
    const auto lost = std::count(fit_failed_.begin(), fit_failed_.end(), 1);
    const ChaosPlan& plan = inputs_.plan();
    ChaosFit fit = plan.fit(fitted_, lost > 0 ? std::span<const std::uint8_t>(fit_failed_)
                                              : std::span<const std::uint8_t>());
    const ChaosRequest request = study_.chaos.value_or(ChaosRequest{});
    const SurrogateSample sample(plan.space(), fit.expansion,
                                 static_cast<std::size_t>(request.surrogate_samples),
                                 static_cast<std::uint64_t>(study_.seed));
    QuantityStatistics statistics;
    statistics.realizations = fit_failed_.size();
    statistics.counted = statistics.happened = fit_failed_.size() - static_cast<std::size_t>(lost);
    const SurrogateQuantiles quantiles =
        surrogate_quantiles(sample, quantile_probabilities(study_), worker_count(threads_));
    statistics.quantiles = quantiles.values;
    set_curves(statistics.curves, sample);

    result.shares.emplace();
    for (const GermGroup& group : plan.space().groups())
      result.shares->groups.push_back(group.name);
    for_each_index(
        *result.shares, [&](SobolIndices& indices, bool total, std::span<const std::size_t> germs) {
          indices.values.push_back(
              (total ? fit.expansion.total_sobol(germs) : fit.expansion.closed_sobol(germs))[0]);
        });

    const auto kept = std::count(kept_out_failed_.begin(), kept_out_failed_.end(), 0);
    if (static_cast<std::size_t>(kept) >= Validation::least_points) {
      const Validation validation(fit.expansion, inputs_.validation(), kept_out_, kept_out_failed_,
                                  study_.interval_confidence);
      fit.errors = validation.errors();
      const std::vector<double> errors =
          validation.quantile_errors(quantiles.values, quantiles.values.size());
      for (std::size_t i = 0; i < errors.size(); ++i) {
        const double error = errors[i] + quantiles.sampling_errors[i];
        statistics.quantile_lower.push_back(quantiles.values[i] - error);
        statistics.quantile_upper.push_back(quantiles.values[i] + error);
      }
      set_exceedance_band(statistics.curves, sample, validation);
      for_each_index(*result.shares,
                     [&](SobolIndices& indices, bool total, std::span<const std::size_t> germs) {
                       const Intervals found =
                           total ? validation.total_sobol(germs) : validation.closed_sobol(germs);
                       indices.lower.push_back(found.lower[0]);
                       indices.upper.push_back(found.upper[0]);
                     });
    }
    statistics.mean = {fit.expansion.means()[0], fit.errors.mean[0], {}};
    statistics.deviation = {std::sqrt(fit.expansion.variances()[0]), fit.errors.std[0], {}};
    result.chaos = true;
    result.chaos_error = fit.errors.relative[0];
    missed_ = fit.errors.measured ? fit.errors.relative_lower[0] : fit.errors.relative[0];
    result.statistics = std::move(statistics);
  }

  /// Of the variance, at least, if errors are measured.
  double missed() const { return missed_; }

 private:
  /// add(indices of a kind, whether they are total ones, germs) for every germ and every group.
  template <class Add>
  void for_each_index(QuantityShares& shares, const Add& add) const {
    const InputSpace& space = inputs_.plan().space();
    for (std::size_t germ = 0; germ < space.size(); ++germ) {
      add(shares.first, false, std::span<const std::size_t>(&germ, 1));
      add(shares.total, true, std::span<const std::size_t>(&germ, 1));
    }
    for (const GermGroup& group : space.groups()) {
      add(shares.group_alone, false, std::span<const std::size_t>(group.germs));
      add(shares.group_total, true, std::span<const std::size_t>(group.germs));
    }
  }

  static double share_above(std::span<const double> sorted, double q) {
    return static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), q)) /
           static_cast<double>(sorted.size());
  }

  void set_curves(DistributionCurves& curves, const SurrogateSample& sample) {
    sorted_ = sample.sorted_values(0);
    std::vector<std::uint64_t> numbers(sorted_.size());
    std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
    DensityOptions options;
    options.points = QuantityStatisticsOptions::points;
    KernelDensity density = kernel_density(sorted_, numbers, options);
    curves.bandwidth = density.bandwidth;
    curves.at = std::move(density.at);
    curves.density = std::move(density.density);
    for (const double q : curves.at)
      curves.exceedance.push_back(std::isnan(q) ? q : share_above(sorted_, q));
  }

  /// Where the polynomial is wrong by at most e near q, P(Q > q) lies between the shares of its
  /// values above q + e and q - e, give or take what a finite sample of them leaves open.
  void set_exceedance_band(DistributionCurves& curves, const SurrogateSample& sample,
                           const Validation& validation) const {
    const auto germs = static_cast<double>(inputs_.plan().space().size());
    const double even = std::pow(static_cast<double>(sample.size()), -0.5 * (1 + 1 / germs));
    const std::vector<double> errors = validation.quantile_errors(curves.at, curves.at.size());
    for (std::size_t i = 0; i < curves.at.size(); ++i) {
      const double q = curves.at[i];
      const auto end = [&](double at, double sign) {
        if (std::isnan(at)) return at;
        const double p = share_above(sorted_, at);
        return std::clamp(p + sign * 2 * std::sqrt(p * (1 - p)) * even, 0.0, 1.0);
      };
      curves.exceedance_lower.push_back(end(q + errors[i], -1));
      curves.exceedance_upper.push_back(end(q - errors[i], 1));
    }
  }

  const ChaosInputs& inputs_;
  const Study& study_;
  const int threads_;
  DenseMatrix fitted_{0, 1}, kept_out_{0, 1};
  std::vector<std::uint8_t> fit_failed_, kept_out_failed_;
  std::vector<double> sorted_;
  double missed_ = 0;
};

void warn_of_no_number(const std::string& name, std::uint64_t not_finite, std::size_t realizations,
                       std::vector<std::string>& warnings) {
  if (not_finite > 0)
    warnings.push_back(
        fmt::format("the quantity {} is no finite number in {} of {} realisations, which are left "
                    "out of its statistics",
                    name, not_finite, realizations));
}

void add_chaos_statistics(QuantityResults& result, const ChaosInputs& inputs, const Study& study,
                          std::span<const double> values, std::span<const double> output_errors,
                          int threads, std::vector<std::string>& warnings) {
  QuantitySurrogate surrogate(inputs, study, values, threads);
  const std::string& name = result.quantity->name;
  const std::uint64_t not_finite = count_infinite(values, output_errors, true);
  warn_of_no_number(name, not_finite, values.size(), warnings);
  if (not_finite == values.size()) return;
  try {
    surrogate.describe(result);
  } catch (const std::logic_error& error) {
    warnings.push_back(fmt::format("no polynomial of the quantity {}: {}", name, error.what()));
    return;
  } catch (const std::runtime_error& error) {
    warnings.push_back(fmt::format("no polynomial of the quantity {}: {}", name, error.what()));
    return;
  }
  result.statistics->mean_output_error = mean_output_error(values, output_errors);
  const double target = study.chaos.value_or(ChaosRequest{}).target_error;
  // What varies less than outputs resolve is their error, which no polynomial follows.
  const bool resolved =
      !(result.statistics->deviation.value < result.statistics->mean_output_error);
  if (surrogate.missed() > target && resolved)
    warnings.push_back(fmt::format(
        "the polynomial of the quantity {} misses {:.2g} of its variance, more than "
        "chaos.target_error = {}: peaks and times of peaks have kinks and jumps where others take "
        "their place; take method: monte-carlo or sobol",
        name, surrogate.missed(), format_number(target)));
}

void warn(const QuantityResults& result, std::span<const double> values,
          std::vector<std::string>& warnings) {
  const QuantityStatistics& statistics = *result.statistics;
  const std::string& name = result.quantity->name;
  warn_of_no_number(name, statistics.not_finite, values.size(), warnings);
  // What varies less than outputs resolve is their error, whose tails mean nothing.
  if (statistics.heavy_tail && !(statistics.deviation.value < statistics.mean_output_error))
    warnings.push_back(
        fmt::format("the values of the quantity {} have a heavy tail: intervals of its mean and "
                    "standard deviation may miss them; those of quantiles and of exceedance hold",
                    name));
}

}  // namespace

std::vector<double> state_values(const std::vector<QuantityOfInterest>& quantities,
                                 const Plan& plan, const Model& model,
                                 std::vector<std::string>& notes) {
  try {
    const auto states = make_state_quantities(plan, quantities);
    return states ? states->evaluate(model, &notes) : std::vector<double>{};
  } catch (const NoSuchMode& missing) {
    Diagnostic mistake;
    mistake.where = locate(model, "quantities." + missing.quantity() + ".mode");
    mistake.element = "quantity '" + missing.quantity() + "'";
    mistake.field = "mode";
    mistake.expectation =
        fmt::format("must be at most {}: there are no more modes", missing.modes());
    throw InputError({mistake});
  }
}

std::vector<QuantityResults> nominal_quantities(const std::vector<QuantityOfInterest>& quantities,
                                                const Trajectory& nominal,
                                                std::span<const double> of_state) {
  std::vector<QuantityResults> results;
  if (quantities.empty()) return results;
  const std::vector<QuantityValue> values = quantities_of(nominal, quantities, of_state);
  for (std::size_t q = 0; q < quantities.size(); ++q)
    results.push_back({&quantities[q], values[q]});
  return results;
}

QuantitySamples quantity_samples(std::size_t quantities, const StudyStore& store,
                                 std::uint64_t realizations) {
  QuantitySamples samples(quantities, realizations);
  store.for_each_leaf(realizations, [&](const LeafRecord& leaf) { samples.add(leaf); });
  return samples;
}

void add_quantity_statistics(std::vector<QuantityResults>& results, const StudyStore& store,
                             std::uint64_t realizations, const StudyInputs& inputs,
                             const Study& study, const EnsembleTimeErrors* time_errors, int threads,
                             std::vector<std::string>& warnings) {
  if (results.empty()) return;
  const QuantitySamples samples = quantity_samples(results.size(), store, realizations);
  QuantityStatisticsOptions options;
  options.probabilities = quantile_probabilities(study);
  options.level = study.interval_confidence;
  options.sampling = inputs.sampling();
  for (std::size_t q = 0; q < results.size(); ++q) {
    QuantityResults& result = results[q];
    if (time_errors != nullptr) {
      result.time_error = time_errors->quantity_rms[q];
      result.mean_time_error = time_errors->quantity_mean[q];
    }
    if (inputs.chaos() != nullptr) {
      add_chaos_statistics(result, *inputs.chaos(), study, samples.values(q),
                           samples.output_errors(q), threads, warnings);
    } else {
      result.statistics = quantity_statistics(samples.values(q), samples.output_errors(q), options);
      warn(result, samples.values(q), warnings);
    }
  }
}

std::vector<std::string> output_warnings(const std::vector<QuantityResults>& results) {
  // Beyond this share of a quantity's size, differences no longer tell how large the error is.
  constexpr double unresolved = 0.05;
  std::string names;
  double worst = 0;
  for (const QuantityResults& result : results) {
    double error = result.nominal.output_error, size = std::abs(result.nominal.value);
    if (result.statistics) {
      error = result.statistics->mean_output_error;
      size = std::max(std::abs(result.statistics->mean.value),
                      std::isnan(result.statistics->deviation.value)
                          ? 0.0
                          : result.statistics->deviation.value);
    }
    if (!std::isfinite(error) || !(error > unresolved * size)) continue;
    names += (names.empty() ? "" : ", ") + result.quantity->name;
    worst = std::max(worst, error / size);
  }
  std::vector<std::string> warnings;
  for (const QuantityResults& result : results) {
    const auto& s = result.statistics;
    if (!s && std::isnan(result.nominal.value) && std::isinf(result.nominal.output_error))
      warnings.push_back(fmt::format("the quantity {} is no finite number", result.quantity->name));
    if (!s || static_cast<double>(s->unresolved) <= unresolved * static_cast<double>(s->counted))
      continue;
    warnings.push_back(fmt::format(
        "outputs are too far apart for the quantity {}: every second one alone changes whether it "
        "happens in {} of {} realisations, so its probability is not known better than that; take "
        "a smaller simulation.output_step",
        result.quantity->name, s->unresolved, s->counted));
  }
  if (names.empty()) return warnings;
  warnings.push_back(fmt::format(
      "outputs are too far apart for the quantities {}: every second one alone gives values that "
      "differ by up to {:.2g} of their size, and their errors may be larger still; take a smaller "
      "simulation.output_step",
      names, worst));
  return warnings;
}

}  // namespace tumble
