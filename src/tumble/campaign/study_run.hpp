// A study from its model to its results: nominal run, realisations, journal, statistics, file.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/observer.hpp"
#include "tumble/integrate/trajectory.hpp"
#include "tumble/io/model_reader.hpp"

namespace tumble {

class RankLeader;
struct StudyDetails;

enum class IfResultsExist { refuse, overwrite, resume };

/// One of the parts into which a study is divided for machines that do not know of each other:
/// whole blocks of 64 realisations that follow each other.
struct Shard {
  std::uint64_t number = 1;  ///< from 1 on
  std::uint64_t count = 1;
};

/// What computes realisations in lock step; the results have the same bits.
enum class StudyKernels {
  templates,  ///< the kernels of the program
  generated,  ///< code that is generated and compiled for the model before the first realisation
  automatic,  ///< the same while the first ones run, if so many are left that it pays
};

/// Where realisations are computed; the results have the same bits.
enum class StudyDevice {
  cpu,
  gpu,        ///< on graphics processors, as far as they can; a warning says so if they cannot
  automatic,  ///< on graphics processors, if there are some and the study is large
};

struct StudyOptions {
  std::filesystem::path directory;  ///< of the results; made if it is not there
  IfResultsExist if_results_exist = IfResultsExist::refuse;
  int threads = 0;  ///< 0: all cores
  int lanes = 0;    ///< realisations in lock step; 0: as the processor likes
  StudyKernels kernels = StudyKernels::templates;
  StudyDevice device = StudyDevice::cpu;
  bool csv = false;  ///< the nominal run and the statistics as CSV files too
  /// Keep the values of all realisations in the journal once the study has ended, however quickly
  /// going on with it would compute them again.
  bool keep_journal = false;
  std::string model = "model";   ///< where the model was read from, as results tell it
  std::string command;           ///< that makes these results, as they tell it
  RankLeader* leader = nullptr;  ///< of other ranks that share the work
  /// Compute this part alone, into a journal without results: merge_shards() makes those of all.
  std::optional<Shard> shard;
  /// From when on the time of a study counts.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::string
      part;  ///< of what the study is a part, for progress; then warnings go to results alone
};

/// Wall time by what it was spent on [s].
struct TimeSplit {
  double start_up = 0;     ///< reading, compiling, the nominal run, opening the journal
  double integration = 0;  ///< of realisations, some of them on another grid
  double statistics = 0;   ///< reducing them, and quantiles
  double output = 0;       ///< journal and results
  double total() const { return start_up + integration + statistics + output; }
};

/// How polynomials were fitted.
struct ChaosSummary {
  std::string method;
  std::uint64_t validation = 0;  ///< runs that were kept out of the fit, to measure its errors
  std::uint64_t validation_failed = 0;
};

/// What a study found, beside what its results file holds (tumble/io/results_reader.hpp).
struct StudyResults {
  std::filesystem::path file;  ///< of a shard its journal
  bool already_there = false;  ///< and nothing was computed; nothing else is known then
  std::uint64_t realizations = 0;
  std::uint64_t first = 0;     ///< of a shard's realisations
  std::uint64_t computed = 0;  ///< of them this time
  double wall_time = 0;        ///< of that [s]
  TimeSplit times;
  std::string generated_code;  ///< what became of it; empty if none was asked for
  std::string devices;         ///< what graphics processors did; empty if they were not asked
  std::uint64_t failed = 0;
  std::vector<std::string> first_failures;  ///< which realisations, and why
  std::string too_many_failed;  ///< how many, if `study.max_failed` allows fewer; else empty
  /// Of those that did not fail, the one whose account of energy is worst: by how much of the
  /// energy exchanged it is off.
  double energy_mismatch = 0;
  std::uint64_t energy_mismatch_of = 0;
  Trajectory nominal;
  Simulation simulation;  ///< with the time grid that was found
  /// With a stopping rule: its errors where it was last looked at.
  double relative_mean_error = 0, relative_quantile_width = 0;
  std::optional<ChaosSummary> chaos;     ///< of a study by polynomial chaos that could be fitted
  std::vector<std::string> input_notes;  ///< how good maps of laws are, and how chains mixed
  std::vector<std::string> warnings;
  std::shared_ptr<const StudyDetails> details;  ///< for the library's own tables; may be null
};

/// `file` has a study. May be called again, and from several threads for different directories:
/// nothing of the process is touched.
/// @throws InputError, RequestError, SimulationError of the nominal run, Cancelled, and
/// std::system_error. Whether too many realisations failed, require_success() says.
StudyResults run_study(const ModelFile& file, const StudyOptions& options, Observer& observer);

/// @throws TooManyFailed if more failed than `study.max_failed` allows.
void require_success(const StudyResults& results);

}  // namespace tumble
