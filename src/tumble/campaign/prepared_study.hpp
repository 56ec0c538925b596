// A study of a model that is assembled, in a directory that was looked at, by one process or by
// several.
#pragma once
#include <future>

#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/io/model/study_sections.hpp"
#include "tumble/io/results/multilevel_part.hpp"
#include "tumble/io/results/quantity_part.hpp"
#include "tumble/io/results/reliability_part.hpp"
#include "tumble/io/results/sensitivity_part.hpp"
#include "tumble/io/results/worst_case_part.hpp"
#include "tumble/study/ranks/ranked_ensemble.hpp"
#include "tumble/study/sampling.hpp"

namespace tumble {

struct ShardJournals;

/// What tables of a study show beside its results.
struct StudyDetails {
  Sampling sampling;
  std::vector<QuantityResults> quantities;
  /// What those refer to.
  std::shared_ptr<const std::vector<QuantityOfInterest>> described_quantities;
  std::optional<SensitivityResults> sensitivity = {};  ///< of a study of sensitivity
  std::optional<ReliabilityResults> reliability = {};  ///< of a study of reliability
  std::optional<MultilevelResults> multilevel = {};    ///< of a multilevel study
  std::optional<WorstCaseResults> worst_case = {};     ///< of a worst-case study
  std::shared_future<void> journal_closed = {};        ///< waited for last of all
};

/// Finds what is wrong with a study before anything is run or written.
/// @throws InputError, RequestError, std::invalid_argument
void check_study(const ModelFile& file, const Plan& plan, const StudyOptions& options);

/// As the other run_study(), which assembles the model and looks at the directory before. With
/// `shards` everything was computed there.
StudyResults run_study(const ModelFile& file, const Plan& plan, OutputDirectory& directory,
                       const StudyOptions& options, Observer& observer,
                       const ShardJournals* shards = nullptr);

/// On other ranks than the first: computes what that hands out, until there is no more or the
/// observer wishes to stop.
void help_study(const ModelFile& file, const Plan& plan, const StudyOptions& options, Ranks& ranks,
                Observer& observer);

/// The CSV files of a study; `breaks`: its drives have break points.
std::vector<std::string> study_csv_names(const ModelFile& file, bool breaks);

std::string host_name();

}  // namespace tumble
