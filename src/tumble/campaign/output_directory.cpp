#include "tumble/campaign/output_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "tumble/campaign/errors.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/study/journal/journal_record.hpp"

namespace tumble {

namespace fs = std::filesystem;

void require_replaceable(const fs::path& file, bool overwrite) {
  if (const std::string what = special_file_at(file); !what.empty())
    throw RequestError(
        fmt::format("{} is {}, which is neither followed nor replaced: give another "
                    "name",
                    file.string(), what));
  std::error_code ignored;
  if (!overwrite && fs::exists(file, ignored))
    throw RequestError(fmt::format("{} already exists", file.string()), {Way::overwrite});
}

std::string no_results(const fs::path& results) {
  std::error_code ignored;
  if (!fs::exists(results, ignored))
    return fmt::format("{} holds no results: there is no results.nc",
                       results.parent_path().string());
  return fmt::format("{} is damaged, or no results file of tumble", results.string());
}

OutputDirectory::~OutputDirectory() {
  file_.reset();
  std::error_code ignored;
  for (auto directory = created_.rbegin(); directory != created_.rend(); ++directory)
    fs::remove(*directory, ignored);  // fails, as it should, where there are files
}

bool OutputDirectory::already_done(IfResultsExist policy, const ResultsIdentity& wanted) const {
  // What cannot be looked at cannot be written either: create() reports it.
  std::error_code ignored;
  if (fs::exists(path_, ignored) && !fs::is_directory(path_, ignored))
    throw RequestError(fmt::format("{} is not a directory", path_.string()));
  if (policy == IfResultsExist::overwrite) return false;

  if (fs::exists(results(), ignored)) {
    if (policy == IfResultsExist::refuse)
      throw RequestError(fmt::format("{} already holds results", path_.string()),
                         {Way::overwrite, Way::resume, Way::elsewhere});
    const auto found = read_results_identity(results());
    const auto refuse = [this](const std::string& why) {
      throw RequestError(fmt::format("cannot resume: {} {}", results().string(), why),
                         {Way::overwrite, Way::elsewhere});
    };
    if (!found) refuse("is not a results file of tumble");
    if (found->version != wanted.version)
      refuse(fmt::format("was written by version {}, this is {}", found->version, wanted.version));
    if (found->model_sha256 != wanted.model_sha256 && !wanted.study_sha256.empty() &&
        found->study_sha256 == wanted.study_sha256)
      refuse(
          fmt::format("holds {} realisations of this study, but going on with it needs {}, which "
                      "is not there: put it back, or compute everything again",
                      found->realizations, journal().string()));
    if (found->model_sha256 != wanted.model_sha256 || found->method != wanted.method)
      refuse("holds the results of another model");
    if (found->referenced_files != wanted.referenced_files)
      refuse("was computed with other content of the files that the model refers to");
    if (found->added_functions != wanted.added_functions)
      refuse("was computed with other functions of the program that called this one");
    for (const std::string& name : wanted.csv_files)
      if (std::ranges::find(found->csv_files, name) == found->csv_files.end())
        refuse(fmt::format("was written without {}", name));
    return true;
  }
  for (const std::string& name : wanted.csv_files)
    if (fs::exists(path_ / name, ignored))
      throw RequestError(fmt::format("{} already exists", (path_ / name).string()),
                         {Way::overwrite});
  return false;
}

void OutputDirectory::refuse_study(IfResultsExist policy) const {
  std::error_code ignored;
  if (policy != IfResultsExist::overwrite && fs::exists(journal(), ignored))
    throw RequestError(fmt::format("{} holds a study", path_.string()),
                       {Way::overwrite, Way::elsewhere});
}

void OutputDirectory::refuse_sweep() const {
  std::error_code ignored;
  if (fs::exists(sweep(), ignored))
    throw RequestError(fmt::format("{} holds a sweep", path_.string()),
                       {Way::sweep, Way::elsewhere});
}

void OutputDirectory::refuse_special_files(const std::vector<std::string>& csv_files) const {
  const auto refuse = [](const fs::path& path, const std::string& what) {
    throw RequestError(
        fmt::format("{} is {}, which is neither followed nor replaced: remove it, or choose "
                    "another directory",
                    path.string(), what),
        {Way::elsewhere});
  };
  std::vector<std::string> names{"results.nc",        "study.journal", "study.journal.lock",
                                 "study.journal.new", "sweep.txt",     "sweep.lock"};
  names.insert(names.end(), csv_files.begin(), csv_files.end());
  for (const std::string& name : names)
    if (const std::string what = special_file_at(path_ / name); !what.empty())
      refuse(path_ / name, what);
  // Points are a directory, and a page that cannot be written is a warning.
  std::error_code ignored;
  for (const char* name : {"points", "report.html"})
    if (fs::is_symlink(path_ / name, ignored)) refuse(path_ / name, "a symbolic link");
}

void OutputDirectory::claim_study() {
  std::error_code ignored;
  const fs::path lock = journal().string() + ".lock";
  if (lock_ != nullptr) return;
  if (!fs::exists(journal(), ignored) && !fs::exists(lock, ignored)) return;
  try {
    lock_ = std::make_unique<JournalLock>(lock);
  } catch (const JournalError& error) {
    throw RequestError(error.what(), {Way::elsewhere});
  }
}

void OutputDirectory::remove_study() {
  claim_study();
  std::error_code ignored;
  fs::remove(journal(), ignored);
}

void OutputDirectory::remove_report() const {
  std::error_code ignored;
  if (special_file_at(report()).empty()) fs::remove(report(), ignored);
}

void OutputDirectory::remove_results() const {
  std::error_code ignored;
  fs::remove(results(), ignored);
  remove_report();
}

void OutputDirectory::create(bool open_results) {
  std::vector<fs::path> missing;  // innermost first
  for (fs::path p = fs::absolute(path_); !p.empty() && !fs::exists(p);) {
    if (p.has_filename()) missing.push_back(p);
    p = p.parent_path();
  }
  for (auto directory = missing.rbegin(); directory != missing.rend(); ++directory)
    if (fs::create_directory(*directory)) created_.push_back(*directory);
  before_ = read_results_identity(results());
  if (open_results) file_.emplace(results());
}

void OutputDirectory::write(const std::string& results_content, const std::vector<CsvFile>& csv) {
  write([&](AtomicFile& file) {
    file.write(results_content);
    return csv;
  });
}

void OutputDirectory::write(const std::function<std::vector<CsvFile>(AtomicFile&)>& fill) {
  if (!file_) file_.emplace(results());
  const std::vector<CsvFile> csv = fill(*file_);
  file_->finish();
  std::vector<AtomicFile> files;
  for (const CsvFile& f : csv) {
    files.emplace_back(path_ / f.name).write(f.content);
    files.back().finish();
  }

  for (AtomicFile& file : files) file.commit();
  file_->commit();
  created_.clear();
  remove_report();

  if (!before_) return;
  for (const std::string& name : before_->csv_files) {
    const bool written = std::ranges::any_of(csv, [&](const CsvFile& f) { return f.name == name; });
    std::error_code ignored;
    if (!written && fs::path(name).filename() == name) fs::remove(path_ / name, ignored);
  }
}

}  // namespace tumble
