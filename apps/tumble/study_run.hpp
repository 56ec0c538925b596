// A study from its model file to its results: what `run` does if the file has one.
#pragma once
#include "output_directory.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/study/ensemble.hpp"

namespace tumble::app {

struct StudyArguments {
  std::string model;
  IfResultsExist policy = IfResultsExist::refuse;
  int threads = 0;
  int lanes = 0;
  bool csv = false;
  bool json_progress = false;
};

/// The study ended, but more of it failed than it allows.
struct TooManyFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where the realisations' numbers come from. `file` must outlive it.
EnsembleInputs study_inputs(const ModelFile& file);

void run_study(const StudyArguments& arguments, const ModelFile& file, const Plan& plan,
               OutputDirectory& directory);

std::string host_name();

}  // namespace tumble::app
