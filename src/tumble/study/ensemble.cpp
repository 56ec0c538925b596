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
  // In this order: the tree of statistics then waits for few siblings.
  std::atomic<std::size_t> taken{0}, finished{0};
  const auto next = [&]() -> std::optional<LeafTask> {
    const std::size_t i = taken++;
    if (i >= tasks.size()) return std::nullopt;
    return tasks[i];
  };
  EnsembleOptions limited = options;
  limited.threads = static_cast<int>(std::clamp<std::size_t>(
      tasks.size(), 1, static_cast<std::size_t>(worker_count(options.threads))));
  run_leaves(plan, inputs, next, limited, [&](LeafResult&& leaf) {
    commit(std::move(leaf));
    ++finished;
  });
  return finished == tasks.size();
}

void run_leaves(const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit) {
  const EnsembleSetup setup(plan, inputs, options);
  std::atomic<bool> broken{false};
  const auto work = [&] {
    try {
      std::optional<LeafRunner> runner;
      while (!broken && !(options.stop && options.stop())) {
        const std::optional<LeafTask> task = next();
        if (!task) return;
        if (!runner) runner.emplace(setup);
        commit(runner->run(*task));
      }
    } catch (...) {
      broken = true;
      throw;
    }
  };
  with_workers(options.threads, [&] {
    oneapi::tbb::task_group group;
    for (int i = 1; i < worker_count(options.threads); ++i) group.run(work);
    group.run_and_wait(work);
  });
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
