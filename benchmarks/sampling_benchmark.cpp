// Cost of random inputs: what drawing takes of a study of case 4 of Batou & Soize (2012), in which
// mass, centre of mass and inertia of a body are random.
//
//   cmake --preset release && cmake --build --preset release --target sampling_benchmark
//   build/release/bin/sampling_benchmark
#include <benchmark/benchmark.h>

#include <ctime>

#include "source_directory.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble {
namespace {

constexpr std::uint64_t realizations = 512;

ModelFile case4() {
  return read_model(std::string(source_directory) + "/examples/batou-soize-2012/case4.yaml");
}

RandomInputs inputs_of(const ModelFile& file) {
  return RandomInputs(file.model, *file.uncertainty, {.seed = 1, .realizations = realizations});
}

void draw_all(const RandomInputs& inputs) {
  std::vector<double> values(inputs.slots().size());
  for (std::uint64_t i = 0; i < realizations; ++i) {
    inputs.fill(i, values.data());
    benchmark::DoNotOptimize(values.data());
    benchmark::ClobberMemory();
  }
}

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Processor time of all draws: the least of several passes.
double drawing_seconds(const RandomInputs& inputs) {
  double least = 1e9;
  for (int pass = 0; pass < 10; ++pass) {
    const double start = processor_seconds();
    draw_all(inputs);
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

/// Once a study: solving for the multipliers of the laws.
void solve_laws(benchmark::State& state) {
  const ModelFile file = case4();
  for (auto _ : state) benchmark::DoNotOptimize(inputs_of(file));
}

void draw(benchmark::State& state) {
  const ModelFile file = case4();
  const RandomInputs inputs = inputs_of(file);
  for (auto _ : state) draw_all(inputs);
  state.counters["realizations"] = realizations;
}

/// All realisations on one thread in the widest lanes, from their draws to their statistics. The
/// counter `sampling` is the share of the draws.
void run_study(benchmark::State& state) {
  const ModelFile file = case4();
  const RandomInputs inputs = inputs_of(file);
  const Plan plan = rehearse(make_plan(compile(file.model)));
  EnsembleOptions options;
  options.threads = 1;
  const EnsembleInputs ensemble{inputs.slots(),
                                [&](std::uint64_t i, double* values) { inputs.fill(i, values); }};
  const double drawing = drawing_seconds(inputs);
  const double start = processor_seconds();
  for (auto _ : state)
    run_ensemble(plan, ensemble, leaf_source(realizations), options,
                 [](LeafResult&& leaf) { benchmark::DoNotOptimize(leaf); });
  const double whole = (processor_seconds() - start) / static_cast<double>(state.iterations());
  state.counters["realizations"] = realizations;
  state.counters["sampling"] = drawing / whole;
}

BENCHMARK(solve_laws)->Name("sampling/laws")->Unit(benchmark::kMillisecond);
BENCHMARK(draw)->Name("sampling/draws")->Unit(benchmark::kMillisecond);
BENCHMARK(run_study)
    ->Name("sampling/study")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime();

}  // namespace
}  // namespace tumble
