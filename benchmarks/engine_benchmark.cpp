// Speed of one realisation: whole runs, and the parts of a step.
//
//   cmake --preset release && cmake --build --preset release --target engine_benchmark
//   build/release/bin/engine_benchmark
#include <benchmark/benchmark.h>

#include "models.hpp"
#include "tumble/integrate/run.hpp"
#include "tumble/integrate/step/integrator.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

/// Whole runs of a planned model; reports steps per second and what a step took.
void run_model(benchmark::State& state, const Model& model) {
  const Plan plan = make_plan(compile(model));
  RunStatistics statistics;
  for (auto _ : state) statistics = run(plan, model).statistics;
  const auto steps = static_cast<double>(statistics.steps);
  state.counters["steps/s"] =
      benchmark::Counter(steps, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["steps"] = steps;
  state.counters["iterations/step"] = static_cast<double>(statistics.iterations) / steps;
  state.counters["factorizations"] = static_cast<double>(statistics.factorizations);
}

// 3000 steps of 1e-5 s, and those the engine adds after the four kinks.
void BM_FiveBodyRun(benchmark::State& state) { run_model(state, benchmarks::five_body()); }
BENCHMARK(BM_FiveBodyRun)->Unit(benchmark::kMillisecond);

void BM_PendulumRun(benchmark::State& state) { run_model(state, benchmarks::pendulum(10, 1e-3)); }
BENCHMARK(BM_PendulumRun)->Unit(benchmark::kMillisecond);

void BM_ChainRun(benchmark::State& state) {
  run_model(state, benchmarks::chain(static_cast<int>(state.range(0)), 1, 1e-3));
}
BENCHMARK(BM_ChainRun)->Arg(5)->Arg(50)->Unit(benchmark::kMillisecond);

/// The parts of a step on the five-body model at its start.
class FiveBodyParts : public benchmark::Fixture {
 public:
  void SetUp(const benchmark::State&) override {
    model = benchmarks::five_body();
    plan = make_plan(compile(model));
    const System& s = *plan.system;
    constants = prepare(s, model);
    initial = initial_state(s, model);
    w = std::make_unique<Workspace<double>>(s);
    solver = std::make_unique<KktSolver<double>>(plan);
    zero_v.assign(static_cast<std::size_t>(s.nv), 0.0);
    zero_lambda.assign(static_cast<std::size_t>(s.nc), 0.0);
    residuals.assign(static_cast<std::size_t>(s.nv + s.nc), 0.0);
    update_drives(s, constants.data(), 0.0, 5e-6, *w);
    update_bodies(s, initial.q.data(), initial.v.data(), *w);
    tangent(s, constants.data(), zero_v.data(), zero_lambda.data(), *w);
    solver->factor(*w, 1e-5, 1e-10, nullptr, 0, true);
  }
  Model model;
  Plan plan;
  std::vector<double> constants, zero_v, zero_lambda, residuals;
  InitialState initial;
  std::unique_ptr<Workspace<double>> w;
  std::unique_ptr<KktSolver<double>> solver;
};

BENCHMARK_F(FiveBodyParts, Residual)(benchmark::State& state) {
  for (auto _ : state) {
    update_bodies(*plan.system, initial.q.data(), initial.v.data(), *w);
    residual(*plan.system, constants.data(), zero_v.data(), zero_lambda.data(), *w,
             residuals.data());
    benchmark::DoNotOptimize(residuals.data());
  }
}

BENCHMARK_F(FiveBodyParts, Tangent)(benchmark::State& state) {
  for (auto _ : state) {
    tangent(*plan.system, constants.data(), zero_v.data(), zero_lambda.data(), *w);
    benchmark::DoNotOptimize(w->K.data());
  }
}

BENCHMARK_F(FiveBodyParts, Factor)(benchmark::State& state) {
  for (auto _ : state) solver->factor(*w, 1e-5, 1e-10, nullptr, 0, true);
}

BENCHMARK_F(FiveBodyParts, Solve)(benchmark::State& state) {
  for (auto _ : state) {
    solver->solve(residuals.data(), residuals.data());
    benchmark::DoNotOptimize(residuals.data());
  }
}

void BM_CompileAndPlanFiveBody(benchmark::State& state) {
  const Model model = benchmarks::five_body();
  for (auto _ : state) benchmark::DoNotOptimize(make_plan(compile(model)));
}
BENCHMARK(BM_CompileAndPlanFiveBody)->Unit(benchmark::kMillisecond);

void BM_PrepareFiveBody(benchmark::State& state) {
  const auto system = compile(benchmarks::five_body());
  for (auto _ : state) benchmark::DoNotOptimize(prepare(*system, system->nominal));
}
BENCHMARK(BM_PrepareFiveBody)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tumble

BENCHMARK_MAIN();
