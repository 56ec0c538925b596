// Factorisation and solution of the five-body matrix in lanes, compiled for AVX2: W = 8 is two
// registers wide here. Times are per batch.
//
//   cmake --build --preset release --target solve_benchmark && build/release/bin/solve_benchmark
#include <benchmark/benchmark.h>

#include "source_directory.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/integrate/step/kkt_solver.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/math/batch.hpp"
#include "tumble/model/compile.hpp"

namespace tumble {
namespace {

/// Newton's matrix at the start of the example, the same numbers in every lane.
template <class S>
struct FiveBodyMatrix {
  FiveBodyMatrix() {
    const auto path = std::string(source_directory) + "/examples/batou-soize-2012/nominal.yaml";
    const Model model = read_model(path, {}).model;
    plan = make_plan(compile(model));
    const System& system = *plan.system;
    const auto constants = prepare(system, model);
    const auto initial = initial_state(system, model);
    const std::vector<double> zero(static_cast<std::size_t>(system.nv + system.nc), 0.0);
    Workspace<double> w(system);
    update_drives(system, constants.data(), 0.0, 5e-6, w);
    update_bodies(system, initial.q.data(), initial.v.data(), w);
    tangent(system, constants.data(), zero.data(), zero.data(), w);
    std::vector<double> matrix(static_cast<std::size_t>(system.pattern.nonzeros()));
    assemble_kkt<double>(system, w, 1e-5, 1e-10, nullptr, matrix.data());
    values.assign(matrix.begin(), matrix.end());
    factor.resize(static_cast<std::size_t>(plan.elimination->factor_size));
    x.assign(static_cast<std::size_t>(system.pattern.n), S(1.0));
    scratch = x;
    factorize(*plan.elimination, values.data(), factor.data());
  }
  Plan plan;
  std::vector<S> values, factor, x, scratch;
};

template <class S>
void BM_Factor(benchmark::State& state) {
  FiveBodyMatrix<S> m;
  for (auto _ : state) {
    auto degraded = factorize(*m.plan.elimination, m.values.data(), m.factor.data());
    benchmark::DoNotOptimize(degraded);
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Factor<double>);
BENCHMARK(BM_Factor<Batch<4>>);
BENCHMARK(BM_Factor<Batch<8>>);

template <class S>
void BM_Solve(benchmark::State& state) {
  FiveBodyMatrix<S> m;
  const std::vector<S> rhs = m.x;
  for (auto _ : state) {
    solve(*m.plan.elimination, m.factor.data(), rhs.data(), m.x.data(), m.scratch.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_Solve<double>);
BENCHMARK(BM_Solve<Batch<4>>);
BENCHMARK(BM_Solve<Batch<8>>);

}  // namespace
}  // namespace tumble
