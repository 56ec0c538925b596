#include "tumble/study/run_quantities.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tumble/study/weighting.hpp"

namespace tumble {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double unknown_value = std::numeric_limits<double>::quiet_NaN();

SampledFunction negative(SampledFunction x) {
  for (double& value : x.value) value = -value;
  return x;
}

double crossing_time(const QuantityOfInterest& quantity, const SampledFunction& x) {
  const double level = quantity.level.value();
  double first = never;
  if (quantity.direction != CrossingDirection::down)
    first = std::min(first, first_rise(x, level).value_or(never));
  if (quantity.direction != CrossingDirection::up)
    first = std::min(first, first_rise(negative(x), -level).value_or(never));
  return first;
}

double scalar_of(const QuantityOfInterest& quantity, const SampledFunction& x) {
  const auto top = [&] { return highest(x); };
  const auto bottom = [&] { return highest(negative(x)); };  // of -x
  const auto farthest = [&] {
    const Extreme high = top(), low = bottom();
    if (high.value == low.value) return high.time < low.time ? high : low;
    return high.value > low.value ? high : low;
  };
  switch (quantity.kind) {
    case QuantityKind::peak:
      return top().value;
    case QuantityKind::minimum:
      return -bottom().value;
    case QuantityKind::absolute_peak:
      return farthest().value;
    case QuantityKind::range:
      return top().value + bottom().value;
    case QuantityKind::time_of_peak:
      return top().time;
    case QuantityKind::time_of_minimum:
      return bottom().time;
    case QuantityKind::time_of_absolute_peak:
      return farthest().time;
    case QuantityKind::rms:
      return std::sqrt(time_mean_square(x));
    case QuantityKind::mean:
      return time_mean(x);
    case QuantityKind::final_value:
      return x.value.back();
    case QuantityKind::first_crossing:
      return crossing_time(quantity, x);
    case QuantityKind::equilibrium:
    case QuantityKind::eigenfrequency:
    case QuantityKind::damping_ratio:
    case QuantityKind::shape_correlation:
    case QuantityKind::gain:
    case QuantityKind::phase:
      break;  // no functions of time
    case QuantityKind::first_event:
    case QuantityKind::last_event:
    case QuantityKind::event_count:
      break;  // not of x
  }
  return unknown_value;
}

double of_event(QuantityKind kind, const EventTally& tally) {
  return kind == QuantityKind::first_event  ? tally.first
         : kind == QuantityKind::last_event ? tally.last
                                            : tally.count;
}

/// What peaks may be higher by.
double hidden_by_kinks(const QuantityOfInterest& quantity, const SampledFunction& x) {
  switch (quantity.kind) {
    case QuantityKind::peak:
      return kink_above(x);
    case QuantityKind::minimum:
      return kink_above(negative(x));
    case QuantityKind::absolute_peak:
    case QuantityKind::range:
      return kink_above(x) + kink_above(negative(x));
    default:
      return 0;
  }
}

}  // namespace

QuantityEvaluator::QuantityEvaluator(std::span<const QuantityOfInterest> quantities,
                                     std::vector<double> times, std::size_t numbers)
    : quantities_(quantities),
      times_(std::move(times)),
      numbers_(numbers),
      has_functions_(std::ranges::any_of(
          quantities, [](const QuantityOfInterest& q) { return q.function != nullptr; })) {}

std::vector<QuantityValue> QuantityEvaluator::evaluate(const double* values,
                                                       std::size_t valid_times,
                                                       std::span<const double> breaks,
                                                       std::span<const double> of_state,
                                                       std::span<const EventTally> events) {
  std::vector<QuantityValue> result =
      evaluate_formulas(values, valid_times, breaks, of_state, events);
  constexpr std::size_t place = 0;
  if (has_functions_ && valid_times >= times_.size())
    ask_functions({values, row()}, {&place, 1}, result);
  return result;
}

std::vector<QuantityValue> QuantityEvaluator::add(const double* values, std::size_t valid_times,
                                                  std::span<const double> breaks,
                                                  std::span<const double> of_state,
                                                  std::span<const EventTally> events) {
  if (has_functions_ && valid_times >= times_.size()) {
    rows_.insert(rows_.end(), values, values + row());
    whole_.push_back(added_);
  }
  ++added_;
  return evaluate_formulas(values, valid_times, breaks, of_state, events);
}

void QuantityEvaluator::finish(std::span<QuantityValue> all) {
  if (!whole_.empty()) ask_functions(rows_, whole_, all);
  rows_.clear();
  whole_.clear();
  added_ = 0;
}

std::vector<QuantityValue> QuantityEvaluator::evaluate_formulas(
    const double* values, std::size_t valid_times, std::span<const double> breaks,
    std::span<const double> of_state, std::span<const EventTally> events) {
  std::vector<QuantityValue> result(size(), {unknown_value, unknown_value});
  for (std::size_t q = 0; q < size(); ++q) {
    const QuantityOfInterest& quantity = quantities_[q];
    if (quantity.of_event()) {
      if (quantity.event < events.size())
        result[q] = {of_event(quantity.kind, events[quantity.event]), 0};
      continue;
    }
    if (quantity.function != nullptr || quantity.last >= valid_times) continue;
    if (!quantity.is_of_state())
      result[q] = evaluate(quantity, values, breaks);
    else if (!of_state.empty())
      result[q] = std::isfinite(of_state[q]) ? QuantityValue{of_state[q], 0}
                                             : QuantityValue{unknown_value, never};
  }
  return result;
}

