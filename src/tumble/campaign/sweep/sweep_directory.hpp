// Where a sweep puts its files:
//
//   DIR/results.nc            once all points are computed
//   DIR/points/<number>/      the study of a point, as `tumble run` would leave it
//   DIR/sweep.txt             which sweep the points belong to
//
// The last two go when the results are complete, unless the points are to be kept.
#pragma once
#include <memory>

#include "tumble/campaign/output_directory.hpp"
#include "tumble/study/journal/journal_lock.hpp"

namespace tumble {

/// What tells one sweep from another.
struct SweepIdentity {
  std::string program;
  std::string varied;    ///< as SweepOptions::vary says, a line each
  std::string studies;   ///< hash of the points' models and files, however many realisations
  std::string complete;  ///< the same with the realisations: the attribute sweep_sha256
};

class SweepDirectory {
 public:
  explicit SweepDirectory(std::filesystem::path path) : output_(std::move(path)) {}

  std::filesystem::path results() const { return output_.results(); }
  std::filesystem::path point(std::size_t number) const {
    return points() / std::to_string(number);
  }

  /// Looks, changing nothing. True if the results of this sweep are there and `policy` is to
  /// resume. @throws RequestError if something is there that must stay.
  bool already_done(IfResultsExist policy, const SweepIdentity& wanted) const;

  /// Makes the directory this sweep's own, until the program ends.
  void begin(IfResultsExist policy, const SweepIdentity& sweep);

  /// Complete or not at all.
  void write(const std::function<void(AtomicFile&)>& fill) {
    output_.write([&fill](AtomicFile& file) {
      fill(file);
      return std::vector<CsvFile>{};
    });
  }
  /// What the studies of the points wrote, and nothing that others put there.
  void remove_points() const;

 private:
  std::filesystem::path points() const { return output_.path() / "points"; }
  /// Directories that this or an earlier sweep made.
  std::vector<std::filesystem::path> found_points() const;

  OutputDirectory output_;
  std::unique_ptr<JournalLock> lock_;
};

}  // namespace tumble
