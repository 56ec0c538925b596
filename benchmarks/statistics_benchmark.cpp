// Cost of statistics per realisation: 301 output times and 21 numbers, as in the five-body study.
//
//   cmake --preset release && cmake --build --preset release --target statistics_benchmark
//   build/release/bin/statistics_benchmark
#include <benchmark/benchmark.h>

#include <algorithm>

#include "tumble/study/leaf_builder.hpp"
#include "tumble/study/quantiles/stored_values.hpp"
#include "tumble/study/statistics/statistics_tree.hpp"

namespace tumble {
namespace {

constexpr std::size_t lanes = 8;

/// Seven quantities of three components.
LayoutPointer five_body_layout() {
  return std::make_shared<const StatisticsLayout>(301, std::vector<std::uint32_t>(7, 3));
}

/// One leaf's worth of realisations as the engine leaves them: packs of interleaved lanes.
std::vector<double> make_packs(const StatisticsLayout& layout) {
  std::vector<double> values(realizations_per_leaf * layout.row());
  std::uint64_t state = 1;
  for (double& x : values) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    x = static_cast<double>(state >> 11) * 0x1p-53;
  }
  return values;
}

LeafBuilder fill(const LayoutPointer& layout, StatisticsOptions options, std::uint64_t leaf,
                 const std::vector<double>& packs) {
  LeafBuilder builder(layout, options, leaf);
  for (std::size_t i = 0; i < realizations_per_leaf; ++i)
    builder.add(packs.data() + i / lanes * lanes * layout->row() + i % lanes, lanes,
                layout->times());
  return builder;
}

void report_realizations(benchmark::State& state, std::uint64_t per_iteration) {
  // Seconds per realisation, printed with a unit: 10u is ten microseconds.
  state.counters["s/realization"] = benchmark::Counter(
      static_cast<double>(per_iteration),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A whole study of 4096 realisations, all merges included; the argument is the size of the
/// sketches, 0 for moments only.
void BM_Study(benchmark::State& state) {
  const LayoutPointer layout = five_body_layout();
  const std::vector<double> packs = make_packs(*layout);
  const StatisticsOptions options{static_cast<std::uint32_t>(state.range(0)), false};
  constexpr std::uint64_t leaves = 64;
  std::size_t bytes = 0;
  for (auto _ : state) {
    StatisticsTree tree;
    bytes = 0;
    for (std::uint64_t k = 0; k < leaves; ++k) {
      tree.add(k, fill(layout, options, k, packs).statistics());
      bytes = std::max(bytes, tree.bytes());
    }
    benchmark::DoNotOptimize(tree.finish(leaves * realizations_per_leaf));
  }
  report_realizations(state, leaves * realizations_per_leaf);
  state.counters["tree MB"] = static_cast<double>(bytes) / 1e6;
}
BENCHMARK(BM_Study)->Arg(0)->Arg(64)->Arg(128)->Arg(256)->Unit(benchmark::kMillisecond);

/// The leaf alone: reading the lanes, moments, sorting.
void BM_Leaf(benchmark::State& state) {
  const LayoutPointer layout = five_body_layout();
  const std::vector<double> packs = make_packs(*layout);
  const StatisticsOptions options{static_cast<std::uint32_t>(state.range(0)), false};
  for (auto _ : state) benchmark::DoNotOptimize(fill(layout, options, 0, packs).statistics());
  report_realizations(state, realizations_per_leaf);
}
BENCHMARK(BM_Leaf)->Arg(0)->Arg(256)->Unit(benchmark::kMillisecond);

/// What a journal adds: a node to bytes and back.
void BM_Serialize(benchmark::State& state) {
  const LayoutPointer layout = five_body_layout();
  const LeafStatistics leaf = fill(layout, {}, 0, make_packs(*layout)).statistics();
  for (auto _ : state)
    benchmark::DoNotOptimize(LeafStatistics::deserialize(leaf.serialize(), layout));
  state.counters["kB"] = static_cast<double>(leaf.serialize().size()) / 1e3;
}
BENCHMARK(BM_Serialize)->Unit(benchmark::kMillisecond);

/// Exact quantiles of 512 stored realisations: three probabilities.
void BM_ExactQuantiles(benchmark::State& state) {
  const LayoutPointer layout = five_body_layout();
  const std::vector<double> packs = make_packs(*layout);
  StoredValues stored(layout);
  for (std::uint64_t k = 0; k < 8; ++k)
    stored.add(k, *fill(layout, {0, true}, k, packs).take_values());
  const double p[] = {0.05, 0.5, 0.95};
  std::vector<double> q(layout->row() * 3);
  for (auto _ : state) {
    stored.quantiles(0, layout->times(), p, q.data());
    benchmark::DoNotOptimize(q.data());
  }
  report_realizations(state, 512);
}
BENCHMARK(BM_ExactQuantiles)->Unit(benchmark::kMillisecond);

/// Quantiles from the sketches of a node: three probabilities of all numbers.
void BM_SketchQuantiles(benchmark::State& state) {
  const LayoutPointer layout = five_body_layout();
  const std::vector<double> packs = make_packs(*layout);
  StatisticsTree tree;
  for (std::uint64_t k = 0; k < 37; ++k)
    tree.add(k, fill(layout, {256, false}, k, packs).statistics());
  const LeafStatistics node = tree.finish(37 * realizations_per_leaf);
  const double p[] = {0.05, 0.5, 0.95};
  double q[3];
  for (auto _ : state) {
    for (std::size_t t = 0; t < layout->times(); ++t)
      for (std::size_t i = 0; i < layout->numbers(); ++i) node.sketch()->quantiles(t, i, p, q);
    benchmark::DoNotOptimize(q);
  }
}
BENCHMARK(BM_SketchQuantiles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tumble
