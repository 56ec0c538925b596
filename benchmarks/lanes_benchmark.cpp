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

void run_lanes(benchmark::State& state, const LaneKernel& kernel, const LaneEnsemble& ensemble) {
  MemberBatch members(ensemble, kernel.width);
  const int batches = realizations_per_iteration / kernel.width;
  // Threads begin at different members, as they would in a study.
  std::size_t first = static_cast<std::size_t>(state.thread_index()) * 32;
  long iterations = 0, factorizations = 0, runs = 0;
  for (auto _ : state) {
    for (int i = 0; i < batches; ++i) {
      kernel.run(ensemble.plan, ensemble.schedule, members.at(first));
      first += static_cast<std::size_t>(kernel.width);
      iterations += members.iterations();
      factorizations += members.factorizations();
      ++runs;
      if (members.any_failed()) {
        state.SkipWithError("a lane failed");
        return;
      }
    }
  }
  const auto average = benchmark::Counter::kAvgThreads;
  const double steps = static_cast<double>(runs * ensemble.steps);
  state.counters["realizations"] = benchmark::Counter(realizations_per_iteration, average);
  state.counters["width"] = benchmark::Counter(kernel.width, average);
  state.counters["steps"] = benchmark::Counter(static_cast<double>(ensemble.steps), average);
  state.counters["iterations/step"] =
      benchmark::Counter(static_cast<double>(iterations) / steps, average);
  state.counters["factorizations/step"] =
      benchmark::Counter(static_cast<double>(factorizations) / steps, average);
}

/// Made when first asked for, because a filter may leave the case out.
class Ensembles {
 public:
  const LaneEnsemble& of(const LaneCase& wanted) {
    const std::lock_guard lock(making_);
    auto& ensemble = made_[wanted.name];
    if (!ensemble) ensemble = std::make_unique<LaneEnsemble>(wanted.make());
    return *ensemble;
  }

 private:
  std::mutex making_;
  std::map<std::string, std::unique_ptr<LaneEnsemble>> made_;
};

void register_all(Ensembles& ensembles) {
  for (const LaneCase& lane_case : lane_cases)
    for (const LaneKernel& kernel : available_lane_kernels()) {
      const std::string name =
          fmt::format("lanes/{}/W{}-{}", lane_case.name, kernel.width, kernel.instruction_set);
      benchmark::RegisterBenchmark(name.c_str(),
                                   [&ensembles, &lane_case, kernel](benchmark::State& state) {
                                     run_lanes(state, kernel, ensembles.of(lane_case));
                                   })
          ->Threads(1)
          ->Threads(2)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
}

}  // namespace
}  // namespace tumble::benchmarks

int main(int argc, char** argv) {
  tumble::benchmarks::Ensembles ensembles;
  tumble::benchmarks::register_all(ensembles);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
