#include "tumble/campaign/study_journal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <system_error>

#include "tumble/base/sha256.hpp"
#include "tumble/campaign/errors.hpp"
#include "tumble/integrate/run_work.hpp"
#include "tumble/io/model/time_grid.hpp"
#include "tumble/io/results/build_info.hpp"

namespace tumble {
namespace {

/// The entries of an identity that are about the program.
constexpr const char* build_entries[] = {"program", "source revision", "compiler",
                                         "compiler flags"};

/// How the builds differ of two identities that are equal in all else; empty of others.
std::string other_build(JournalIdentity there, JournalIdentity here) {
  JournalIdentity build_there, build_here;
  for (const char* name : build_entries) {
    if (const auto found = there.extract(name)) build_there.insert_or_assign(name, found.mapped());
    if (const auto found = here.extract(name)) build_here.insert_or_assign(name, found.mapped());
  }
  return there == here ? describe_difference(build_there, build_here) : std::string();
}

/// @throws RequestError if the journal is of this study and of another build of the program.
void refuse_other_build(const JournalError& error, const JournalIdentity& here,
                        const OutputDirectory& directory) {
  if (error.reason() != JournalError::Reason::other_identity) return;
  const std::string difference = other_build(error.there(), here);
  if (difference.empty()) return;
  throw RequestError(
      fmt::format("cannot go on: {} was written by another build of the program, which may round "
                  "differently: {}. Go on with that build, or compute everything again",
                  directory.journal().string(), difference),
      {Way::overwrite, Way::elsewhere});
}

/// What would help, beyond what the error says.
std::string hint(const JournalError& error, const Study& study, const Sampling& sampling) {
  if (study.method == StudyMethod::latin_hypercube) return ". A Latin hypercube cannot be extended";
  const auto there = error.there().find("randomizations");
  if (!sampling.is_design() || there == error.there().end() ||
      there->second == std::to_string(sampling.randomizations))
    return {};
  return fmt::format(
      ". A study keeps the number of randomisations that it began with: set "
      "study.randomizations={}",
      there->second);
}

}  // namespace

JournalIdentity journal_identity(const Study& study, const Simulation& simulation,
                                 const Sampling& sampling, const ResultsMetadata& metadata) {
  const ResultsIdentity results = identity_of(metadata);
  JournalIdentity all{
      {"program", "tumble " + results.version},
      {"source revision", build_info().revision},
      {"compiler", build_info().compiler},
      {"compiler flags", build_info().flags},
      {"model", metadata.study_sha256},
      {"files", results.referenced_files},
      {"seed", std::to_string(study.seed)},
      {"method", results.method},
      {"realisations in a block", std::to_string(realizations_per_leaf)},
      {"quantiles",
       std::string(quantile_method_names[static_cast<std::size_t>(study.quantile_method)])}};
  for (const auto& [name, digest] : metadata.added_functions)
    all.emplace("function of the " + name, digest);
  if (sampling.is_design()) all.emplace("randomizations", std::to_string(sampling.randomizations));
  if (!simulation.grid.empty()) all.emplace("time grid", sha256(grid_text(simulation.grid)));
  return all;
}

void require_same_study(const std::filesystem::path& journal, const JournalIdentity& there,
                        const JournalIdentity& here) {
  if (const std::string difference = other_build(there, here); !difference.empty())
    throw RequestError(
        fmt::format("{} was written by another build of the program, which may round differently: "
                    "{}. Use that build",
                    journal.string(), difference));
  if (there != here)
    throw RequestError(fmt::format("{} belongs to another study: {}", journal.string(),
                                   describe_difference(there, here)));
}

bool keeps_values(const Study& study, std::uint64_t leaf) {
  if (study.method == StudyMethod::multilevel) return false;
  if (study.quantile_method == QuantileMethod::exact || study.store.all ||
      study.method == StudyMethod::sensitivity)
    return true;
  const auto& list = study.store.list;
  const auto first = std::lower_bound(list.begin(), list.end(), leaf * realizations_per_leaf);
  return first != list.end() && *first < (leaf + 1) * realizations_per_leaf;
}

namespace {

/// What `open` makes, or why the journal is not that of this study.
template <class Open>
auto opened_or_refused(const OutputDirectory& directory, IfResultsExist policy, const Study& study,
                       const Sampling& sampling, const JournalIdentity& identity,
                       const Open& open) {
  const Journal::Start start = policy == IfResultsExist::overwrite ? Journal::Start::overwrite
                               : policy == IfResultsExist::resume  ? Journal::Start::resume
                                                                   : Journal::Start::fresh;
  try {
    return open(start);
  } catch (const JournalError& error) {
    refuse_other_build(error, identity, directory);
    throw RequestError(
        fmt::format("cannot go on: {}{}", error.what(), hint(error, study, sampling)),
        error.reason() == JournalError::Reason::locked
            ? std::vector{Way::elsewhere}
            : std::vector{Way::overwrite, Way::elsewhere});
  }
}

}  // namespace

std::unique_ptr<StudyStore> open_journal(const OutputDirectory& directory, IfResultsExist policy,
                                         const Study& study, const Sampling& sampling,
                                         const JournalIdentity& identity, LayoutPointer layout) {
  return opened_or_refused(directory, policy, study, sampling, identity, [&](Journal::Start start) {
    return std::make_unique<StudyStore>(
        directory.path(), identity, start, std::move(layout),
        study.quantile_method == QuantileMethod::exact ? StudyStore::Values::keep
                                                       : StudyStore::Values::leave,
        [&study](std::uint64_t leaf) { return keeps_values(study, leaf); });
  });
}

std::unique_ptr<Journal> open_point_journal(const OutputDirectory& directory, IfResultsExist policy,
                                            const Study& study, const JournalIdentity& identity,
                                            const RecordVisitor& restore) {
  constexpr std::chrono::milliseconds sync_interval{1000};
  return opened_or_refused(directory, policy, study, {}, identity, [&](Journal::Start start) {
    JournalOptions options;
    options.sync_interval = sync_interval;
    return std::make_unique<Journal>(directory.path(), identity, start, restore, options);
  });
}

bool are_dear(const System& system, const Trajectory& nominal, const StatisticsLayout& layout) {
  constexpr double work_per_byte = 100;  // some 1 s of a core for a megabyte
  const double bytes = static_cast<double>(layout.row() * sizeof(double));
  return run_work(system, nominal.statistics) > work_per_byte * bytes;
}

std::shared_future<void> reduce_journal(StudyStore& store, const OutputDirectory& directory,
                                        bool keep_values) {
  std::shared_future<void> closed;
  try {
    // A disk that is told of each block it need not keep takes as long for that as for the results.
    if (auto old = store.reduce(keep_values ? StudyStore::Values::keep : StudyStore::Values::leave))
      closed = std::async(std::launch::async, [old = std::move(old)]() mutable { old.reset(); });
  } catch (const std::system_error&) {
    return {};
  }
  // Who watches the directory takes a journal that is newer than the results for a study that goes
  // on.
  std::error_code failed;
  const auto written = std::filesystem::last_write_time(directory.results(), failed);
  if (!failed) std::filesystem::last_write_time(directory.journal(), written, failed);
  return closed;
}

}  // namespace tumble
