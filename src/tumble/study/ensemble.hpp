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
#include <memory>
#include <optional>
#include <span>

#include "tumble/integrate/plan.hpp"
#include "tumble/model/system.hpp"
#include "tumble/study/journal/leaf_record.hpp"
#include "tumble/study/lanes/generated_lanes.hpp"
#include "tumble/study/leaf_builder.hpp"

namespace tumble {

/// Where the numbers of realisations come from.
struct EnsembleInputs {
  std::vector<int> slots;  ///< of the model's parameters, the same ones in every realisation
  /// Writes one value per slot. Called from several threads; a realisation always gets the same.
  std::function<void(std::uint64_t realization, double* values)> fill;
  /// Writes the germs of the model's random drives, excitation_germs() of them
  /// (model/excitation.hpp); called in the same way. Empty: the drives stay as they are in the
  /// nominal model, zero.
  std::function<void(std::uint64_t realization, double* germs)> excite = {};
  /// The same from germs that travel with a leaf, for studies that choose their points as they go.
  std::function<void(std::span<const double> germs, double* values)> fill_germs = {};
};

/// Gives the random drives of a realisation its germs.
void excite(const EnsembleInputs& inputs, std::uint64_t realization, Realization& numbers);

struct EnsembleOptions {
  int threads = 0;                   ///< 0: as many as the process may use
  int width = 0;                     ///< lanes; 0: the best of this CPU
  std::uint32_t sketch_size = 0;     ///< of quantile sketches; 0: none
  std::uint64_t randomizations = 0;  ///< as in StatisticsOptions
  /// Of interest in every run; they outlive the study.
  std::span<const QuantityOfInterest> quantities;
  /// Leaves whose values are kept; none if empty.
  std::function<bool(std::uint64_t leaf)> keep_values;
  /// Into how many parts each step is divided. More than one: for the error of the time
  /// integration; then the order of elimination is not rehearsed either.
  int parts = 1;
  /// Told the values [time][number] of each realisation, as far as valid, and its events; from any
  /// thread.
  std::function<void(std::uint64_t realization, const double* values, std::size_t valid_times,
                     std::span<const EventTally> events)>
      observe;
  /// Compiled programs in place of kernels, which changes no bit; of how many realisations in all.
  ProgramUse programs = ProgramUse::none;
  std::uint64_t expected_realizations = 0;
  /// Told what became of them when the ensemble has ended.
  std::function<void(const ProgramReport&)> report_programs;
  /// Graphics processors, which change no bit either; where there are none, or the machine is not
  /// for them, the processor computes.
  bool use_devices = false;
  /// Told what became of that when the ensemble has ended; `used` is false if the processor
  /// computed everything.
  std::function<void(bool used, const std::string& sentence)> report_devices;
  /// Asked before each leaf; true ends the study after the leaves under way. From any thread.
  std::function<bool()> stop;
  /// Told now and then how many more realisations ended and how many of them failed; from any
  /// thread.
  std::function<void(std::uint64_t ended, std::uint64_t failed)> progress;
};

/// A leaf to compute: `count` realisations, 64 but for the last one of a study. None: whether there
/// is more to do is not known yet, and is to be asked again in a moment.
struct LeafTask {
  std::uint64_t leaf = 0;
  std::uint64_t count = realizations_per_leaf;
  /// Where its realisations lie in the space of germs, one after the other, of a study that chooses
  /// its points as it goes; null of others, whose realisations follow from their numbers.
  std::shared_ptr<const std::vector<double>> germs = {};
  bool is_pause() const { return count == 0; }
};

/// Gives the next leaf, or nothing if there are no more, also when asked again. Called from several
/// threads at once.
using LeafSource = std::function<std::optional<LeafTask>()>;

/// The leaves of the realisations [0, realizations) from left to right, so that the tree of
/// statistics waits for few siblings, but for those that are `finished`. That is asked when a
/// leaf's turn comes: a list of leaves would grow with the study.
LeafSource leaf_source(std::uint64_t realizations,
                       std::function<bool(const LeafTask&)> finished = {});
/// The same of [first, end), where `first` begins a leaf.
LeafSource leaf_source(std::uint64_t first, std::uint64_t end,
                       std::function<bool(const LeafTask&)> finished);

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

/// Computes the leaves that `next` gives and hands each to `commit`, which is called from several
/// threads at once. Returns false if stopped before the end. What `commit`, `next` or `inputs`
/// throw ends the study and is thrown on.
/// @throws std::invalid_argument if this CPU has no kernel of the width asked for.
bool run_ensemble(const Plan& plan, const EnsembleInputs& inputs, const LeafSource& next,
                  const EnsembleOptions& options, const std::function<void(LeafResult&&)>& commit);

/// Computes a leaf, with means of its own that it uses again.
using LeafWork = std::function<LeafResult(const LeafTask&)>;
/// Makes one for each thread, in that thread.
using LeafWorkers = std::function<LeafWork()>;

/// That run the realisations of one model. The arguments outlive what they make.
LeafWorkers leaf_workers(const Plan& plan, const EnsembleInputs& inputs,
                         const EnsembleOptions& options);

/// Where others take leaves from `next` too, or where a leaf is something else than realisations of
/// one model: says nothing about the end. Of the options `threads` and `stop` count here.
void run_leaves(const LeafWorkers& workers, const LeafSource& next, const EnsembleOptions& options,
                const std::function<void(LeafResult&&)>& commit);
/// The same for realisations of one model.
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
