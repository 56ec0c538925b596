// Follows a study on the terminal: messages and progress on standard error, Ctrl-C ends it.
#pragma once
#include <optional>

#include "progress_bar.hpp"
#include "study_progress.hpp"
#include "tumble/campaign/observer.hpp"

namespace tumble::app {

class TerminalObserver : public Observer {
 public:
  enum class Progress { bar, json, none };
  /// A bar is drawn if standard error is a terminal; JSON comes in lines.
  explicit TerminalObserver(Progress shown = Progress::bar) : shown_(shown) {}

  /// Prints "tumble: ", the kind and the sentence, unless the program has printed the same before:
  /// the points of a sweep have much in common.
  void say(Message kind, const std::string& sentence) override;
  void about_to(const std::string& what) override;
  void begin(std::uint64_t done, std::uint64_t total, const std::string& part) override;
  void expect(std::uint64_t total) override;
  void advance(std::uint64_t ended, std::uint64_t failed) override;
  void simulated(double time, double duration) override;
  void end() override;
  bool cancelled() override;

 private:
  Progress shown_;
  std::optional<StudyProgress> progress_;
  std::optional<ProgressBar> bar_;  ///< of a single run
};

}  // namespace tumble::app
