#include "tumble/campaign/points/model_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tumble/campaign/assemble.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/campaign/times/time_grid.hpp"
#include "tumble/campaign/warnings.hpp"
#include "tumble/integrate/derivatives.hpp"
#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/model/excitation.hpp"
#include "tumble/model/parameters.hpp"

namespace tumble {
namespace {

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? std::string() : fmt::format("; did you mean {}?", nearest);
}

std::vector<std::string> varying_paths(const ModelFile& file, const StudyInputs* study) {
  if (study != nullptr) return study->paths();
  if (file.uncertainty->empty()) return {};
  return random_inputs(file, sampling_of(file))->paths();
}

}  // namespace

ModelFunction::ModelFunction(const ModelFile& file, const std::string& path,
                             const FunctionRequest& request, Observer& observer)
    : file_(file), model_(file.model), plan_(assemble(file, path, observer)) {
  if (Realization(file.model).germs() > 0)
    throw RequestError(
        "the model has random drives, whose course does not follow from numbers of a point: a "
        "study draws it");
  std::optional<StudyInputs> study;
  if (file.study) study.emplace(file);
  Warnings warnings(&observer);
  warnings.add(
      settle_time_grid(model_, plan_, study ? &*study : nullptr, request.threads, observer));
  paths_ = request.inputs.empty() ? varying_paths(file, study ? &*study : nullptr) : request.inputs;
  find_inputs();
  choose_outputs(request);
  no_gradient_ = find_no_gradient();
  runner_ = std::make_unique<PointRunner>(plan_, slots_, *file.quantities, request.threads);
}

void ModelFunction::find_inputs() {
  if (paths_.empty())
    throw RequestError(
        "the model says nothing about what varies (sections `uncertainty` and `study`): name the "
        "inputs, by paths as `tumble parameters` lists them");
  const ParameterTable& table = plan_.parameters();
  const Realization nominal(model_);
  for (const std::string& path : paths_) {
    const int slot = table.find(path);
    if (slot < 0) {
      std::vector<std::string> known;
      for (const Slot& s : table.slots()) known.push_back(s.path);
      throw RequestError(
          fmt::format("input {} is no number of the model, as `tumble parameters` "
                      "lists them{}",
                      path, suggestion(path, known)));
    }
    if (std::ranges::find(slots_, slot) != slots_.end())
      throw RequestError(fmt::format("input {} is named twice", path));
    slots_.push_back(slot);
    nominal_.push_back(nominal.get(slot));
  }
}

void ModelFunction::choose_outputs(const FunctionRequest& request) {
  const auto& quantities = *file_.quantities;
  times_ = make_schedule(*plan_.system, plan_.system->nominal).outputs;
  const std::vector<ProbeSeries> series = make_series(plan_.system->nominal);
  for (const ProbeSeries& s : series) {
    series_.push_back({numbers_, static_cast<std::size_t>(s.size)});
    numbers_ += series_.back().size;
  }
  if (request.outputs.empty()) {
    if (quantities.empty())
      throw RequestError(
          "the model has no section `quantities`: name outputs as PROBE.QUANTITY, each of which is "
          "given at all output times");
    FunctionOutput all;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      all.name += (q > 0 ? ", " : "") + quantities[q].name;
      all.quantities.push_back(q);
    }
    all.size = quantities.size();
    outputs_.push_back(std::move(all));
    return;
  }
  for (const std::string& name : request.outputs) {
    FunctionOutput output;
    output.name = name;
    std::vector<std::string> known;
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      known.push_back(quantities[q].name);
      if (quantities[q].name == name) output.quantities = {q};
    }
    output.size = output.quantities.size();
    for (std::size_t i = 0; i < series.size(); ++i) {
      known.push_back(fmt::format("{}.{}", series[i].probe, info(series[i].quantity).name));
      if (output.size > 0 || known.back() != name) continue;
      output.series = series_[i];
      output.size = series_[i].size * times_.size();
    }
    if (output.size == 0)
      throw RequestError(
          fmt::format("output {} is neither a quantity of interest nor PROBE.QUANTITY{}", name,
                      suggestion(name, known)));
    outputs_.push_back(std::move(output));
  }
}

