// Lanes against the scalar engine, bit by bit.
#pragma once
#include <gtest/gtest.h>

#include "tumble/integrate/run.hpp"
#include "tumble/model/compile.hpp"
#include "tumble/study/ensemble.hpp"
#include "tumble/study/lanes/lane_kernel.hpp"

namespace tumble {

/// Runs an ensemble in lanes of every width, and its realisations one by one.
inline void expect_bits_of_scalar_engine(
    const Model& model, const std::vector<std::string>& paths,
    const std::function<void(std::uint64_t, double*)>& fill,
    const std::function<void(std::uint64_t, double*)>& germs = {}) {
  const Plan plan = make_plan(compile(model));
  const Plan rehearsed = rehearse(plan);  // as the ensemble does: the same order of elimination
  EnsembleInputs inputs;
  for (const std::string& path : paths) {
    inputs.slots.push_back(plan.system->parameters.find(path));
    ASSERT_GE(inputs.slots.back(), 0) << path;
  }
  inputs.fill = fill;
  inputs.excite = germs;
  constexpr std::size_t count = 16;
  for (const LaneKernel& kernel : available_lane_kernels()) {
    SCOPED_TRACE(kernel.width);
    EnsembleOptions options;
    options.width = kernel.width;
    options.keep_values = [](std::uint64_t) { return true; };
    std::vector<LeafRecord> leaves;
    run_ensemble(plan, inputs, leaf_source(count), options,
                 [&](LeafResult&& leaf) { leaves.push_back(std::move(leaf.record)); });
    ASSERT_EQ(leaves.size(), 1u);
    Realization realization(plan.system->nominal);
    for (std::size_t r = 0; r < count; ++r) {
      ASSERT_EQ(leaves[0].outcomes[r].status, RealizationStatus::ok)
          << leaves[0].outcomes[r].reason;
      for (std::size_t i = 0; i < inputs.slots.size(); ++i)
        realization.set(inputs.slots[i], leaves[0].inputs[inputs.slots.size() * r + i]);
      excite(inputs, r, realization);
      const Trajectory alone = run(rehearsed, realization.model());
      EXPECT_EQ(alone.statistics.pivot_searches, 0);
      const double* row = leaves[0].values->row(r);
      for (std::size_t t = 0; t < alone.times.size(); ++t)
        for (const ProbeSeries& series : alone.series)
          for (std::size_t k = 0; k < static_cast<std::size_t>(series.size); ++k)
            EXPECT_EQ(*row++, series.values[t * static_cast<std::size_t>(series.size) + k])
                << series.probe << " " << info(series.quantity).name << ", realisation " << r;
    }
  }
}

}  // namespace tumble
