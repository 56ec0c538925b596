#include "tumble/campaign/study_chaos.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "tumble/chaos/error/validation.hpp"
#include "tumble/chaos/surrogate_quantiles.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

/// A 1 for every run that failed.
std::vector<std::uint8_t> failed_runs(const StudyStore& store, std::uint64_t runs) {
  std::vector<std::uint8_t> failed(runs, 0);
  store.for_each_leaf(runs, [&](const LeafRecord& leaf) {
    for (std::size_t i = 0; i < leaf.realizations(); ++i)
      failed[leaf.first() + i] = leaf.outcomes[i].status != RealizationStatus::ok;
  });
  return failed;
}

DenseMatrix rows_of(const StoredValues& stored, std::size_t columns, std::uint64_t first,
                    std::size_t count) {
  DenseMatrix rows(count, columns);
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(stored.row(first + i), columns, rows.row(i).begin());
  return rows;
}

void count_failures(ChaosResults& results, const ValidationPoints& points,
                    std::span<const std::uint8_t> failed) {
  double sum = 0;
  for (std::size_t i = 0; i < failed.size(); ++i) {
    sum += points.weights[i];
    if (failed[i] == 0) continue;
    ++results.validation_failed;
    results.validation_failed_share += points.weights[i];
  }
  if (sum > 0) results.validation_failed_share /= sum;
}

/// Errors from runs that the fit did not see, in place of those from the fit itself.
void measure_errors(ChaosResults& results, const SurrogateQuantiles& quantiles,
                    const Validation& validation, std::size_t probabilities) {
  results.fit->errors = validation.errors();
  results.quantile_lower = results.quantile_upper = quantiles.values;
  const std::vector<double> errors = validation.quantile_errors(quantiles.values, probabilities);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    results.quantile_lower[i] -= errors[i] + quantiles.sampling_errors[i];
    results.quantile_upper[i] += errors[i] + quantiles.sampling_errors[i];
  }
  for (std::size_t germ = 0; germ < results.space->size(); ++germ) {
    results.germ_first.push_back(validation.closed_sobol({&germ, 1}));
    results.germ_total.push_back(validation.total_sobol({&germ, 1}));
  }
  for (const GermGroup& group : results.space->groups()) {
    const bool one = group.germs.size() == 1;
    results.group_closed.push_back(one ? results.germ_first[group.germs[0]]
                                       : validation.closed_sobol(group.germs));
    results.group_total.push_back(one ? results.germ_total[group.germs[0]]
                                      : validation.total_sobol(group.germs));
  }
}

}  // namespace

ChaosResults fit_chaos(const ChaosInputs& inputs, const Study& study, const Trajectory& nominal,
                       StudyStore& store, int threads) {
  const ChaosPlan& plan = inputs.plan();
  const ChaosRequest request = study.chaos.value_or(ChaosRequest{});
  ChaosResults results;
  results.space = &plan.space();
  results.first_validation = plan.runs();
  const std::vector<std::uint8_t> all_failed = failed_runs(store, inputs.realizations());
  const auto failed = std::span(all_failed).first(plan.runs());
  const auto validation_failed = std::span(all_failed).subspan(plan.runs());
  results.runs = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), 0));
  count_failures(results, inputs.validation(), validation_failed);
  const StoredValues& stored = store.values(inputs.realizations());
  const StatisticsLayout& layout = *stored.layout();
  const auto rows = [&](std::uint64_t first, std::size_t count) {
    return rows_of(stored, layout.row(), first, count);
  };
  try {
    results.fit = plan.fit(rows(0, plan.runs()),
                           results.runs < plan.runs() ? failed : std::span<const std::uint8_t>());
  } catch (const std::runtime_error& error) {  // too few runs are left
    results.failure = error.what();
  } catch (const std::invalid_argument& error) {  // those that are left do not tell terms apart
    results.failure = error.what();
  }
  if (!results.fit) return results;
  results.warnings = results.fit->warnings;
  results.samples = static_cast<std::size_t>(request.surrogate_samples);
  const std::vector<double> probabilities = quantile_probabilities(study);
  const SurrogateSample sample(plan.space(), results.fit->expansion, results.samples,
                               static_cast<std::uint64_t>(study.seed));
  SurrogateQuantiles quantiles = surrogate_quantiles(sample, probabilities, worker_count(threads));
  const std::size_t points = validation_failed.size();
  if (points - results.validation_failed >= Validation::least_points) {
    const Validation validation(results.fit->expansion, inputs.validation(),
                                rows(plan.runs(), points), validation_failed,
                                study.interval_confidence);
    measure_errors(results, quantiles, validation, probabilities.size());
  } else if (points > 0) {
    results.warnings.push_back(fmt::format(
        "{} of {} runs that were to measure the errors of the polynomials failed; errors are "
        "guesses from the fit itself, and not reliable",
        results.validation_failed, points));
  }
  results.quantiles = std::move(quantiles.values);
  const std::vector<std::string> more =
      chaos_warnings(*results.fit, *results.space, nominal, layout, request);
  results.warnings.insert(results.warnings.end(), more.begin(), more.end());
  return results;
}

