// A study from its model to its results: nominal run, realisations, journal, statistics, file.
#pragma once
#include <chrono>

#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/output_directory.hpp"
#include "tumble/campaign/study_verdict.hpp"
#include "tumble/campaign/times/study_times.hpp"
#include "tumble/integrate/plan.hpp"
#include "tumble/io/model_reader.hpp"
#include "tumble/io/results/ensemble_results.hpp"
#include "tumble/study/ranks/ranked_ensemble.hpp"
#include "tumble/study/stopping_rule.hpp"

namespace tumble {

struct StudyOptions {
  std::filesystem::path directory;  ///< of the results; made if it is not there
  IfResultsExist if_results_exist = IfResultsExist::refuse;
  int threads = 0;   ///< 0: all cores
  int lanes = 0;     ///< realisations in lock step; 0: as the processor likes
  bool csv = false;  ///< the nominal run and the statistics as CSV files too
  /// Keep the values of all realisations in the journal once the study has ended, however quickly
  /// going on with it would compute them again.
  bool keep_journal = false;
  std::string model = "model";   ///< where the model was read from, as results tell it
  std::string command;           ///< that makes these results, as they tell it
  RankLeader* leader = nullptr;  ///< of other ranks that share the work
  /// From when on the time of a study counts.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::string
      part;  ///< of what the study is a part, for progress; then warnings go to results alone
};

/// What a study found, beside what its results file holds.
struct StudyResults {
  std::filesystem::path file;
  bool already_there = false;  ///< and nothing was computed; nothing else is known then
  std::uint64_t realizations = 0;
  std::uint64_t computed = 0;  ///< of them this time
  double wall_time = 0;        ///< of that [s]
  TimeSplit times;
  EnsembleFailures failures;
  Sampling sampling;
  Trajectory nominal;
  Simulation simulation;  ///< with the time grid that was found
  RelativeErrors errors;  ///< where a stopping rule was last looked at
  std::optional<ChaosResults> chaos;
  std::vector<QuantityResults> quantities;
  std::vector<std::string> input_notes;  ///< how good maps of laws are, and how chains mixed
  std::vector<std::string> warnings;
};

/// Finds what is wrong with a study before anything is run or written.
/// @throws InputError, RequestError, std::invalid_argument
void check_study(const ModelFile& file, const Plan& plan, const StudyOptions& options);

/// `file` has a study and must outlive the results, which refer to it. May be called again, and
/// from several threads for different directories: nothing of the process is touched.
/// @throws InputError, RequestError, SimulationError of the nominal run, Cancelled, and
/// std::system_error. Whether too many realisations failed, require_success() says.
StudyResults run_study(const ModelFile& file, const StudyOptions& options, Observer& observer);
/// The same for a model that is assembled, in a directory that was looked at.
StudyResults run_study(const ModelFile& file, const Plan& plan, OutputDirectory& directory,
                       const StudyOptions& options, Observer& observer);
/// On other ranks than the first: computes what that hands out, until there is no more or the
/// observer wishes to stop.
void help_study(const ModelFile& file, const Plan& plan, const StudyOptions& options, Ranks& ranks,
                Observer& observer);

/// @throws TooManyFailed if more failed than study.max_failed allows.
void require_success(const Study& study, const StudyResults& results);

/// The CSV files of a study; `breaks`: its drives have break points.
std::vector<std::string> study_csv_names(const ModelFile& file, bool breaks);

std::string host_name();

}  // namespace tumble
