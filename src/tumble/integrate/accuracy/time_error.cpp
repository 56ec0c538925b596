#include "tumble/integrate/accuracy/time_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "tumble/integrate/step/schedule.hpp"
#include "tumble/model/system.hpp"

namespace tumble {
namespace {

constexpr double turn = 2 * std::numbers::pi;

double squared_distance(const double* a, const double* b, int size) {
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// Of the two vectors that mean the same rotation the one that is nearer to `values`.
void nearest_rotation_vector(const double* values, double* finer) {
  const double angle = std::hypot(finer[0], finer[1], finer[2]);
  if (!(angle > 0)) return;
  const double factor = 1 - turn / angle;
  const double other[] = {factor * finer[0], factor * finer[1], factor * finer[2]};
  if (squared_distance(values, other, 3) < squared_distance(values, finer, 3))
    std::copy_n(other, 3, finer);
}

std::vector<double> errors_of(int order, const ProbeSeries& series,
                              const std::vector<double>& values, const std::vector<double>& finer) {
  std::vector<double> errors(values.size(), std::numeric_limits<double>::quiet_NaN());
  const auto size = static_cast<std::size_t>(series.size);
  for (std::size_t i = 0; i + size <= std::min(values.size(), finer.size()); i += size) {
    time_error(order, series.quantity, series.size, &values[i], &finer[i], &errors[i]);
    for (std::size_t k = i; k < i + size; ++k) errors[k] = std::fabs(errors[k]);
  }
  return errors;
}

}  // namespace

void time_error(int order, Quantity quantity, int components, const double* values,
                const double* finer, double* error) {
  const double parts = std::ldexp(1.0, order), richardson = parts / (parts - 1);
  std::copy_n(finer, components, error);
  if (quantity == Quantity::orientation) {
    double product = 0;
    for (int i = 0; i < components; ++i) product += values[i] * finer[i];
    if (product < 0)
      for (int i = 0; i < components; ++i) error[i] = -error[i];
  } else if (quantity == Quantity::rotation_vector) {
    nearest_rotation_vector(values, error);
  }
  for (int i = 0; i < components; ++i) {
    double difference = values[i] - error[i];
    if (quantity == Quantity::euler_123) difference -= turn * std::round(difference / turn);
    error[i] = richardson * difference;
  }
}

void add_time_error(const Plan& plan, const Model& model, Trajectory& trajectory,
                    const RunOptions& options) {
  const Schedule finer = refined(
      options.schedule != nullptr ? *options.schedule : make_schedule(*plan.system, model), 2);
  RunOptions again = options;
  again.schedule = &finer;
  const RunOutcome run = run_recorded(plan, model, again);
  if (run.failure)
    trajectory.warnings.push_back(
        fmt::format("the run with half the steps, which tells the error of the time integration, "
                    "failed: {}",
                    run.failure->reason));
  const int order = plan.system->nominal.simulation.order();
  const bool halved = trajectory.statistics.halvings > 0 || run.trajectory.statistics.halvings > 0;
  // A method of second order halves few of its many steps; one of fifth order takes few, and may
  // have taken the same ones twice.
  if (order > 2 && halved) {
    trajectory.warnings.push_back(
        "steps were halved, so that the run and its repetition with half the steps may have taken "
        "the same ones: the error of the time integration is not known; make simulation.step "
        "smaller");
    for (ProbeSeries& series : trajectory.series) {
      constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
      series.time_error.assign(series.values.size(), unknown);
      series.right_time_error.assign(series.right_values.size(), unknown);
    }
    return;
  }
  for (std::size_t i = 0; i < trajectory.series.size(); ++i) {
    ProbeSeries& series = trajectory.series[i];
    const ProbeSeries& other = run.trajectory.series[i];
    series.time_error = errors_of(order, series, series.values, other.values);
    series.right_time_error = errors_of(order, series, series.right_values, other.right_values);
  }
}

double relative_time_error(const ProbeSeries& series) {
  double peak = 0, error = 0;
  for (const double x : series.values) peak = std::max(peak, std::fabs(x));
  for (const double x : series.time_error) error = std::max(error, x);  // false for NaN
  return peak > 0 ? error / peak : 0;
}

}  // namespace tumble
