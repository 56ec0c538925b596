// An ensemble of runs of which only the observed numbers are kept.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"
#include "tumble/inputs/random_inputs.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/study/ranks/ranked_ensemble.hpp"

namespace tumble {

/// The draws that ran to their end, in the order of their indices.
struct ObservedEnsemble {
  std::vector<std::string> paths;      ///< of the inputs
  std::vector<double> inputs;          ///< [draw][input]
  std::vector<double> responses;       ///< [draw][column]
  std::vector<std::uint64_t> indices;  ///< of the draws
  std::uint64_t failed = 0;
  std::string first_failure;
  std::size_t draws() const { return indices.size(); }
};

struct ObservedEnsembleOptions {
  std::filesystem::path directory;  ///< of its journal; made if it is not there
  DesignParameters sampling;
  int threads = 0;
  std::string model;             ///< where it was read from, for messages
  std::string part;              ///< for progress
  RankLeader* leader = nullptr;  ///< of other ranks that help
  std::string description;       ///< of the ensemble, by which these make the same one
};

/// Runs the draws, or those that the journal does not have: the same bits however often it was
/// interrupted. @throws Cancelled, RequestError, InputError, SimulationError, std::system_error
ObservedEnsemble observe_ensemble(const ModelFile& file, const ObservedEnsembleOptions& options,
                                  Observer& observer);

/// On the other ranks: runs draws that rank 0 hands out. It alone has a journal.
void help_with_ensemble(const ModelFile& file, const ObservedEnsembleOptions& options, Ranks& ranks,
                        Observer& observer);

/// The inputs alone, without runs. `responses` holds the columns, all of which must be inputs.
ObservedEnsemble observe_inputs(const ModelFile& file, const DesignParameters& sampling);

}  // namespace tumble
