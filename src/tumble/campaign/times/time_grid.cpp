#include "tumble/campaign/times/time_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/times/study_time_errors.hpp"
#include "tumble/integrate/accuracy/grid_search.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_realizations = 8;

/// An iteration of radau, for each of its three stages, takes this many of generalized-alpha:
/// measured (docs/theory/radau.md).
constexpr double radau_iteration = 6;

/// Below, rounding of positions keeps accelerations of generalized-alpha from the accuracy, and the
/// search takes very many steps to find that out: it is left to where radau fails.
constexpr double within_reach = 2e-5;

GridSearchOptions search_options(int threads, Observer& observer) {
  GridSearchOptions options;
  options.threads = worker_count(threads);
  options.check_interrupt = [&observer] { stop_if_cancelled(observer); };
  return options;
}

/// A method and the steps that were found for it.
struct Candidate {
  Model model;
  Plan plan;
  FoundGrid found;

  double cost() const {
    return found.work *
           (model.simulation.integrator == IntegrationMethod::radau ? radau_iteration : 1.0);
  }
  /// What reaches the accuracy comes first, then what costs less.
  bool better_than(const Candidate& other) const {
    if (found.fits != other.found.fits) return found.fits;
    return found.fits ? cost() < other.cost() : found.estimate < other.found.estimate;
  }
};

Candidate try_method(const Model& model, IntegrationMethod method, int threads,
                     Observer& observer) {
  Candidate candidate{model, {}, {}};
  candidate.model.simulation.integrator = method;
  candidate.plan = make_plan(compile(candidate.model));
  candidate.found = find_grid(candidate.plan, {candidate.model}, search_options(threads, observer));
  return candidate;
}

}  // namespace

std::vector<std::string> settle_time_grid(Model& model, Plan& plan, const StudyInputs* inputs,
                                          int threads, Observer& observer) {
  if (!model.simulation.accuracy || !model.simulation.has_motion()) return {};
  if (model.simulation.integrator == IntegrationMethod::automatic)
    model.simulation.integrator = IntegrationMethod::generalized_alpha;
  std::vector<Model> members{model};
  if (inputs != nullptr) {
    const EnsembleInputs& ensemble = inputs->ensemble();
    std::vector<double> numbers(ensemble.slots.size());
    for (const std::uint64_t r :
         sample_realizations(*inputs, inputs->available(), most_realizations)) {
      ensemble.fill(r, numbers.data());
      Realization realization(model);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        realization.set(ensemble.slots[i], numbers[i]);
      excite(ensemble, r, realization);
      if (check(realization.model()).empty()) members.push_back(realization.model());
    }
  }
  FoundGrid found = find_grid(plan, members, search_options(threads, observer));
  model.simulation.grid = std::move(found.zones);
  plan = make_plan(compile(model));
  return found.warnings;
}

std::vector<std::string> settle_single_run(Model& model, Plan& plan, int threads,
                                           Observer& observer) {
  const bool open = model.simulation.integrator == IntegrationMethod::automatic &&
                    model.simulation.accuracy && model.simulation.has_motion();
  if (!open) return settle_time_grid(model, plan, nullptr, threads, observer);
  const auto candidate = [&](IntegrationMethod method) -> std::optional<Candidate> {
    try {
      return try_method(model, method, threads, observer);
    } catch (const SimulationError&) {
      if (method == IntegrationMethod::generalized_alpha) throw;
      return std::nullopt;
    }
  };
  std::optional<Candidate> best = candidate(IntegrationMethod::radau);
  const bool in_reach = *model.simulation.accuracy >= within_reach;
  if (!best || !best->found.fits || in_reach) {
    std::optional<Candidate> other = candidate(IntegrationMethod::generalized_alpha);
    if (!best || !best->better_than(*other)) best = std::move(other);
  }
  model.simulation.integrator = best->model.simulation.integrator;
  model.simulation.grid = std::move(best->found.zones);
  plan = make_plan(compile(model));
  return best->found.warnings;
}

std::string describe_time_grid(const Simulation& simulation) {
  if (simulation.grid.empty()) return {};
  const auto [smallest, largest] = std::ranges::minmax(simulation.grid, {}, &GridZone::step);
  return fmt::format("accuracy {:g}: {}steps of {:.4g} to {:.4g} s in {} zones\n",
                     simulation.accuracy.value_or(0.0),
                     simulation.integrator == IntegrationMethod::radau ? "by radau, " : "",
                     smallest.step, largest.step, simulation.grid.size());
}

}  // namespace tumble
