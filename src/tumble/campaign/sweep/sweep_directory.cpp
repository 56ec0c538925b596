#include "tumble/campaign/sweep/sweep_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>

#include "tumble/campaign/errors.hpp"
#include "tumble/io/netcdf/netcdf_reader.hpp"
#include "tumble/study/journal/journal_record.hpp"

namespace tumble {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::string description(const SweepIdentity& sweep) {
  return fmt::format(
      "A sweep whose points are in the folder `points`; to be resumed by the same sweep.\n"
      "{}\nstudies {}\n{}\n",
      sweep.program, sweep.studies, sweep.varied);
}

/// The attribute of a sweep's results; empty if the file is none.
std::string identity_in(const fs::path& results) {
  if (!read_results_identity(results)) return {};
  return NetcdfReader(results).text_attribute("sweep_sha256");
}

}  // namespace

bool SweepDirectory::already_done(IfResultsExist policy, const SweepIdentity& wanted) const {
  std::error_code ignored;
  const fs::path& path = output_.path();
  if (fs::exists(path, ignored) && !fs::is_directory(path, ignored))
    throw RequestError(fmt::format("{} is not a directory", path.string()));
  output_.refuse_special_files();
  if (policy == IfResultsExist::overwrite) return false;
  output_.refuse_study(policy);
  const bool begun = fs::exists(output_.sweep(), ignored);
  const bool results_exist = fs::exists(results(), ignored);
  if (policy == IfResultsExist::refuse) {
    if (!begun && !results_exist) return false;
    throw RequestError(
        fmt::format("{} already holds {}", path.string(), begun ? "a sweep" : "results"),
        {Way::resume, Way::overwrite, Way::elsewhere});
  }
  if (results_exist && identity_in(results()) == wanted.complete) return true;
  if (begun) {
    if (content_of(output_.sweep()) != description(wanted))
      throw RequestError(fmt::format("cannot resume: the sweep in {} has another model, table, "
                                     "seed, version or other points; "
                                     "{} says what it varies",
                                     path.string(), output_.sweep().string()),
                         {Way::overwrite, Way::elsewhere});
    return false;
  }
  if (results_exist)
    throw RequestError(
        fmt::format("cannot resume: {} holds other results. A finished sweep is extended by "
                    "realisations if its points were kept",
                    results().string()),
        {Way::keep_points, Way::overwrite, Way::elsewhere});
  return false;
}

void SweepDirectory::begin(IfResultsExist policy, const SweepIdentity& sweep) {
  output_.create(false);
  try {
    lock_ = std::make_unique<JournalLock>(output_.path() / "sweep.lock");
  } catch (const JournalError& error) {
    throw RequestError(error.what(), {Way::elsewhere});
  }
  if (lock_->held()) AtomicFile::remove_leftovers(results());
  if (policy == IfResultsExist::overwrite) {
    // All or none of what is there goes.
    output_.claim_study();
    std::vector<std::unique_ptr<OutputDirectory>> studies;
    for (const fs::path& point : found_points())
      studies.emplace_back(std::make_unique<OutputDirectory>(point))->claim_study();
    output_.remove_study();
    output_.remove_report();
    remove_points();
  }
  if (fs::exists(output_.sweep())) return;
  AtomicFile file(output_.sweep());
  file.write(description(sweep));
  file.commit();
}

std::vector<fs::path> SweepDirectory::found_points() const {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const fs::directory_entry& point : fs::directory_iterator(points(), ignored)) {
    const std::string name = point.path().filename().string();
    if (std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; }) &&
        !point.is_symlink(ignored))
      found.push_back(point.path());
  }
  return found;
}

void SweepDirectory::remove_points() const {
  std::error_code ignored;
  for (const fs::path& point : found_points()) {
    const OutputDirectory study(point);
    AtomicFile::remove_leftovers(study.results());
    for (const fs::path& file : {study.results(), study.journal()}) fs::remove(file, ignored);
    for (const char* suffix : {".lock", ".new"})
      fs::remove(study.journal().string() + suffix, ignored);
    fs::remove(point, ignored);  // fails, as it should, where there is more
  }
  fs::remove(points(), ignored);
  fs::remove(output_.sweep(), ignored);
}

}  // namespace tumble
