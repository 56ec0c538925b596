// Leaves of a multilevel study: runs on the grid of a level, each but those of level 0 with the
// same machine on the next coarser grid beside it.
//
// A leaf has 64 runs: 64 machines on level 0, and 32 on others, each of which is run on the fine
// grid and then on the coarse one. Leaves of the levels take turns, so that every machine of the
// study has a number of its own and every level can go on.
#pragma once
#include <memory>

#include "tumble/study/ensemble.hpp"

namespace tumble {

struct LevelLeaves {
  std::size_t levels = 0;

  std::size_t level_of(std::uint64_t leaf) const { return leaf % levels; }
  std::uint64_t place_of(std::uint64_t leaf) const { return leaf / levels; }  ///< in its level
  std::uint64_t leaf(std::size_t level, std::uint64_t place) const {
    return place * levels + level;
  }
  static std::uint64_t grids(std::size_t level) { return level == 0 ? 1 : 2; }
  /// Machines in a leaf.
  static std::uint64_t pairs(std::size_t level) { return realizations_per_leaf / grids(level); }
  /// Leaves for so many machines.
  static std::uint64_t leaves(std::size_t level, std::uint64_t wanted) {
    return (wanted + pairs(level) - 1) / pairs(level);
  }
  /// The number by which random numbers of the run are drawn: one for both runs of a pair.
  static std::uint64_t draw(std::size_t level, std::uint64_t leaf, std::size_t run) {
    return leaf * realizations_per_leaf + run / grids(level);
  }
};

/// The model on the grid of one level.
struct LevelGrid {
  Plan plan;
  EnsembleInputs inputs;
  std::vector<QuantityOfInterest> quantities;  ///< places of probes may differ from grid to grid
};

/// What a leaf keeps of its runs is their quantities of interest: a layout without probes' numbers.
LayoutPointer coupled_layout();

/// `grids` and `options` outlive what they make. Of a run that ended and has no finite value of the
/// quantity `wanted`, the record says that it failed.
LeafWorkers coupled_workers(const std::vector<LevelGrid>& grids, std::size_t wanted,
                            const EnsembleOptions& options);

}  // namespace tumble
