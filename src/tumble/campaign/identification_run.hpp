// From measurements to parameters: ensembles, likelihood, estimate, intervals, posterior, files.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tumble/campaign/errors.hpp"
#include "tumble/campaign/observer.hpp"
#include "tumble/campaign/study_run.hpp"

namespace tumble {

struct IdentificationResults;
class Ranks;

enum class IdentificationMethod { maximum_likelihood, bayes };

struct IdentificationOptions {
  std::string model;                   ///< file
  std::optional<std::string> text;     ///< of the model, if it is not to be read from there
  std::vector<std::string> overrides;  ///< PATH=VALUE
  std::filesystem::path data;          ///< CSV file
  std::filesystem::path directory;     ///< of the results; made if it is not there
  IdentificationMethod method = IdentificationMethod::maximum_likelihood;
  IfResultsExist if_results_exist = IfResultsExist::refuse;
  int threads = 0;               ///< 0: all cores
  std::string command;           ///< makes the same results again
  RankLeader* leader = nullptr;  ///< of other ranks that help; they call help_identification()
};

struct IdentificationOutcome {
  std::filesystem::path file;
  std::filesystem::path model;  ///< with the estimate
  bool already_there = false;   ///< and nothing was computed; nothing else is known then
  std::string title;
  std::string likelihood;  ///< marginal, gaussian, kernel, or exact of inputs that were measured
  double level = 0.95;     ///< of the intervals
  std::uint64_t runs = 0;
  std::vector<std::string> verdicts;  ///< of each parameter: empty, or why it is not identifiable
  std::vector<std::string> warnings;
  std::shared_ptr<const IdentificationResults> results;  ///< for the library's own tables
};

/// @throws InputError with mistakes of the model and of the data, RequestError, Cancelled,
/// TooManyFailed, SimulationError, std::system_error
IdentificationOutcome run_identification(const IdentificationOptions& options, Observer& observer);

/// On the other ranks: runs that rank 0 asks for; they write no files.
void help_identification(const IdentificationOptions& options, Ranks& ranks, Observer& observer);

}  // namespace tumble
