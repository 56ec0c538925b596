// A sweep from its model file to its results: one study a point, then one file for all.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output_directory.hpp"

namespace tumble::app {

struct SweepArguments {
  std::string model;
  std::vector<std::string> overrides;  ///< of all points
  std::vector<std::string> vary;
  std::filesystem::path directory;
  IfResultsExist policy = IfResultsExist::refuse;
  bool keep_points = false;
  int threads = 0;
  std::string command;  ///< makes the same results again
};

void run_sweep(const SweepArguments& arguments);

}  // namespace tumble::app
