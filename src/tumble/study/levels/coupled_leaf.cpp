#include "tumble/study/levels/coupled_leaf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "tumble/study/leaf_runner.hpp"

namespace tumble {
namespace {

/// One thread's means to run machines on the grid of one level.
class GridRunner {
 public:
  GridRunner(const EnsembleSetup& setup, const LevelGrid& grid, std::size_t wanted)
      : setup_(setup),
        grid_(grid),
        wanted_(wanted),
        runner_(setup),
        quantities_(grid.quantities, setup.schedule.outputs, setup.layout->numbers()) {}

  struct Ended {
    RealizationOutcome outcome;
    std::vector<double> inputs;
    std::vector<QuantityValue> quantities;
  };

  /// The machines with these numbers, in their order.
  std::vector<Ended> run(const std::vector<std::uint64_t>& draws) {
    std::vector<Ended> all;
    for (std::size_t done = 0; done < draws.size();) {
      const std::size_t count = std::min(setup_.group(), draws.size() - done);
      runner_.run_group(&draws[done], count);
      for (std::size_t i = 0; i < count; ++i) {
        const LeafRunner::Ended& one = runner_.ended(i);
        Ended& kept = all.emplace_back();
        kept.outcome = one.outcome;
        kept.inputs = one.inputs;
        kept.quantities = quantities_.evaluate(one.values.data(), one.valid_times, one.breaks, {},
                                               LeafRunner::events_of(one));
        const double value = kept.quantities[wanted_].value;
        if (kept.outcome.status == RealizationStatus::ok &&
            !(std::fabs(value) <= largest_usable_value)) {
          kept.outcome.status = RealizationStatus::failed;
          kept.outcome.failure_time = setup_.schedule.outputs.back();
          kept.outcome.reason =
              fmt::format("the quantity '{}' has no finite value", grid_.quantities[wanted_].name);
        }
      }
      done += count;
    }
    return all;
  }

 private:
  const EnsembleSetup& setup_;
  const LevelGrid& grid_;
  std::size_t wanted_;
  LeafRunner runner_;
  QuantityEvaluator quantities_;
};

class CoupledRunner {
 public:
  CoupledRunner(const std::vector<std::unique_ptr<EnsembleSetup>>& setups,
                const std::vector<LevelGrid>& grids, std::size_t wanted)
      : setups_(setups), grids_(grids), wanted_(wanted), runners_(grids.size()) {}

  LeafResult run(const LeafTask& task) {
    const auto start = std::chrono::steady_clock::now();
    const LevelLeaves leaves{grids_.size()};
    const std::size_t level = leaves.level_of(task.leaf);
    std::vector<std::uint64_t> draws(LevelLeaves::pairs(level));
    std::iota(draws.begin(), draws.end(), LevelLeaves::draw(level, task.leaf, 0));
    std::vector<std::vector<GridRunner::Ended>> runs{runner(level).run(draws)};
    if (level > 0) runs.push_back(runner(level - 1).run(draws));

    LeafBuilder builder(coupled_layout(), {}, task.leaf);
    LeafRecord record;
    record.leaf = task.leaf;
    record.input_count = grids_[level].inputs.slots.size();
    std::uint64_t failed = 0;
    for (std::size_t pair = 0; pair < draws.size(); ++pair)
      for (std::vector<GridRunner::Ended>& grid : runs) {
        GridRunner::Ended& one = grid[pair];
        const bool ok = one.outcome.status == RealizationStatus::ok;
        const double value = ok ? one.quantities[wanted_].value : 0;
        builder.add(&value, 1, ok ? 1 : 0);
        failed += ok ? 0 : 1;
        record.inputs.insert(record.inputs.end(), one.inputs.begin(), one.inputs.end());
        record.quantities.insert(record.quantities.end(), one.quantities.begin(),
                                 one.quantities.end());
        record.outcomes.push_back(std::move(one.outcome));
      }
    LeafStatistics reduced = builder.take_statistics();
    record.summaries = builder.take_summaries();
    const EnsembleOptions& options = setups_.front()->options;
    if (options.progress) options.progress(record.realizations(), failed);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    return {std::move(record), std::move(reduced), {spent.count(), 0}};
  }

 private:
  GridRunner& runner(std::size_t level) {
    if (!runners_[level])
      runners_[level] = std::make_unique<GridRunner>(*setups_[level], grids_[level], wanted_);
    return *runners_[level];
  }

  const std::vector<std::unique_ptr<EnsembleSetup>>& setups_;
  const std::vector<LevelGrid>& grids_;
  std::size_t wanted_;
  std::vector<std::unique_ptr<GridRunner>> runners_;  ///< by level, once they are needed
};

}  // namespace

LayoutPointer coupled_layout() {
  static const LayoutPointer layout =
      std::make_shared<const StatisticsLayout>(1, std::vector<std::uint32_t>{1});
  return layout;
}

LeafWorkers coupled_workers(const std::vector<LevelGrid>& grids, std::size_t wanted,
                            const EnsembleOptions& options) {
  auto setups = std::make_shared<std::vector<std::unique_ptr<EnsembleSetup>>>();
  for (const LevelGrid& grid : grids)
    setups->push_back(std::make_unique<EnsembleSetup>(grid.plan, grid.inputs, options));
  return [setups, &grids, wanted]() -> LeafWork {
    const auto runner = std::make_shared<CoupledRunner>(*setups, grids, wanted);
    return [setups, runner](const LeafTask& task) { return runner->run(task); };
  };
}

}  // namespace tumble
