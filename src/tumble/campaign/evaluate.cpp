#include "tumble/campaign/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/inputs/excitation_draws.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/integrate/step/schedule.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble {

struct Evaluator::State {
  Model model;
  Plan plan;
  std::vector<std::string> inputs, quantity_names, quantity_units;
  std::vector<int> slots;
  std::shared_ptr<const std::vector<QuantityOfInterest>> quantities;
  std::vector<Series> series;
  std::vector<double> times;
  ExcitationDraws excite;
  LayoutPointer layout;
};

namespace {

InputError unknown_input(const ParameterTable& table, const std::string& path) {
  Diagnostic mistake;
  mistake.element = "inputs";
  mistake.field = path;
  mistake.expectation = "is no parameter of this model; `tumble parameters` lists them";
  std::vector<std::string> known;
  for (const auto& slot : table.slots()) known.push_back(slot.path);
  mistake.suggestion = nearest_name(path, known);
  return InputError({mistake});
}

}  // namespace

Evaluator::Evaluator(const ModelFile& file, std::vector<std::string> inputs, Observer& observer) {
  auto state = std::make_unique<State>();
  state->model = file.model;
  state->plan = assemble(file, "model", observer);
  settle_time_grid(state->model, state->plan, nullptr, 0, observer);
  if (inputs.empty() && !file.uncertainty->empty())
    inputs = random_inputs(file, DesignParameters{})->paths();
  const ParameterTable table(file.model);
  for (const std::string& path : inputs) {
    state->slots.push_back(table.find(path));
    if (state->slots.back() < 0) throw unknown_input(table, path);
  }
  state->inputs = std::move(inputs);
  state->quantities = file.quantities;
  for (const QuantityOfInterest& quantity : *file.quantities) {
    state->quantity_names.push_back(quantity.name);
    state->quantity_units.push_back(quantity.value_unit);
  }
  std::size_t first = 0;
  for (const ProbeSeries& s : make_series(state->plan)) {
    const auto size = static_cast<std::size_t>(s.size);
    state->series.push_back({s.probe, std::string(info(s.quantity).name),
                             std::string(info(s.quantity).unit), first, size});
    first += size;
  }
  state->times = make_schedule(*state->plan.system, state->model).outputs;
  const std::uint64_t seed = file.study ? static_cast<std::uint64_t>(file.study->study.seed) : 1;
  state->excite = excitation_draws(file.model, seed);
  state->layout = statistics_layout(*state->plan.system);
  state_ = std::move(state);
}

Evaluator::~Evaluator() = default;
Evaluator::Evaluator(Evaluator&&) noexcept = default;

const std::vector<std::string>& Evaluator::inputs() const { return state_->inputs; }
const std::vector<std::string>& Evaluator::quantities() const { return state_->quantity_names; }
const std::vector<std::string>& Evaluator::quantity_units() const { return state_->quantity_units; }
const std::vector<Evaluator::Series>& Evaluator::series() const { return state_->series; }
std::size_t Evaluator::numbers() const { return state_->layout->numbers(); }
const std::vector<double>& Evaluator::times() const { return state_->times; }

std::vector<double> Evaluator::nominal() const {
  const Realization numbers(state_->model);
  std::vector<double> values;
  for (const int slot : state_->slots) values.push_back(numbers.get(slot));
  return values;
}

Evaluation Evaluator::evaluate(std::span<const double> rows, const EvaluationOptions& options,
                               Observer& observer) const {
  const State& s = *state_;
  const std::size_t columns = s.slots.size();
  if (columns == 0) throw std::invalid_argument("the model has no inputs to evaluate it at");
  if (rows.size() % columns != 0)
    throw std::invalid_argument(
        fmt::format("{} numbers make no rows of {} inputs", rows.size(), columns));
  Evaluation found;
  found.rows = rows.size() / columns;
  const std::size_t quantities = s.quantities->size(), row_size = s.layout->row();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  found.status.assign(found.rows, RowStatus::failed);
  found.reasons.resize(found.rows);
  found.quantities.assign(found.rows * quantities, nan);
  if (options.keep_series) found.series.assign(found.rows * row_size, nan);
  if (found.rows == 0) return found;

  EnsembleInputs inputs{s.slots, [&](std::uint64_t row, double* values) {
                          std::copy_n(&rows[row * columns], columns, values);
                        }};
  if (s.excite)
    inputs.excite = [&](std::uint64_t row, double* germs) {
      s.excite(options.first_row + row, germs);
    };
  EnsembleOptions ensemble;
  ensemble.threads = options.threads;
  ensemble.width = options.lanes;
  ensemble.quantities = *s.quantities;
  ensemble.stop = [&] { return observer.cancelled(); };
  ensemble.progress = [&](std::uint64_t ended, std::uint64_t failed) {
    observer.advance(ended, failed);
  };
  // Rows have places of their own: threads do not get in each other's way.
  if (options.keep_series)
    ensemble.observe = [&](std::uint64_t row, const double* values, std::size_t valid_times,
                           std::span<const EventTally>) {
      std::copy_n(values, valid_times * s.layout->numbers(), &found.series[row * row_size]);
    };
  const auto commit = [&](LeafResult&& leaf) {
    const LeafRecord& record = leaf.record;
    for (std::size_t i = 0; i < record.realizations(); ++i) {
      const std::size_t row = record.first() + i;
      const RealizationOutcome& outcome = record.outcomes[i];
      found.status[row] = outcome.status == RealizationStatus::ok       ? RowStatus::ok
                          : outcome.status == RealizationStatus::failed ? RowStatus::failed
                                                                        : RowStatus::inadmissible;
      found.reasons[row] = outcome.reason;
      if (outcome.status != RealizationStatus::ok) continue;
      for (std::size_t q = 0; q < quantities; ++q)
        found.quantities[row * quantities + q] = record.quantities[i * quantities + q].value;
    }
  };
  observer.begin(0, found.rows, {});
  const bool complete = run_ensemble(s.plan, inputs, leaf_source(found.rows), ensemble, commit);
  observer.end();
  if (!complete) throw Cancelled();
  return found;
}

}  // namespace tumble
