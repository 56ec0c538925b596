// Where the time of a realisation goes: each part of a step by itself, for every width, with how
// often a run calls it and how many floating-point operations it takes.
//
//   cmake --preset release && cmake --build --preset release --target parts_benchmark
//   build/release/bin/parts_benchmark
//
// cpu_time is that of one call. benchmarks/run multiplies and makes tables of it.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "lane_cases.hpp"
#include "operation_count.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble::benchmarks {
namespace {

/// One case at one width.
struct Setting {
  std::shared_ptr<const LaneEnsemble> ensemble;
  std::shared_ptr<const OperationCount> operations;
  LaneKernel lanes;
  PartsKernel parts;
};

PartsKernel parts_of(const LaneKernel& kernel) {
  return std::string(kernel.instruction_set) == "avx512" ? avx512_parts_kernel()
                                                         : avx2_parts_kernel(kernel.width);
}

const char* name_of(Part part) {
  switch (part) {
    case Part::restart:
      return "restart";
    case Part::drives:
      return "drives";
    case Part::update_bodies:
      return "update_bodies";
    case Part::compose:
      return "compose";
    case Part::residual:
      return "residual";
    case Part::jacobian:
      return "jacobian";
    case Part::jacobian_and_factor:
      return "jacobian_and_factor";
    case Part::solve:
      return "solve";
    case Part::probes:
      return "probes";
  }
  return "";
}

/// How often BasicIntegrator calls a part in a run, restarts and start left out.
long calls_of(Part part, const RunCounts& run) {
  switch (part) {
    case Part::restart:
      return run.restarts;
    case Part::drives:
      return run.steps;
    case Part::compose:  // the prediction, then every iteration
      return run.steps + run.iterations;
    case Part::update_bodies:
    case Part::residual:
    case Part::solve:
      return run.iterations;
    case Part::jacobian:
    case Part::jacobian_and_factor:
      return run.factorizations;
    case Part::probes:
      return run.outputs;
  }
  return 0;
}

void report(benchmark::State& state, int width, double calls, double operations) {
  state.counters["width"] = width;
  state.counters["calls"] = calls;
  state.counters["operations"] = operations;
}

void measure_part(benchmark::State& state, const Setting& setting, Part part) {
  MemberBatch members(*setting.ensemble, setting.parts.width);
  RunCounts run;
  void* runner =
      setting.parts.make(setting.ensemble->plan, setting.ensemble->schedule, members.at(0), run);
  constexpr long calls = 16;  // in a row, so that crossing the border costs nothing
  while (state.KeepRunningBatch(calls)) setting.parts.run(runner, part, calls);
  setting.parts.destroy(runner);
  report(state, setting.parts.width, static_cast<double>(calls_of(part, run)),
         static_cast<double>(setting.operations->part.at(part)));
}

void measure_run(benchmark::State& state, const Setting& setting) {
  MemberBatch members(*setting.ensemble, setting.lanes.width);
  const auto runner = setting.lanes.runner(setting.ensemble->plan, setting.ensemble->schedule);
  for (auto _ : state) runner->run(members.at(0));
  report(state, setting.lanes.width, 1, static_cast<double>(setting.operations->run));
}

/// What a study does with a realisation after its run, all values kept for exact quantiles.
void measure_statistics(benchmark::State& state, const LaneEnsemble& ensemble) {
  const LaneKernel* kernel = find_lane_kernel(0);
  MemberBatch members(ensemble, kernel->width);
  const LaneBatch batch = members.at(0);
  kernel->runner(ensemble.plan, ensemble.schedule)->run(batch);
  const LayoutPointer layout = statistics_layout(*ensemble.plan.system);
  while (state.KeepRunningBatch(static_cast<long>(realizations_per_leaf))) {
    LeafBuilder builder(layout, {0, true}, 0);
    for (std::size_t i = 0; i < realizations_per_leaf; ++i) {
      const double* values = batch.values[i % static_cast<std::size_t>(kernel->width)];
      benchmark::DoNotOptimize(usable_times(*layout, values, 1, layout->times()));
      builder.add(values, 1, layout->times());
    }
    benchmark::DoNotOptimize(builder.statistics());
  }
  report(state, 1, 1, 0);
}

/// What a study does with the numbers of a realisation before its run.
void measure_preparation(benchmark::State& state, const LaneEnsemble& ensemble) {
  const System& system = *ensemble.plan.system;
  for (auto _ : state) {
    benchmark::DoNotOptimize(check(system.nominal));
    benchmark::DoNotOptimize(prepare(system, system.nominal));
    benchmark::DoNotOptimize(probe_offsets(system, system.nominal));
    benchmark::DoNotOptimize(initial_state(system, system.nominal));
  }
  report(state, 1, 1, 0);
}

void measure_peak(benchmark::State& state, const PartsKernel& kernel) {
  constexpr long repetitions = 1000;
  double operations = 0;
  for (auto _ : state) operations = kernel.multiply_adds(repetitions);
  report(state, kernel.width, 1, operations);
}

void register_case(const LaneCase& lane_case) {
  const auto ensemble = std::make_shared<const LaneEnsemble>(lane_case.make());
  MemberBatch first(*ensemble, 1);
  const auto operations = std::make_shared<const OperationCount>(
      count_operations(ensemble->plan, ensemble->schedule, first.at(0)));
  const auto add = [](const std::string& name, auto&& function) {
    benchmark::RegisterBenchmark(name.c_str(), function)->Unit(benchmark::kNanosecond);
  };
  for (const LaneKernel& kernel : available_lane_kernels()) {
    const Setting setting{ensemble, operations, kernel, parts_of(kernel)};
    const std::string name =
        fmt::format("parts/{}/W{}-{}/", lane_case.name, kernel.width, kernel.instruction_set);
    add(name + "run", [setting](benchmark::State& state) { measure_run(state, setting); });
    for (const Part part : all_parts)
      add(name + name_of(part),
          [setting, part](benchmark::State& state) { measure_part(state, setting, part); });
  }
  const std::string any_width = fmt::format("parts/{}/any/", lane_case.name);
  add(any_width + "statistics",
      [ensemble](benchmark::State& state) { measure_statistics(state, *ensemble); });
  add(any_width + "preparation",
      [ensemble](benchmark::State& state) { measure_preparation(state, *ensemble); });
}

void register_all() {
  for (const LaneKernel& kernel : available_lane_kernels())
    benchmark::RegisterBenchmark(
        fmt::format("peak/W{}-{}", kernel.width, kernel.instruction_set).c_str(),
        [parts = parts_of(kernel)](benchmark::State& state) { measure_peak(state, parts); });
  for (const LaneCase& lane_case : lane_cases)
    if (std::string(lane_case.name) == "five-body" || std::string(lane_case.name) == "chain-5")
      register_case(lane_case);
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
