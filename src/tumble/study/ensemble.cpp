#include "tumble/study/ensemble.hpp"

#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "tumble/integrate/probe_recorder.hpp"
#include "tumble/study/leaf_runner.hpp"
#include "tumble/study/workers.hpp"

namespace tumble {

LeafSource leaf_source(std::uint64_t realizations, std::function<bool(const LeafTask&)> finished) {
  return leaf_source(0, realizations, std::move(finished));
}

LeafSource leaf_source(std::uint64_t begin, std::uint64_t end,
                       std::function<bool(const LeafTask&)> finished) {
  return [end, finished = std::move(finished),
          next = std::make_shared<std::atomic<std::uint64_t>>(
              begin / realizations_per_leaf)]() -> std::optional<LeafTask> {
    while (true) {
      const std::uint64_t leaf = (*next)++;
      const std::uint64_t first = leaf * realizations_per_leaf;
      if (first >= end) return std::nullopt;
      const LeafTask task{leaf, std::min(realizations_per_leaf, end - first)};
      if (!finished || !finished(task)) return task;
    }
  };
}

LayoutPointer statistics_layout(const System& system) {
  std::vector<std::uint32_t> sizes;
  for (const ProbeSeries& series : make_series(system.nominal))
    sizes.push_back(static_cast<std::uint32_t>(series.size));
  return std::make_shared<const StatisticsLayout>(
      make_schedule(system, system.nominal).outputs.size(), std::move(sizes));
}

void excite(const EnsembleInputs& inputs, std::uint64_t realization, Realization& numbers) {
  if (!inputs.excite) return;
  std::vector<double> germs(numbers.germs());
  inputs.excite(realization, germs.data());
  numbers.excite(germs);
}

bool run_ensemble(const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                  const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit) {
  run_leaves(plan, inputs, next, options, commit);
  return !next();
}

namespace {

LeafWorkers workers_of(std::shared_ptr<const EnsembleSetup> setup) {
  return [setup = std::move(setup)]() -> LeafWork {
    const auto runner = std::make_shared<LeafRunner>(*setup);
    return [setup, runner](const LeafTask& task) { return runner->run(task); };
  };
}

}  // namespace

LeafWorkers leaf_workers(const Plan& plan, const EnsembleInputs& inputs,
                         const EnsembleOptions& options) {
  return workers_of(std::make_shared<const EnsembleSetup>(plan, inputs, options));
}

void run_leaves(const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit) {
  auto setup = std::make_shared<const EnsembleSetup>(plan, inputs, options);
  EnsembleOptions of_all = options;
  of_all.threads = setup->threads();
  run_leaves(workers_of(std::move(setup)), next, of_all, commit);
}

void run_leaves(const LeafWorkers& workers, const LeafSource& next, const EnsembleOptions& options,
                const std::function<void(LeafResult&&)>& commit) {
  std::atomic<bool> broken{false};
  const auto work = [&] {
    try {
      LeafWork compute;
      while (!broken && !(options.stop && options.stop())) {
        const std::optional<LeafTask> task = next();
        if (!task) return;
        if (task->is_pause()) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          continue;
        }
        if (!compute) compute = workers();
        commit(compute(*task));
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
  runner.run_group(&realization, 1);
  const LeafRunner::Ended& ended = runner.ended(0);
  return {ended.outcome, ended.valid_times, ended.inputs, ended.values};
}

}  // namespace tumble
