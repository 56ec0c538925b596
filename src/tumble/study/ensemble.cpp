#include "tumble/study/ensemble.hpp"

#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/study/leaf_runner.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {

std::vector<LeafTask> leaf_tasks(std::uint64_t realizations) {
  std::vector<LeafTask> tasks;
  for (std::uint64_t first = 0; first < realizations; first += realizations_per_leaf)
    tasks.push_back(
        {first / realizations_per_leaf, std::min(realizations_per_leaf, realizations - first)});
  return tasks;
}

LayoutPointer statistics_layout(const System& system) {
  std::vector<std::uint32_t> sizes;
  for (const ProbeSeries& series : make_series(system.nominal))
    sizes.push_back(static_cast<std::uint32_t>(series.size));
  return std::make_shared<const StatisticsLayout>(
      make_schedule(system, system.nominal).outputs.size(), std::move(sizes));
}

bool run_ensemble(const Plan& plan, const EnsembleInputs& inputs, std::span<const LeafTask> tasks,
                  const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit) {
  const EnsembleSetup setup(plan, inputs, options);
  // Each worker takes the next leaf: the tree of statistics then waits for few siblings.
  std::atomic<std::size_t> next{0}, finished{0};
  std::atomic<bool> broken{false};
  const auto work = [&] {
    try {
      std::optional<LeafRunner> runner;
      while (!broken && !(options.stop && options.stop())) {
        const std::size_t i = next++;
        if (i >= tasks.size()) return;
        if (!runner) runner.emplace(setup);
        commit(runner->run(tasks[i]));
        ++finished;
      }
    } catch (...) {
      broken = true;
      throw;
    }
  };
  with_workers(options.threads, [&] {
    oneapi::tbb::task_group group;
    const auto workers =
        std::min(static_cast<std::size_t>(worker_count(options.threads)), tasks.size());
    for (std::size_t i = 1; i < workers; ++i) group.run(work);
    group.run_and_wait(work);
  });
  return finished == tasks.size();
}

SingleRealization run_realization(const Plan& plan, const EnsembleInputs& inputs,
                                  std::uint64_t realization) {
  EnsembleOptions options;
  options.width = 1;
  const EnsembleSetup setup(plan, inputs, options);
  LeafRunner runner(setup);
  runner.run_group(realization, 1);
  const LeafRunner::Ended& ended = runner.ended(0);
  return {ended.outcome, ended.valid_times, ended.inputs, ended.values};
}

}  // namespace tumble