/// What the distance of outputs does to an answer is not known.
void QuantityEvaluator::ask_functions(std::span<const double> rows,
                                      std::span<const std::size_t> whole,
                                      std::span<QuantityValue> all) const {
  std::vector<double> answers(whole.size());
  for (std::size_t q = 0; q < size(); ++q) {
    if (quantities_[q].function == nullptr) continue;
    ask(*quantities_[q].function, rows, answers);
    for (std::size_t i = 0; i < whole.size(); ++i)
      all[whole[i] * size() + q] = std::isfinite(answers[i])
                                       ? QuantityValue{answers[i], unknown_value}
                                       : QuantityValue{unknown_value, never};
  }
}

/// One run without an answer does not cost the others theirs.
void QuantityEvaluator::ask(const UserQuantity& function, std::span<const double> rows,
                            std::span<double> answers) const {
  try {
    function.evaluate({answers.size(), numbers_, times_, rows}, answers);
    return;
  } catch (const NoAnswer&) {
    if (answers.size() == 1) {
      answers[0] = unknown_value;
      return;
    }
  }
  for (std::size_t i = 0; i < answers.size(); ++i)
    ask(function, rows.subspan(i * row(), row()), answers.subspan(i, 1));
}

QuantityValue QuantityEvaluator::evaluate(const QuantityOfInterest& quantity, const double* values,
                                          std::span<const double> breaks) {
  if (quantity.weighting) return evaluate_weighted(quantity, values);
  const bool instant = quantity.kind == QuantityKind::final_value;
  const std::size_t first = instant ? quantity.last : quantity.first;
  samples_.time.clear();
  samples_.value.clear();
  for (std::size_t t = first; t <= quantity.last; ++t) {
    const double x = quantity.formula.evaluate(values + t * numbers_, times_[t], stack_);
    if (!std::isfinite(x)) return {unknown_value, never};
    samples_.time.push_back(times_[t]);
    samples_.value.push_back(x);
  }
  if (instant) return {samples_.value.back(), 0};
  samples_.rough.assign(samples_.size() - 1, 0);
  const SampledFunction x = samples_.with_limits(breaks);
  const double value = scalar_of(quantity, x);
  if (samples_.size() < 3) return {value, unknown_value};
  const double coarse = scalar_of(quantity, samples_.every_second().with_limits(breaks));
  const double bent = scalar_of(quantity, samples_.with_limits(breaks, 2));
  const auto difference = [value](double other) {
    return value == other ? 0.0 : std::abs(value - other);
  };
  return {value, difference(coarse) + difference(bent) + hidden_by_kinks(quantity, x)};
}

/// The filter begins with the run and the window is taken behind it. What it gives is smooth, also
/// where x jumps.
QuantityValue QuantityEvaluator::evaluate_weighted(const QuantityOfInterest& quantity,
                                                   const double* values) {
  const double step = times_[1] - times_[0];
  // Of every `each`-th output, so that the window begins with one of them.
  const auto scalar = [&](std::size_t each) {
    std::vector<double> x;
    const std::size_t start = quantity.first % each;
    for (std::size_t t = start; t <= quantity.last; t += each)
      x.push_back(quantity.formula.evaluate(values + t * numbers_, times_[t], stack_));
    if (!std::ranges::all_of(x, [](double v) { return std::isfinite(v); })) return unknown_value;
    const auto y = WeightingFilter(*quantity.weighting, step * static_cast<double>(each)).apply(x);
    samples_.time.clear();
    samples_.value.clear();
    for (std::size_t i = quantity.first / each; i < y.size(); ++i) {
      samples_.time.push_back(times_[start + i * each]);
      samples_.value.push_back(y[i]);
    }
    samples_.rough.assign(samples_.size() - 1, 0);
    return scalar_of(quantity, samples_);
  };
  const double value = scalar(1), coarse = scalar(2);
  if (!std::isfinite(value))
    return {value, std::isnan(value) ? never : coarse == value ? 0 : never};
  return {value, std::abs(value - coarse)};
}

namespace {

struct ProbedRows {
  std::vector<double> values;  ///< [time][number]
  std::size_t numbers = 0;
};

ProbedRows probed_rows(const Trajectory& trajectory) {
  std::size_t numbers = 0;
  for (const ProbeSeries& series : trajectory.series)
    numbers += static_cast<std::size_t>(series.size);
  const std::size_t times = trajectory.times.size();
  std::vector<double> rows(times * numbers);
  std::size_t first = 0;
  for (const ProbeSeries& series : trajectory.series) {
    const auto size = static_cast<std::size_t>(series.size);
    for (std::size_t t = 0; t < times; ++t)
      std::copy_n(&series.values[t * size], size, &rows[t * numbers + first]);
    first += size;
  }
  return {std::move(rows), numbers};
}

}  // namespace

void try_out_functions(const Trajectory& nominal, std::span<const QuantityOfInterest> quantities) {
  for (const QuantityOfInterest& quantity : quantities) {
    if (quantity.function == nullptr) continue;
    const ProbedRows rows = probed_rows(nominal);
    quantity.function->try_out({1, rows.numbers, nominal.times, rows.values});
  }
}

std::vector<QuantityValue> quantities_of(const Trajectory& trajectory,
                                         std::span<const QuantityOfInterest> quantities,
                                         std::span<const double> of_state) {
  const ProbedRows rows = probed_rows(trajectory);
  QuantityEvaluator evaluator(quantities, trajectory.times, rows.numbers);
  std::size_t valid = trajectory.times.size();
  while (trajectory.ended && valid > 0 && trajectory.times[valid - 1] >= *trajectory.ended) --valid;
  return evaluator.evaluate(rows.values.data(), valid, trajectory.breaks, of_state,
                            trajectory.event_tallies);
}

}  // namespace tumble