std::string ModelFunction::find_no_gradient() const {
  for (const FunctionOutput& output : outputs_)
    for (const std::size_t q : output.quantities)
      if (const QuantityOfInterest& quantity = (*file_.quantities)[q]; quantity.is_of_state())
        return fmt::format("the quantity {} is of kind {}, which has no derivatives here",
                           quantity.name,
                           quantity_kind_names[static_cast<std::size_t>(quantity.kind)]);
  try {
    for (const std::string& path : paths_) require_derivative(plan_, model_, path);
    return {};
  } catch (const InputError& error) {
    return fmt::format("by {}: {}", error.diagnostics().front().value,
                       error.diagnostics().front().expectation);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::vector<std::vector<double>> ModelFunction::evaluate(const std::vector<double>& point,
                                                         Deadline deadline) {
  const PointRun run = runner_->run(point, deadline);
  std::vector<std::vector<double>> values;
  for (const FunctionOutput& output : outputs_) {
    std::vector<double>& to = values.emplace_back();
    for (const std::size_t q : output.quantities) {
      to.push_back(run.quantities[q].value);
      if (!std::isfinite(to.back()))
        throw PointFailed(
            PointFailed::Why::no_value,
            fmt::format("{} has no value in this run: {}", (*file_.quantities)[q].name,
                        std::isinf(to.back()) ? "it did not happen" : "it is no finite number"));
    }
    if (output.series)
      for (std::size_t t = 0; t < times_.size(); ++t)
        for (std::size_t k = 0; k < output.series->size; ++k)
          to.push_back(run.values[t * numbers_ + output.series->first + k]);
  }
  return values;
}

double ModelFunction::slope(const FunctionOutput& output, const std::vector<double>& sens,
                            const PointRun& run, const std::vector<double>& slopes) const {
  double sum = 0;
  if (output.series) {
    std::size_t i = 0;
    for (std::size_t t = 0; t < times_.size(); ++t)
      for (std::size_t k = 0; k < output.series->size; ++k)
        sum += sens[i++] * slopes[t * numbers_ + output.series->first + k];
    return sum;
  }
  // Σ over series (q(y + ε y') - q(y - ε y')) / 2 ε, where y and y' are of one series and ε y' is
  // at most 1e-6 of the largest y: what is left out is about 1e-12 of q, what rounding does 1e-10.
  QuantityEvaluator evaluator(*file_.quantities, times_, numbers_);
  std::vector<double> moved = run.values;
  for (const FunctionOutput::Series& series : series_) {
    const auto each = [&](const auto& visit) {
      for (std::size_t t = 0; t < times_.size(); ++t)
        for (std::size_t k = 0; k < series.size; ++k) visit(t * numbers_ + series.first + k);
    };
    double largest = 0, steepest = 0;
    each([&](std::size_t i) {
      largest = std::max(largest, std::fabs(run.values[i]));
      steepest = std::max(steepest, std::fabs(slopes[i]));
    });
    if (steepest == 0) continue;
    const double epsilon = 1e-6 * (largest > 0 ? largest : 1) / steepest;
    const auto at = [&](double distance) {
      each([&](std::size_t i) { moved[i] = run.values[i] + distance * slopes[i]; });
      return evaluator.evaluate(moved.data(), times_.size(), run.breaks, {}, {});
    };
    const std::vector<QuantityValue> after = at(epsilon), before = at(-epsilon);
    at(0);
    for (std::size_t k = 0; k < output.quantities.size(); ++k) {
      const std::size_t q = output.quantities[k];
      const double difference = after[q].value - before[q].value;
      if (!std::isfinite(difference))
        throw PointFailed(PointFailed::Why::no_value,
                          fmt::format("{} has no derivative in this run: it is not finite nearby",
                                      (*file_.quantities)[q].name));
      sum += sens[k] * (difference / (2 * epsilon));
    }
  }
  return sum;
}

std::vector<double> ModelFunction::gradient(const std::vector<double>& point, std::size_t output,
                                            const std::vector<double>& sens, Deadline deadline) {
  // Tasks may outlive the request, if that comes to its deadline.
  struct Shared {
    std::vector<double> point, sens, gradient;
    PointRun run;
  };
  const auto shared = std::make_shared<Shared>(
      Shared{point, sens, std::vector<double>(point.size()), runner_->run(point, deadline)});
  std::vector<std::function<void()>> tasks;
  for (std::size_t i = 0; i < point.size(); ++i)
    tasks.emplace_back([this, shared, output, i] {
      Realization numbers(model_);
      for (std::size_t k = 0; k < slots_.size(); ++k) numbers.set(slots_[k], shared->point[k]);
      const Derivatives d = differentiate(plan_, numbers.model(), paths_[i]);
      std::vector<double> slopes(shared->run.values.size());
      for (std::size_t s = 0; s < series_.size(); ++s) {
        const auto [first, size] = series_[s];
        for (std::size_t t = 0; t < times_.size(); ++t)
          std::copy_n(&d.series[s].values[t * size], size, &slopes[t * numbers_ + first]);
      }
      shared->gradient[i] = slope(outputs_[output], shared->sens, shared->run, slopes);
    });
  runner_->work(std::move(tasks), deadline);
  return shared->gradient;
}

}  // namespace tumble
