// A study from its model file to its results: what `run` does if the file has one.
#pragma once
#include "output_directory.hpp"
#include "study_verdict.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/study/ranked_ensemble.hpp"

namespace tumble::app {

struct StudyArguments {
  std::string model;
  IfResultsExist policy = IfResultsExist::refuse;
  int threads = 0;
  int lanes = 0;
  bool csv = false;
  bool json_progress = false;
  bool report = false;         ///< make a page of the results
  std::string command;         ///< that makes these results, as results tell it
  bool quiet = false;          ///< no summary: the study is a part of something larger
  std::string progress_label;  ///< which part, before the progress bar
};

/// Finds what is wrong with a study before anything is run or written.
void check_study(const StudyArguments& arguments, const ModelFile& file, const Plan& plan);

/// `leader`: of other ranks that share the work, or null.
void run_study(const StudyArguments& arguments, const ModelFile& file, const Plan& plan,
               OutputDirectory& directory, RankLeader* leader);
/// On those other ranks: computes what rank 0 hands out, until there is no more or a signal came.
void help_study(const StudyArguments& arguments, const ModelFile& file, const Plan& plan,
                OutputDirectory& directory, Ranks& ranks);

std::string host_name();

}  // namespace tumble::app
