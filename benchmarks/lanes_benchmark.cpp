// Realisations per second of whole lane batches, for every width and for one and two threads.
//
//   cmake --preset release && cmake --build --preset release --target lanes_benchmark
//   build/release/bin/lanes_benchmark
//
// One iteration is eight realisations whatever the width: real_time is the wall time they take when
// all threads work, cpu_time what one thread spends on them. benchmarks/run makes tables of it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <mutex>

#include "lane_cases.hpp"

namespace tumble::benchmarks {
namespace {

constexpr int realizations_per_iteration = 8;

/// What the runs of all members of an ensemble take; the same on every machine.
struct LaneCounts {
  double iterations_per_step = 0, factorizations_per_step = 0;  ///< of a batch
  double failed = 0;                                            ///< fraction of the lanes
};

LaneCounts count(const LaneKernel& kernel, const LaneEnsemble& ensemble) {
  MemberBatch members(ensemble, kernel.width);
  LaneCounts counts;
  const std::size_t size = ensemble.members.size(), width = static_cast<std::size_t>(kernel.width);
  const double runs = static_cast<double>(size / width);
  for (std::size_t first = 0; first < size; first += width) {
    kernel.run(ensemble.plan, ensemble.schedule, members.at(first));
    const double steps = runs * static_cast<double>(ensemble.steps);
    counts.iterations_per_step += static_cast<double>(members.iterations()) / steps;
    counts.factorizations_per_step += static_cast<double>(members.factorizations()) / steps;
    counts.failed += static_cast<double>(members.failed()) / static_cast<double>(size);
  }
  return counts;
}

/// A case with the counts of its widths, all made when first asked for: a filter may leave it out.
class CountedCase {
 public:
  explicit CountedCase(const LaneCase& lane_case) : case_(lane_case) {}

  const LaneEnsemble& ensemble() {
    const std::lock_guard lock(making_);
    if (!ensemble_) ensemble_ = std::make_unique<LaneEnsemble>(case_.make());
    return *ensemble_;
  }
  const LaneCounts& counts(const LaneKernel& kernel) {
    const LaneEnsemble& members = ensemble();
    const std::lock_guard lock(making_);
    const auto found = counts_.find(kernel.width);
    return found != counts_.end() ? found->second : counts_[kernel.width] = count(kernel, members);
  }

 private:
  const LaneCase& case_;
  std::mutex making_;
  std::unique_ptr<LaneEnsemble> ensemble_;
  std::map<int, LaneCounts> counts_;
};

void run_lanes(benchmark::State& state, const LaneKernel& kernel, CountedCase& measured) {
  const LaneEnsemble& ensemble = measured.ensemble();
  const LaneCounts& counts = measured.counts(kernel);
  MemberBatch members(ensemble, kernel.width);
  const int batches = realizations_per_iteration / kernel.width;
  // Threads begin at different members, as they would in a study.
  std::size_t first = static_cast<std::size_t>(state.thread_index()) * 32;
  for (auto _ : state) {
    for (int i = 0; i < batches; ++i) {
      kernel.run(ensemble.plan, ensemble.schedule, members.at(first));
      first += static_cast<std::size_t>(kernel.width);
    }
  }
  const auto report = [&state](const char* name, double value) {
    state.counters[name] = benchmark::Counter(value, benchmark::Counter::kAvgThreads);
  };
  // A lane that fails ends early and is left to the scalar engine: it is no realisation of ours.
  report("realizations", realizations_per_iteration * (1 - counts.failed));
  report("width", kernel.width);
  report("iterations/step", counts.iterations_per_step);
  report("factorizations/step", counts.factorizations_per_step);
  report("failed", counts.failed);
}

void register_all() {
  for (const LaneCase& lane_case : lane_cases) {
    const auto measured = std::make_shared<CountedCase>(lane_case);
    for (const LaneKernel& kernel : available_lane_kernels()) {
      const std::string name =
          fmt::format("lanes/{}/W{}-{}", lane_case.name, kernel.width, kernel.instruction_set);
      benchmark::RegisterBenchmark(
          name.c_str(),
          [measured, kernel](benchmark::State& state) { run_lanes(state, kernel, *measured); })
          ->Threads(1)
          ->Threads(2)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace tumble::benchmarks

int main(int argc, char** argv) {
  tumble::benchmarks::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
