// Where a run puts its files: decides before the run whether it may, and writes all or none.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tumble/base/atomic_file.hpp"
#include "tumble/campaign/study_run.hpp"
#include "tumble/io/results/results_csv.hpp"
#include "tumble/io/results/results_file.hpp"
#include "tumble/study/journal/journal_lock.hpp"

namespace tumble {

/// @throws RequestError if `file` is there and not to be overwritten, or is no regular file.
void require_replaceable(const std::filesystem::path& file, bool overwrite);

/// Why results cannot be read: there are none, or they are damaged.
std::string no_results(const std::filesystem::path& results);

class OutputDirectory {
 public:
  explicit OutputDirectory(std::filesystem::path path) : path_(std::move(path)) {}
  /// Removes the directories that create() made if nothing was written into them.
  ~OutputDirectory();
  OutputDirectory(const OutputDirectory&) = delete;
  OutputDirectory& operator=(const OutputDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path results() const { return path_ / "results.nc"; }
  std::filesystem::path journal() const { return path_ / "study.journal"; }

  std::filesystem::path report() const { return path_ / "report.html"; }
  /// Says which sweep it is whose points are below the directory.
  std::filesystem::path sweep() const { return path_ / "sweep.txt"; }

  /// Looks, changing nothing. True if the results of this very model and version are there and
  /// `policy` is to resume: there is nothing to do.
  /// @throws RequestError if results are there that must stay.
  bool already_done(IfResultsExist policy, const ResultsIdentity& wanted) const;

  /// @throws RequestError if a name that results are to have is a symbolic link, a pipe or the
  /// like: nothing is written where a link leads, and nothing special is replaced.
  void refuse_special_files(const std::vector<std::string>& csv_files = {}) const;

  /// @throws RequestError if a study is there that must stay.
  void refuse_study(IfResultsExist policy) const;
  /// The same for a sweep that is unfinished or whose points were kept.
  void refuse_sweep() const;
  /// If a study is here, nobody else goes on with it from now on. @throws RequestError if it is
  /// being run.
  void claim_study();
  /// Results of a single run or a sweep in its place would not be continued by its journal. Claims
  /// the study first.
  void remove_study();

  void remove_report() const;
  /// With their page.
  void remove_results() const;

  /// Makes the directory and opens the results file under its temporary name, so that a place
  /// that cannot be written is found before the run and not after it.
  /// A study, which is safe in its journal, does not: killed, it would leave that file behind.
  void create(bool open_results = true);

  /// Writes all files under temporary names, then gives them their names, results.nc last. CSV
  /// files that an overwritten run left and this one did not write are removed, and so is the page
  /// of other results.
  void write(const std::string& results_content, const std::vector<CsvFile>& csv);
  /// The same for results that are not composed in memory: `fill` writes them, and gives the CSV
  /// files that go with them.
  void write(const std::function<std::vector<CsvFile>(AtomicFile&)>& fill);

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> created_;  // outermost first
  std::optional<ResultsIdentity> before_;       // of the results that create() found
  std::unique_ptr<JournalLock> lock_;           // of a study that was removed
  std::optional<AtomicFile> file_;
};

}  // namespace tumble
