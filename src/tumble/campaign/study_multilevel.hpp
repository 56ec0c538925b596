// A multilevel study: its model on the grid of each level, how many runs the levels get, and what
// follows from them.
#pragma once
#include <memory>

#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/study_inputs.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/multilevel_part.hpp"
#include "tumble/model/study/study.hpp"
#include "tumble/study/journal/study_store.hpp"
#include "tumble/study/levels/level_source.hpp"

namespace tumble {

/// The model file with the grid of a level. `name`: where the model was read from.
/// @throws InputError at the level if there is no such model
ModelFile level_file(const ModelFile& file, const std::string& name, std::size_t level);

class StudyLevels {
 public:
  /// `file` has a multilevel study and outlives this.
  /// @throws InputError, also if random numbers differ from grid to grid
  StudyLevels(const ModelFile& file, const std::string& name, Observer& observer);

  /// `options` outlive what they make.
  LeafWorkers workers(const EnsembleOptions& options) const {
    return coupled_workers(grids_, wanted_, options);
  }
  /// Runs the nominal machine on every grid, to count what a run takes: decisions must not depend
  /// on a clock. @throws SimulationError, Cancelled
  void count_work(Observer& observer);

  /// Leaves of the pilot runs of the first two levels.
  LevelSource::Leaves first_round() const;
  /// As LevelSource::Hooks::next_round.
  LevelSource::Leaves next_round(const LevelSource::Leaves& leaves, const StudyStore& store) const;
  static std::uint64_t runs(const LevelSource::Leaves& leaves);

  /// Notes how long a leaf took. From any thread.
  void add_seconds(std::uint64_t leaf, double seconds);
  MultilevelResults results(const LevelSource::Leaves& leaves, const StudyStore& store) const;
  /// Calls back with the leaves, numbered as results have them: level by level.
  void for_each_leaf(const LevelSource::Leaves& leaves, const StudyStore& store,
                     const std::function<void(const LeafRecord&)>& visit) const;

 private:
  struct Level {
    ModelFile file;
    std::unique_ptr<const RandomInputs> inputs;
    double step = 0;
    int elements = 0;
    double work = 0;
  };
  struct Samples {
    std::vector<LevelSample> levels;
    std::vector<std::uint64_t> failed;
    double output_error = 0;
  };
  Samples samples(const LevelSource::Leaves& leaves, const StudyStore& store) const;
  MultilevelEstimate estimate(const Samples& samples, MultilevelStatistic statistic) const;
  double target(const MultilevelEstimate& estimate) const;
  double pair_work(std::size_t level) const;
  std::uint64_t pilot_leaves(std::size_t level) const;
  std::vector<double> refinements() const;

  const Study& study_;
  const MultilevelRequest& request_;
  std::size_t wanted_ = 0;  ///< place of the quantity
  std::string unit_;
  std::vector<Level> levels_;
  std::vector<LevelGrid> grids_;
  std::mutex mutex_;  // guards what follows
  std::vector<double> seconds_;
  std::vector<std::uint64_t> timed_pairs_;
};

/// What users should know about the result.
std::vector<std::string> multilevel_warnings(const MultilevelResults& results);

}  // namespace tumble
