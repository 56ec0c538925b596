// A sweep from its model file to its results: one study a point, then one file for all.
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tumble/campaign/study_run.hpp"

namespace tumble {

class Sweep;
struct SweepSummary;

struct SweepOptions {
  std::string model;                   ///< file
  std::optional<std::string> text;     ///< of the model, if it is not to be read from there
  std::vector<std::string> overrides;  ///< of all points
  std::vector<std::string> vary;       ///< PATH[,PATH2...]=V1,V2,...
  std::filesystem::path directory;
  IfResultsExist if_results_exist = IfResultsExist::refuse;
  bool keep_points = false;
  int threads = 0;
  std::string command;  ///< makes the same results again
};

struct SweepOutcome {
  std::filesystem::path file;
  bool already_there = false;  ///< and nothing was computed; nothing else is known then
  std::string title;
  std::size_t points = 0;
  double wall_time = 0;         ///< [s]
  std::string too_many_failed;  ///< where and how many; empty if all is well
  // For the library's own tables.
  std::shared_ptr<const Sweep> sweep;
  std::shared_ptr<const SweepSummary> summary;  ///< null if nothing was computed
};

/// @throws as run_study() does; Cancelled says at which point.
SweepOutcome run_sweep(const SweepOptions& options, Observer& observer);

}  // namespace tumble