std::vector<std::vector<KernelDensity>> surrogate_densities(const ChaosResults& chaos,
                                                            const Study& study,
                                                            const StatisticsLayout& layout,
                                                            std::span<const std::size_t> times,
                                                            const DensityOptions& options) {
  const SurrogateSample sample(*chaos.space, chaos.fit->expansion, chaos.samples,
                               static_cast<std::uint64_t>(study.seed));
  std::vector<std::uint64_t> numbers(chaos.samples);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  std::vector<std::vector<KernelDensity>> result(times.size(),
                                                 std::vector<KernelDensity>(layout.numbers()));
  const auto one = [&](std::size_t i) {
    const std::size_t time = i / layout.numbers(), number = i % layout.numbers();
    const std::size_t output = times[time] * layout.numbers() + number;
    result[time][number] = kernel_density(sample.sorted_values(output), numbers, options);
  };
  with_workers(options.threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, times.size() * layout.numbers(), one);
  });
  return result;
}

namespace {

/// The germ whose highest polynomials hold most of an output's variance: that in which
/// coefficients fall most slowly.
std::size_t slowest_germ(const Expansion& expansion, std::size_t output) {
  const MultiIndexSet& terms = expansion.basis().terms();
  const std::vector<int> highest = terms.highest_degrees();
  std::vector<double> held(highest.size(), 0.0);
  for (std::size_t term = 1; term < terms.size(); ++term)
    for (std::size_t k = 0; k < highest.size(); ++k)
      if (terms[term][k] > 0 && terms[term][k] + 1 >= highest[k])
        held[k] += expansion.coefficients()(term, output) * expansion.coefficients()(term, output);
  return static_cast<std::size_t>(std::ranges::max_element(held) - held.begin());
}

/// A quantity of which too much is missed.
struct Missed {
  double share, lower, upper;  ///< of its largest variance
  std::size_t quantity, output;
  double deviation;  ///< largest error of the deviation, of the largest deviation
};

std::string share_text(const Missed& missed, bool measured) {
  return measured
             ? fmt::format("{:.2g} ({:.2g} to {:.2g})", missed.share, missed.lower, missed.upper)
             : fmt::format("{:.3g}", missed.share);
}

std::string remedy(const ChaosFit& fit, const InputSpace& space, const ChaosRequest& request,
                   std::size_t output) {
  const std::size_t germ = slowest_germ(fit.expansion, output);
  const Germ& slow = space.germ(germ);
  const bool could_be_normal =
      request.germs == ChaosGerms::matching && slow.family() != PolynomialFamily::hermite;
  return fmt::format(
      "coefficients fall most slowly in {} ({}); take a higher degree or level, or more runs, {}or "
      "method: monte-carlo",
      space.label(germ), slow.description(),
      could_be_normal ? "or chaos.germs: normal, whose polynomials suit 1/mass and the like, "
                      : "");
}

}  // namespace

std::vector<std::string> chaos_warnings(const ChaosFit& fit, const InputSpace& space,
                                        const Trajectory& nominal, const StatisticsLayout& layout,
                                        const ChaosRequest& request) {
  const std::vector<double> variances = fit.expansion.variances();
  const ChaosErrors& errors = fit.errors;
  std::vector<Missed> missed;
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    double largest_variance = 0, largest_square = 0, largest_std_error = 0;
    std::size_t worst = 0;
    for (std::size_t t = 0; t < layout.times(); ++t)
      for (std::size_t a = 0; a < layout.size(q); ++a) {
        const std::size_t o = t * layout.numbers() + layout.number(q) + a;
        largest_variance = std::max(largest_variance, variances[o]);
        largest_std_error = std::max(largest_std_error, errors.std[o]);
        const double square =
            (errors.measured ? errors.relative_lower[o] : errors.relative[o]) * variances[o];
        if (variances[o] > 0 && square > largest_square) largest_square = square, worst = o;
      }
    if (largest_variance == 0 || largest_square <= request.target_error * largest_variance)
      continue;
    const double scale = variances[worst] / largest_variance;
    Missed& found = missed.emplace_back(Missed{errors.relative[worst] * scale, 0, 0, q, worst,
                                               largest_std_error / std::sqrt(largest_variance)});
    if (!errors.measured) continue;
    found.lower = errors.relative_lower[worst] * scale;
    found.upper = errors.relative_upper[worst] * scale;
  }
  std::vector<std::string> sentences;
  if (!errors.measured)
    sentences.push_back(fmt::format(
        "errors of the polynomials are guesses from the {}, and not reliable; chaos.validation: 64 "
        "measures them",
        errors.method));
  if (missed.empty()) return sentences;
  // One sentence for all of them, the worst first.
  std::ranges::stable_sort(missed, std::greater<>(), &Missed::share);
  constexpr std::size_t shown = 3;
  std::string list;
  for (std::size_t i = 0; i < missed.size() && i < shown; ++i) {
    const ProbeSeries& series = nominal.series[missed[i].quantity];
    list += fmt::format("{}{} of {}.{}", i == 0 ? "" : ", ", share_text(missed[i], errors.measured),
                        series.probe, info(series.quantity).name);
  }
  if (missed.size() > shown)
    list += fmt::format(" and less of {} more of {} quantities", missed.size() - shown,
                        layout.quantities());
  sentences.push_back(fmt::format(
      "by the {}, the polynomials miss more of the variance than "
      "chaos.target_error = {}: {}{}; {}",
      errors.method, format_number(request.target_error), list,
      errors.measured ? fmt::format("; the first one's deviation is wrong by at most {:.2g} of the "
                                    "largest",
                                    missed[0].deviation)
                      : "",
      remedy(fit, space, request, missed[0].output)));
  return sentences;
}

}  // namespace tumble
