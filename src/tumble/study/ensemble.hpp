// Runs the realisations of a study: many at a time in lanes, on every core, the same bits whatever
// the width, the number of threads and the order.
//
// Work is handed out in leaves of 64 realisations (layout.hpp). How a realisation is computed
// follows from its own numbers alone: in a lane if the model has kernels for lanes and the
// realisation the steps of the nominal run, otherwise by the scalar engine. One whose lane fails
// is run again by the scalar engine, which searches pivots and halves steps, before it counts as
// failed.
#pragma once
#include <functional>
#include <span>

#include "tumble/integrate/plan.hpp"
#include "tumble/study/leaf_builder.hpp"
#include "tumble/study/leaf_record.hpp"

namespace tumble {

/// Where the numbers of realisations come from.
struct EnsembleInputs {
  std::vector<int> slots;  ///< of the model's parameters, the same ones in every realisation
  /// Writes one value per slot. Called from several threads; a realisation always gets the same.
  std::function<void(std::uint64_t realization, double* values)> fill;
};

struct EnsembleOptions {
  int threads = 0;                ///< 0: as many as the process may use
  int width = 0;                  ///< lanes; 0: the best of this CPU
  std::uint32_t sketch_size = 0;  ///< of quantile sketches; 0: none
  /// Leaves whose values are kept; none if empty.
  std::function<bool(std::uint64_t leaf)> keep_values;
  /// Asked before each leaf; true ends the study after the leaves under way. From any thread.
  std::function<bool()> stop;
  /// Told now and then how many more realisations ended and how many of them failed; from any
  /// thread.
  std::function<void(std::uint64_t ended, std::uint64_t failed)> progress;
};

/// A leaf to compute: `count` realisations, 64 but for the last one of a study.
struct LeafTask {
  std::uint64_t leaf = 0;
  std::uint64_t count = realizations_per_leaf;
};

/// The leaves of the realisations [0, realizations).
std::vector<LeafTask> leaf_tasks(std::uint64_t realizations);

/// Time that a thread spent on a leaf [s].
struct LeafTimes {
  double integration = 0;
  double statistics = 0;
};

struct LeafResult {
  LeafRecord record;
  LeafStatistics statistics;
  LeafTimes times = {};
};

/// Of the probes of a model over its output times.
LayoutPointer statistics_layout(const System& system);

/// Computes the leaves in the order given, as far as threads allow, and hands each to `commit`,
/// which is called from several threads at once. Returns false if stopped before the end. What
/// `commit` or `inputs` throw ends the study and is thrown on.
/// @throws std::invalid_argument if this CPU has no kernel of the width asked for.
bool run_ensemble(const Plan& plan, const EnsembleInputs& inputs, std::span<const LeafTask> tasks,
                  const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit);

/// Gives the next leaf, or nothing if there are no more. Called from several threads at once.
using LeafSource = std::function<std::optional<LeafTask>()>;

/// The same for leaves that come from elsewhere: returns when there are no more, or when stopped.
void run_leaves(const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit);

/// One realisation alone, by the same rules and with the same bits as in a study: row
/// [time][number].
struct SingleRealization {
  RealizationOutcome outcome;
  std::size_t valid_times = 0;
  std::vector<double> inputs;
  std::vector<double> values;
};
SingleRealization run_realization(const Plan& plan, const EnsembleInputs& inputs,
                                  std::uint64_t realization);

}  // namespace tumble
