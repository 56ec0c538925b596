#include "tumble/study/statistics/time_errors.hpp"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/integrate/accuracy/time_error.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/study/leaf_runner.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

/// So many realisations share a batch: narrow, so that several threads have something to do. The
/// bits do not depend on it.
constexpr int narrow_lanes = 4;

/// With e_i the errors of k realisations out of N, m their mean and s their scatter, the mean of
/// all N errors is m give or take s √((1/k)(1 - k/N)): both are in the number told.
struct ErrorSums {
  double sum = 0, squares = 0;
  std::uint64_t count = 0;

  void add(double error) {
    sum += error;
    squares += error * error;
    ++count;
  }
  double rms() const { return std::sqrt(squares / static_cast<double>(count)); }
  double of_mean(std::uint64_t population) const {
    const auto k = static_cast<double>(count);
    const double unseen = std::max(0.0, 1 - k / static_cast<double>(population)), mean = sum / k;
    const double scatter = count > 1 ? std::max(0.0, squares - k * mean * mean) / (k - 1) : 0;
    return std::sqrt(mean * mean + scatter / k * unseen);
  }
};

}  // namespace

TimeErrorSample::TimeErrorSample(const Plan& plan, const EnsembleInputs& inputs,
                                 std::vector<std::uint64_t> realizations,
                                 std::span<const QuantityOfInterest> quantities)
    : plan_(plan),
      inputs_(inputs),
      realizations_(std::move(realizations)),
      quantities_(quantities),
      layout_(statistics_layout(*plan.system)) {}

void TimeErrorSample::observe(std::uint64_t realization, const double* values,
                              std::size_t valid_times, std::span<const EventTally> events) {
  if (std::ranges::find(realizations_, realization) == realizations_.end()) return;
  Row row{std::vector<double>(values, values + valid_times * layout_->numbers()), valid_times};
  row.events.assign(events.begin(), events.end());
  const std::lock_guard lock(mutex_);
  observed_[realization] = std::move(row);
}

void TimeErrorSample::run(const std::vector<std::uint64_t>& realizations, int parts, int threads,
                          std::map<std::uint64_t, Row>& rows) const {
  if (realizations.empty()) return;
  EnsembleOptions options;
  options.width = find_lane_kernel(narrow_lanes) != nullptr ? narrow_lanes : 0;
  options.parts = parts;
  const EnsembleSetup setup(plan_, inputs_, options);
  const std::size_t group = setup.group();
  const std::size_t groups = (realizations.size() + group - 1) / group;
  std::vector<Row> found(realizations.size());
  with_workers(threads, [&] {
    oneapi::tbb::parallel_for(std::size_t{0}, groups, [&](std::size_t g) {
      LeafRunner runner(setup);
      const std::size_t first = g * group, count = std::min(group, realizations.size() - first);
      runner.run_group(&realizations[first], count);
      for (std::size_t i = 0; i < count; ++i) {
        const LeafRunner::Ended& ended = runner.ended(i);
        const auto events = LeafRunner::events_of(ended);
        found[first + i] = {
            ended.values, ended.valid_times, ended.breaks, {events.begin(), events.end()}};
      }
    });
  });
  for (std::size_t i = 0; i < realizations.size(); ++i) rows[realizations[i]] = std::move(found[i]);
}

void TimeErrorSample::find_quantity_errors(const std::map<std::uint64_t, Row>& finer,
                                           std::uint64_t population,
                                           EnsembleTimeErrors& result) const {
  QuantityEvaluator evaluator(
      quantities_, make_schedule(*plan_.system, plan_.system->nominal).outputs, layout_->numbers());
  std::vector<ErrorSums> sums(quantities_.size());
  for (const std::uint64_t r : realizations_) {
    const Row &base = observed_.at(r), &fine = finer.at(r);
    const auto with_steps =
        evaluator.evaluate(base.values.data(), base.valid_times, fine.breaks, {}, base.events);
    const auto with_half =
        evaluator.evaluate(fine.values.data(), fine.valid_times, fine.breaks, {}, fine.events);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
      double error = 0;
      time_error(order(), Quantity::length, 1, &with_steps[q].value, &with_half[q].value, &error);
      if (std::isfinite(error)) sums[q].add(error);
    }
  }
  for (std::size_t q = 0; q < quantities_.size(); ++q) {
    if (quantities_[q].is_of_state()) {  // no integration, no error of it
      result.quantity_rms.push_back(0);
      result.quantity_mean.push_back(0);
      continue;
    }
    const ErrorSums& sum = sums[q];
    const bool known = sum.count > 0;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    result.quantity_rms.push_back(known ? sum.rms() : nan);
    result.quantity_mean.push_back(known ? sum.of_mean(population) : nan);
  }
}

EnsembleTimeErrors TimeErrorSample::finish(std::uint64_t population, int threads) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t r : realizations_)
    if (!observed_.contains(r)) missing.push_back(r);
  run(missing, 1, threads, observed_);
  std::map<std::uint64_t, Row> finer;
  run(realizations_, 2, threads, finer);

  const StatisticsLayout& layout = *layout_;
  const std::size_t numbers = layout.numbers();
  std::vector<Quantity> quantities;
  for (const ProbeSeries& series : make_series(plan_.system->nominal))
    quantities.push_back(series.quantity);
  EnsembleTimeErrors result;
  result.asked = realizations_.size();
  result.rms.assign(layout.row(), std::numeric_limits<double>::quiet_NaN());
  result.mean = result.rms;
  std::vector<ErrorSums> sums(numbers);
  std::vector<double> error(numbers);
  for (std::size_t t = 0; t < layout.times(); ++t) {
    std::ranges::fill(sums, ErrorSums{});
    std::uint64_t count = 0;
    for (const std::uint64_t r : realizations_) {
      const Row &base = observed_.at(r), &fine = finer.at(r);
      if (t >= base.valid_times || t >= fine.valid_times) continue;
      ++count;
      for (std::size_t q = 0; q < layout.quantities(); ++q) {
        const std::size_t n = layout.number(q);
        time_error(order(), quantities[q], static_cast<int>(layout.size(q)),
                   &base.values[t * numbers + n], &fine.values[t * numbers + n], &error[n]);
      }
      for (std::size_t n = 0; n < numbers; ++n) sums[n].add(error[n]);
    }
    result.used = count;  // runs end early, so the last time has the fewest
    if (count == 0) continue;
    for (std::size_t n = 0; n < numbers; ++n) {
      result.rms[t * numbers + n] = sums[n].rms();
      result.mean[t * numbers + n] = sums[n].of_mean(population);
    }
  }
  find_quantity_errors(finer, population, result);
  return result;
}

}  // namespace tumble
