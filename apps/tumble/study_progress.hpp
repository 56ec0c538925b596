// How far a study is: a bar for a person, lines of JSON for a program.
#pragma once
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace tumble::app {

class StudyProgress {
 public:
  /// `done` of `total` realisations were there before. `json`: a line of JSON on standard error now
  /// and then, and at the end; otherwise a bar, if standard error is a terminal, after `label`.
  StudyProgress(std::uint64_t done, std::uint64_t total, bool json, std::string label = {});
  ~StudyProgress();
  StudyProgress(const StudyProgress&) = delete;
  StudyProgress& operator=(const StudyProgress&) = delete;

  /// There will be so many in all. From any thread, as add().
  void expect(std::uint64_t total);
  /// From any thread.
  void add(std::uint64_t ended, std::uint64_t failed);

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now);

  const std::uint64_t before_;
  const bool json_, terminal_;
  const std::string label_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;  // guards what follows
  std::uint64_t total_, done_, failed_ = 0;
  Clock::time_point next_;
  bool drawn_ = false;
};

}  // namespace tumble::app
