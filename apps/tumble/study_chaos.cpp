#include "study_chaos.hpp"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "tumble/chaos/surrogate_quantiles.hpp"
#include "tumble/study/workers.hpp"

namespace tumble::app {
namespace {

/// A 1 for every run that failed.
std::vector<std::uint8_t> failed_runs(const StudyStore& store, std::size_t runs) {
  std::vector<std::uint8_t> failed(runs, 0);
  store.for_each_leaf(runs, [&](const LeafRecord& leaf) {
    for (std::size_t i = 0; i < leaf.realizations(); ++i)
      failed[leaf.first() + i] = leaf.outcomes[i].status != RealizationStatus::ok;
  });
  return failed;
}

}  // namespace

ChaosResults fit_chaos(const ChaosInputs& inputs, const Study& study, const Trajectory& nominal,
                       StudyStore& store, int threads) {
  const ChaosPlan& plan = inputs.plan();
  const ChaosRequest request = study.chaos.value_or(ChaosRequest{});
  ChaosResults results;
  results.space = &plan.space();
  const std::vector<std::uint8_t> failed = failed_runs(store, plan.runs());
  results.runs = static_cast<std::size_t>(std::count(failed.begin(), failed.end(), 0));
  const StoredValues& stored = store.values(plan.runs());
  const StatisticsLayout& layout = *stored.layout();
  DenseMatrix values(plan.runs(), layout.row());
  for (std::size_t i = 0; i < plan.runs(); ++i)
    std::copy_n(stored.row(i), layout.row(), values.row(i).begin());
  try {
    results.fit = plan.fit(
        values, results.runs < plan.runs() ? std::span(failed) : std::span<const std::uint8_t>());
  } catch (const std::runtime_error& error) {  // too few runs are left
    results.failure = error.what();
  } catch (const std::invalid_argument& error) {  // those that are left do not tell terms apart
    results.failure = error.what();
  }
  if (!results.fit) return results;
  results.warnings = results.fit->warnings;
  const std::vector<std::string> more =
      chaos_warnings(*results.fit, nominal, layout, request.target_error);
  results.warnings.insert(results.warnings.end(), more.begin(), more.end());
  results.samples = static_cast<std::size_t>(request.surrogate_samples);
  const SurrogateSample sample(plan.space(), results.samples,
                               static_cast<std::uint64_t>(study.seed));
  results.quantiles = surrogate_quantiles(sample, results.fit->expansion,
                                          quantile_probabilities(study), worker_count(threads));
  return results;
}

std::vector<std::vector<KernelDensity>> surrogate_densities(const ChaosResults& chaos,
                                                            const Study& study,
                                                            const StatisticsLayout& layout,
                                                            std::span<const std::size_t> times,
                                                            const DensityOptions& options) {
  const SurrogateSample sample(*chaos.space, chaos.samples, static_cast<std::uint64_t>(study.seed));
  std::vector<std::uint64_t> numbers(chaos.samples);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  std::vector<std::vector<KernelDensity>> result(times.size(),
                                                 std::vector<KernelDensity>(layout.numbers()));
  const auto one = [&](std::size_t i) {
    const std::size_t time = i / layout.numbers(), number = i % layout.numbers();
    const std::size_t output = times[time] * layout.numbers() + number;
    const DenseMatrix values = sample.sorted_values(chaos.fit->expansion, {&output, 1});
    result[time][number] = kernel_density(values.row(0), numbers, options);
  };
  with_workers(options.threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, times.size() * layout.numbers(), one);
  });
  return result;
}

std::vector<std::string> chaos_warnings(const ChaosFit& fit, const Trajectory& nominal,
                                        const StatisticsLayout& layout, double limit) {
  const std::vector<double> variances = fit.expansion.variances();
  std::vector<std::pair<double, std::string>> missed;  // share of the variance, and of what
  for (std::size_t q = 0; q < layout.quantities(); ++q) {
    double largest_variance = 0, largest_square = 0;
    for (std::size_t t = 0; t < layout.times(); ++t)
      for (std::size_t a = 0; a < layout.size(q); ++a) {
        const std::size_t o = t * layout.numbers() + layout.number(q) + a;
        largest_variance = std::max(largest_variance, variances[o]);
        if (variances[o] > 0)
          largest_square = std::max(largest_square, fit.errors.relative[o] * variances[o]);
      }
    if (largest_variance == 0 || largest_square <= limit * largest_variance) continue;
    missed.emplace_back(
        largest_square / largest_variance,
        fmt::format("{}.{}", nominal.series[q].probe, info(nominal.series[q].quantity).name));
  }
  if (missed.empty()) return {};
  // One sentence for all of them, the worst first.
  std::ranges::stable_sort(missed, std::greater<>(), &std::pair<double, std::string>::first);
  constexpr std::size_t shown = 3;
  std::string list;
  for (std::size_t i = 0; i < missed.size() && i < shown; ++i)
    list += fmt::format("{}{:.3g} of {}", i == 0 ? "" : ", ", missed[i].first, missed[i].second);
  if (missed.size() > shown)
    list += fmt::format(" and less of {} more of {} quantities", missed.size() - shown,
                        layout.quantities());
  return {
      fmt::format("by the estimate from the {}, the polynomials miss more of the variance than "
                  "chaos.target_error = {}: {}; take a higher degree or level, or more runs",
                  fit.errors.method, format_number(limit), list)};
}

}  // namespace tumble::app
