// A single run from its model to its results file.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

struct SingleOptions {
  std::filesystem::path directory;  ///< of the results; made if it is not there
  IfResultsExist if_results_exist = IfResultsExist::refuse;
  int threads = 0;              ///< that look for a time grid; 0: all cores
  bool csv = false;             ///< one CSV file a probe too
  std::string model = "model";  ///< where the model was read from, as results tell it
  std::string command;          ///< that makes these results, as they tell it
};

struct SingleResults {
  std::filesystem::path file;
  bool already_there = false;  ///< and nothing was computed; nothing else is known then
  Trajectory trajectory;
  Simulation simulation;  ///< with the time grid that was found
  int degrees_of_freedom = 0;
  double wall_time = 0;  ///< of the integration [s]
  std::vector<std::string> warnings;
  std::shared_ptr<const StudyDetails> details;  ///< for the library's own tables; may be null
};

/// The nominal run, whatever the model says of uncertainty. May be called as run_study() may.
/// @throws InputError, RequestError, SimulationError, Cancelled, and std::system_error; then
/// nothing was written.
SingleResults run_single(const ModelFile& file, const SingleOptions& options, Observer& observer);

}  // namespace tumble
