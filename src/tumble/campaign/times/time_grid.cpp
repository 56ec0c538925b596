#include "tumble/campaign/times/time_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/times/study_time_errors.hpp"
#include "tumble/integrate/accuracy/grid_search.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/model/parameters.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {
namespace {

constexpr std::size_t most_realizations = 8;

}  // namespace

std::vector<std::string> settle_time_grid(Model& model, Plan& plan, const StudyInputs* inputs,
                                          int threads, Observer& observer) {
  if (!model.simulation.accuracy || !model.simulation.has_motion()) return {};
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
  GridSearchOptions options;
  options.threads = worker_count(threads);
  options.check_interrupt = [&observer] { stop_if_cancelled(observer); };
  FoundGrid found = find_grid(plan, members, options);
  model.simulation.grid = std::move(found.zones);
  plan = make_plan(compile(model));
  return found.warnings;
}

std::string describe_time_grid(const Simulation& simulation) {
  if (simulation.grid.empty()) return {};
  const auto [smallest, largest] = std::ranges::minmax(simulation.grid, {}, &GridZone::step);
  return fmt::format("accuracy {:g}: steps of {:.4g} to {:.4g} s in {} zones\n",
                     simulation.accuracy.value_or(0.0), smallest.step, largest.step,
                     simulation.grid.size());
}

}  // namespace tumble
